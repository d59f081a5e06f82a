"""The runs' logs: gapless numbers, written in the transaction of the change they describe."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from backend.engine.events import Event
from backend.runs.sql import execute, query


@dataclass(frozen=True, kw_only=True)
class LogEntry:
    """An event on its way into a run's log."""

    run_id: UUID
    type: str
    at: datetime
    step_id: UUID | str | None = None
    node: str = ""
    path: str = ""
    attempt: int | None = None
    data: Any = None


BUMP = """
UPDATE runs_run r SET event_seq = r.event_seq + c.n
FROM jsonb_to_recordset(%s::jsonb) AS c(id uuid, n int)
WHERE r.id = c.id RETURNING r.id, r.event_seq - c.n
"""
INSERT = """
INSERT INTO runs_runevent (run_id, seq, type, at, step_id, node, path, attempt, data)
SELECT run_id, seq, type, at, step_id, node, path, attempt, data::json
FROM unnest(%s::uuid[], %s::bigint[], %s::text[], %s::timestamptz[], %s::uuid[], %s::text[],
    %s::text[], %s::int[], %s::text[])
    AS e(run_id, seq, type, at, step_id, node, path, attempt, data)
"""


def append(entries: Sequence[LogEntry]) -> dict[UUID, int]:
    """Append entries, in order; gives each run's latest number.

    The caller is in a transaction and holds the rows of the runs concerned, so numbers are
    gapless and their order is the order of commits.
    """
    if not entries:
        return {}
    counts: dict[UUID, int] = {}
    for entry in entries:
        counts[entry.run_id] = counts.get(entry.run_id, 0) + 1
    bumps = json.dumps([{"id": str(run_id), "n": n} for run_id, n in counts.items()])
    latest: dict[UUID, int] = dict(query(BUMP, [bumps]))
    rows = []
    for entry in entries:
        latest[entry.run_id] += 1
        rows.append(_row(entry, latest[entry.run_id]))
    execute(INSERT, [list(column) for column in zip(*rows, strict=True)])
    return latest


def _row(entry: LogEntry, seq: int) -> tuple[Any, ...]:
    return (
        entry.run_id,
        seq,
        entry.type,
        entry.at,
        str(entry.step_id) if entry.step_id else None,
        entry.node,
        entry.path,
        entry.attempt,
        json.dumps(entry.data or {}, separators=(",", ":")),
    )


READ = """
SELECT seq, type, at, step_id, node, path, attempt, data
FROM runs_runevent WHERE run_id = %s AND seq > %s ORDER BY seq LIMIT %s
"""


def read(run_id: UUID, *, after: int, limit: int = 1000) -> list[Event]:
    """Read a run's events behind `after`, at most `limit`."""
    return [
        Event(
            seq=seq,
            type=type_,
            at=at,
            step_id=str(step_id) if step_id else None,
            node=node or None,
            path=path or None,
            attempt=attempt,
            data=data,
        )
        for seq, type_, at, step_id, node, path, attempt, data in query(
            READ, [run_id, after, limit]
        )
    ]
