"""The runs' logs: gapless numbers, written in the transaction of the change they describe."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from backend.engine.events import Event


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
SELECT run_id, seq, type, at, step_id, node, path, attempt, data
FROM json_to_recordset(%s::json) AS e(
    run_id uuid, seq bigint, type text, at timestamptz, step_id uuid,
    node text, path text, attempt int, data json)
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
    with connection.cursor() as cursor:
        cursor.execute(BUMP, [json.dumps([{"id": str(i), "n": n} for i, n in counts.items()])])
        latest: dict[UUID, int] = dict(cursor.fetchall())
        rows = []
        for entry in entries:
            latest[entry.run_id] += 1
            rows.append(_row(entry, latest[entry.run_id]))
        cursor.execute(INSERT, [json.dumps(rows, separators=(",", ":"))])
    return latest


def _row(entry: LogEntry, seq: int) -> dict[str, Any]:
    return {
        "run_id": str(entry.run_id),
        "seq": seq,
        "type": entry.type,
        "at": entry.at.isoformat(),
        "step_id": str(entry.step_id) if entry.step_id else None,
        "node": entry.node,
        "path": entry.path,
        "attempt": entry.attempt,
        "data": entry.data or {},
    }


READ = """
SELECT seq, type, at, step_id, node, path, attempt, data
FROM runs_runevent WHERE run_id = %s AND seq > %s ORDER BY seq LIMIT %s
"""


def read(run_id: UUID, *, after: int, limit: int = 1000) -> list[Event]:
    """Read a run's events behind `after`, at most `limit`."""
    with connection.cursor() as cursor:
        cursor.execute(READ, [run_id, after, limit])
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
            for seq, type_, at, step_id, node, path, attempt, data in cursor.fetchall()
        ]
