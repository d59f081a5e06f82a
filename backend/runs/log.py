"""The runs' logs: gapless numbers, written in the transaction of the change they describe."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from backend.api.sql import query
from backend.engine.events import Event

READ = """
SELECT first, events FROM runs_eventchunk
WHERE run_id = %s AND last > %s AND first <= %s ORDER BY first
"""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read(run_id: UUID, *, after: int, limit: int = 1000) -> list[Event]:
    """Read a run's events behind `after`, at most `limit`; numbers are gapless."""
    found: list[Event] = []
    for first, events in query(READ, [run_id, after, after + limit]):
        skipped = max(0, after + 1 - first)
        for seq, event in enumerate(events[skipped:], first + skipped):
            found.append(_event(seq, event))
    return found[:limit]


def _event(seq: int, event: list[Any]) -> Event:
    type_, at, step_id, node, path, attempt, data = event
    return Event(
        seq=seq,
        type=type_,
        at=_EPOCH + timedelta(microseconds=at),
        step_id=step_id,
        node=node,
        path=path,
        attempt=attempt,
        data=data,
    )
