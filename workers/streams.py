"""Tokens on their way to the screen: written to Redis in batches. They may be lost."""

import asyncio
import logging
from collections import deque
from dataclasses import dataclass

import redis.asyncio as redis
from redis.exceptions import RedisError

from backend.runs.dispatch import DELTA_MAX_ENTRIES, DELTA_TTL_S, delta_stream

logger = logging.getLogger(__name__)

FLUSH_S = 0.05
#: Characters that wait for Redis; more are dropped, the finished output has them all.
BUFFER_CHARS = 4_000_000


@dataclass(slots=True)
class Delta:
    """A piece of a step's text; `offset` counts characters from the attempt's start."""

    run_id: str
    step_id: str
    attempt: int
    offset: int
    text: str


class DeltaWriter:
    """Writes deltas every FLUSH_S seconds, one pipeline for all steps of the process."""

    def __init__(self, client: "redis.Redis") -> None:
        self._client = client
        self._waiting: deque[Delta] = deque()
        self._chars = 0
        self._wake = asyncio.Event()

    def add(self, delta: Delta) -> None:
        """Take a piece of text; joins it to the piece before, if that is the same step's."""
        if self._chars > BUFFER_CHARS:
            return
        self._chars += len(delta.text)
        last = self._waiting[-1] if self._waiting else None
        if last is not None and (last.step_id, last.attempt) == (delta.step_id, delta.attempt):
            last.text += delta.text
        else:
            self._waiting.append(delta)
        self._wake.set()

    async def run(self) -> None:
        """Write for ever."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self.flush()
            await asyncio.sleep(FLUSH_S)

    async def flush(self) -> None:
        """Write what waits."""
        batch, self._waiting, self._chars = self._waiting, deque(), 0
        if not batch:
            return
        pipeline = self._client.pipeline(transaction=False)
        for delta in batch:
            pipeline.xadd(
                delta_stream(delta.run_id),
                {
                    "step_id": delta.step_id,
                    "attempt": delta.attempt,
                    "offset": delta.offset,
                    "text": delta.text,
                },
                maxlen=DELTA_MAX_ENTRIES,
                approximate=True,
            )
        for run_id in {delta.run_id for delta in batch}:
            pipeline.expire(delta_stream(run_id), DELTA_TTL_S)
        try:
            await pipeline.execute()
        except RedisError as error:
            logger.warning("redis_unreachable", extra={"error": str(error)})
