"""What sockets and streams read, each call on a thread with a connection of the pool."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import ParamSpec, TypeVar
from uuid import UUID

from channels.db import DatabaseSyncToAsync
from django.db.models import Q
from django.utils import timezone

from backend.engine.events import Event
from backend.engine.state import FINAL_RUN
from backend.runs import log
from backend.runs.models import Run
from backend.runs.tailer import tailer

BATCH = 500
#: Changes that follow each other quickly are told together.
COALESCE_S = 0.05
RECENTLY = timedelta(seconds=30)
MAX_CHANGES = 200

P = ParamSpec("P")
R = TypeVar("R")


def on_thread(function: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Run a function that reads the database outside of the event loop."""
    return DatabaseSyncToAsync(function, thread_sensitive=False)


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    status: str
    seq: int

    @property
    def is_over(self) -> bool:
        """Whether no further event will come."""
        return self.status in FINAL_RUN


@on_thread
def progress_of(run_id: UUID) -> Progress | None:
    """Tell how far a run has come."""
    row = Run.objects.filter(id=run_id).values_list("status", "event_seq").first()
    return Progress(*row) if row else None


@on_thread
def _events_after(run_id: UUID, after: int) -> list[Event]:
    return log.read(run_id, after=after, limit=BATCH)


async def follow_events(run_id: UUID, *, after: int) -> AsyncIterator[list[Event]]:
    """Give a run's events behind `after` as they come, in order and without gaps, to its last.

    An empty list comes when there was nothing new for a while, so that the caller may look
    whether anybody still listens.
    """
    with tailer().watching_run(str(run_id)) as bell:
        while (progress := await progress_of(run_id)) is not None:
            # A number that the run has not reached comes from elsewhere: go on from here.
            after = min(after, progress.seq)
            events = await _events_after(run_id, after) if progress.seq > after else []
            if events:
                after = events[-1].seq
                yield events
                await asyncio.sleep(COALESCE_S)
            elif progress.is_over:
                return
            else:
                await bell.wait()
                yield []


@on_thread
def recent_changes(workspace_id: UUID) -> list[tuple[UUID, UUID, str]]:
    """List the workspace's runs that are under way or ended just now: id, workflow, status."""
    just_now = Q(finished_at__gt=timezone.now() - RECENTLY)
    runs = Run.objects.filter(just_now | ~Q(status__in=FINAL_RUN), workspace_id=workspace_id)
    return list(runs.values_list("id", "workflow_id", "status")[:MAX_CHANGES])
