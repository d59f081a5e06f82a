"""Waiting for a run's end: on the event loop, so that it costs no thread and no connection."""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from uuid import UUID
from weakref import WeakKeyDictionary

from channels.db import DatabaseSyncToAsync
from django.db import InterfaceError, OperationalError

from backend.api.sql import query
from backend.engine.state import FINAL_RUN
from backend.runs.tailer import Tailer, tailer

logger = logging.getLogger(__name__)

#: Seconds between two looks into the table, for all that wait at once: a hint may be lost.
POLL_S = 1.0
#: A run that is waited for was started this long ago at the most.
JUST_STARTED_S = 10.0

ENDED = "SELECT id FROM runs_run WHERE id = ANY(%s) AND status = ANY(%s)"


class Ends:
    """Those who wait, and the one who looks into the table for them."""

    def __init__(self, hints: Tailer) -> None:
        self._hints = hints
        self._waiting: Counter[UUID] = Counter()
        self._poller: asyncio.Task[None] | None = None

    async def wait(self, run_id: UUID, *, seconds: float) -> None:
        """Return when the run has ended, or when the time is up."""
        with self._hints.watching_end(str(run_id)) as bell, self._counted(run_id):
            if not self._hints.has_listened_for(JUST_STARTED_S):
                await self._look()
            if not self._hints.has_ended(str(run_id)):
                await bell.wait(at_most=seconds)

    @contextlib.contextmanager
    def _counted(self, run_id: UUID) -> Iterator[None]:
        self._waiting[run_id] += 1
        if self._poller is None or self._poller.done():
            self._poller = asyncio.create_task(self._look_again_and_again(), name="run-ends")
        try:
            yield
        finally:
            self._waiting[run_id] -= 1
            if not self._waiting[run_id]:
                del self._waiting[run_id]

    async def _look_again_and_again(self) -> None:
        while self._waiting:
            await asyncio.sleep(POLL_S)
            await self._look()

    async def _look(self) -> None:
        if not self._waiting:
            return
        try:
            ended = await _ended_among(list(self._waiting))
        except (OperationalError, InterfaceError) as error:
            logger.warning("database_unreachable", extra={"error": str(error).strip()})
            return
        for run_id in ended:
            self._hints.note_end(str(run_id))


async def _ended_among(run_ids: Sequence[UUID]) -> list[UUID]:
    look = DatabaseSyncToAsync(query, thread_sensitive=False)
    return [row[0] for row in await look(ENDED, [list(run_ids), sorted(FINAL_RUN)])]


_ends: WeakKeyDictionary[asyncio.AbstractEventLoop, Ends] = WeakKeyDictionary()


async def run_ended(run_id: UUID, *, seconds: float) -> None:
    """Return when the run has ended, or when the time is up."""
    ends = _ends.setdefault(asyncio.get_running_loop(), Ends(tailer()))
    await ends.wait(run_id, seconds=seconds)
