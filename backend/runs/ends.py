"""Waiting for a run's end: one listener a process, however many requests wait."""

import json
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from uuid import UUID

import redis
from django.conf import settings
from django.db import connection

from backend.engine.state import FINAL_RUN
from backend.runs.dispatch import HINT_CHANNEL
from backend.runs.models import Run

logger = logging.getLogger(__name__)

#: Seconds after which a waiting request looks into the table unasked: a hint may be lost.
POLL_S = 1.0
RECONNECT_S = 0.5


class Ends:
    """Wakes who waits for a run when a hint says that it has ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, set[threading.Event]] = defaultdict(set)
        threading.Thread(target=self._listen_for_ever, name="run-ends", daemon=True).start()

    @contextmanager
    def watching(self, run_id: UUID) -> Iterator[threading.Event]:
        """An event that is set when the run is heard to have ended."""
        event, key = threading.Event(), str(run_id)
        with self._lock:
            self._waiting[key].add(event)
        try:
            yield event
        finally:
            with self._lock:
                self._waiting[key].discard(event)
                if not self._waiting[key]:
                    del self._waiting[key]

    def _listen_for_ever(self) -> None:
        while True:
            try:
                self._listen()
            except (redis.RedisError, OSError) as error:
                logger.warning("redis_unreachable", extra={"error": str(error)})
            time.sleep(RECONNECT_S)

    def _listen(self) -> None:
        client = redis.Redis.from_url(settings.REDIS_URL, health_check_interval=10)
        with client, client.pubsub(ignore_subscribe_messages=True) as channel:  # type: ignore[no-untyped-call]
            channel.subscribe(HINT_CHANNEL)
            for message in channel.listen():
                hint = json.loads(message["data"])
                if hint["status"] in FINAL_RUN:
                    self._wake(hint["run"])

    def _wake(self, run_id: str) -> None:
        with self._lock:
            events = list(self._waiting.get(run_id, ()))
        for event in events:
            event.set()


@cache
def ends() -> Ends:
    """The process's listener, started when somebody first waits."""
    return Ends()


def wait_for_end(run_id: UUID, *, seconds: float) -> None:
    """Return when the run has ended, or when the time is up."""
    deadline = time.monotonic() + seconds
    with ends().watching(run_id) as ended:
        while not _has_ended(run_id):
            left = deadline - time.monotonic()
            if left <= 0:
                return
            ended.wait(min(left, POLL_S))


def _has_ended(run_id: UUID) -> bool:
    ended = Run.objects.filter(id=run_id, status__in=FINAL_RUN).exists()
    if not connection.in_atomic_block:
        # Who waits holds no connection: there are fewer of them than requests that may wait.
        connection.close()
    return ended
