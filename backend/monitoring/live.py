"""One snapshot for all sockets of a process, made while somebody watches."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from channels.db import DatabaseSyncToAsync

from backend.monitoring.serializers import MonitoringSerializer
from backend.monitoring.snapshot import take_snapshot

EVERY_S = 2.0


@dataclass
class _Latest:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    taken_at: float = float("-inf")
    value: dict[str, Any] = field(default_factory=dict)


_latest: WeakKeyDictionary[asyncio.AbstractEventLoop, _Latest] = WeakKeyDictionary()


async def latest_snapshot() -> dict[str, Any]:
    """Give a snapshot that is at most as old as the interval of the sockets."""
    latest = _latest.setdefault(asyncio.get_running_loop(), _Latest())
    async with latest.lock:
        if time.monotonic() - latest.taken_at > EVERY_S * 0.9:
            latest.value = await DatabaseSyncToAsync(_shown, thread_sensitive=False)()
            latest.taken_at = time.monotonic()
        return latest.value


def _shown() -> dict[str, Any]:
    # Keys and moments become text, as they do in the REST answer.
    shown: dict[str, Any] = MonitoringSerializer(take_snapshot()).data
    return shown
