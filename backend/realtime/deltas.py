"""Text that model steps are writing: read from the run's Redis stream, each character once."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any
from uuid import UUID

import redis.asyncio
from django.conf import settings
from redis import RedisError

from backend.runs.dispatch import delta_stream
from backend.runs.tailer import RECONNECT_S

BLOCK_MS = 2000
BATCH = 500


class Dedupe:
    """Remembers how far each attempt's text was told; what comes twice is cut off."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, int], int] = {}

    def cut(self, entry: Mapping[str, Any]) -> dict[str, Any] | None:
        """Give what is new of an entry, or nothing."""
        step_id, attempt = str(entry["step_id"]), int(entry["attempt"])
        offset, text = int(entry["offset"]), str(entry["text"])
        told = self._told.get((step_id, attempt), 0)
        if offset < told:
            text, offset = text[told - offset :], told
        if not text:
            return None
        self._told[step_id, attempt] = offset + len(text)
        return {"step_id": step_id, "attempt": attempt, "offset": offset, "text": text}


async def follow_deltas(run_id: UUID) -> AsyncIterator[dict[str, Any]]:
    """Give the run's text from what the stream still holds on; it has no end of its own."""
    dedupe, last = Dedupe(), "0"
    client = redis.asyncio.Redis.from_url(
        settings.REDIS_URL,
        decode_responses=True,
        socket_connect_timeout=2,
        socket_timeout=BLOCK_MS / 1000 + 5,
    )
    async with client:
        while True:
            try:
                answer = await client.xread(
                    {delta_stream(run_id): last}, count=BATCH, block=BLOCK_MS
                )
            except (RedisError, OSError):
                await asyncio.sleep(RECONNECT_S)
                continue
            for key, entry in _entries(answer):
                last = key
                delta = dedupe.cut(entry)
                if delta is not None:
                    yield delta


def _entries(answer: Any) -> list[tuple[str, Mapping[str, Any]]]:
    streams = answer.values() if isinstance(answer, dict) else (rows for _, rows in answer or ())
    flat: list[tuple[str, Mapping[str, Any]]] = []
    for rows in streams:
        # The newer protocol wraps each stream's entries in one more list.
        nested = bool(rows) and isinstance(rows[0], list) and isinstance(rows[0][0], tuple | list)
        flat.extend((str(key), entry) for key, entry in (rows[0] if nested else rows))
    return flat
