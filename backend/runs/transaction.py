"""The frame of every transition: lock the runs, pass over them, store everything, then announce.

Every change of a run or its steps happens while the run's row is locked, and the rows are locked
first, in the order of their ids. So two transitions of one run never overlap, and none deadlock.
A run that a process keeps in memory is stored the same way, if nobody has moved it since.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from backend.api.sql import query
from backend.engine.state import RunStatus
from backend.limits.bounds import limited_keys
from backend.runs import writes
from backend.runs.calls import start_calls
from backend.runs.live import LiveRun, RunRow
from backend.runs.taken import Announcement, Taken, gather, take

READ = """
SELECT r.id, r.workspace_id, r.workflow_id, w.name, r.graph_id, r.status, r.inputs, r.open_steps,
       r.made_steps, r.scope_count, r.event_seq, r.plan_version, r.priority, r.depth,
       r.parent_run_id, r.parent_step_id, r.budget_id, r.started_at, clock_timestamp(),
       b.on_exceeded, r.unfinished_at IS NOT NULL
FROM runs_run r JOIN workflows_workflow w ON w.id = r.workflow_id
LEFT JOIN limits_budget b ON b.id = r.budget_id
WHERE r.id = ANY(%s) AND r.status = ANY(%s)
ORDER BY r.id FOR UPDATE OF r
"""
UNFINISHED = [RunStatus.QUEUED.value, RunStatus.RUNNING.value, RunStatus.PAUSED.value]
ENDED = [RunStatus.FAILED.value, RunStatus.CANCELLED.value]
CHECK = """
SELECT r.id, r.event_seq, r.status = ANY(%s), r.commit_id, ARRAY(
    SELECT CASE WHEN l.key = '' THEN l.target ELSE l.target || ':' || l.key END
    FROM limits_limit l WHERE l.workspace_id = r.workspace_id)
FROM runs_run r WHERE r.id = ANY(%s) ORDER BY r.id FOR UPDATE OF r
"""


def lock_runs(
    ids: Iterable[UUID], *, skip_locked: bool = False, statuses: Sequence[str] = UNFINISHED
) -> list[RunRow]:
    """Lock those of the runs that have not ended, in the order of their ids.

    With `skip_locked` the runs that another transition holds are left out instead of waited for.
    """
    statement = READ + ("SKIP LOCKED" if skip_locked else "")
    rows = query(statement, [sorted(set(ids)), list(statuses)])
    limited = limited_keys(row[1] for row in rows) if rows else {}
    return [_run_row(row, limited.get(row[1], frozenset())) for row in rows]


def _run_row(row: tuple[Any, ...], limited: frozenset[str]) -> RunRow:
    return RunRow(
        id=row[0],
        workspace_id=row[1],
        workflow_id=row[2],
        workflow_name=row[3],
        graph_id=row[4],
        status=RunStatus(row[5]),
        inputs=row[6],
        open_steps=row[7],
        made_steps=row[8],
        scope_count=row[9],
        event_seq=row[10],
        plan_version=row[11],
        priority=row[12],
        depth=row[13],
        parent_run_id=row[14],
        parent_step_id=row[15],
        budget_id=row[16],
        started_at=row[17],
        now=row[18],
        limited=limited,
        pauses_over_budget=row[19] == "pause",
        unfinished=row[20],
    )


def store(lives: Sequence[LiveRun]) -> Announcement:
    """Store what passes changed about runs that this transaction holds."""
    announcement = Announcement()
    for live in lives:
        if live.draft.calls:
            announcement.add(start_calls(live, live.draft))
    all_taken = [take(live) for live in lives if not live.draft.is_empty or live.end]
    writes.write([taken.writes for taken in all_taken])
    for taken in all_taken:
        taken.live.saved(taken.draft)
        gather(announcement, taken)
    return announcement


def commit(all_taken: Sequence[Taken]) -> tuple[list[Taken], Announcement]:
    """Store what was taken of runs that were kept in memory, in one transaction.

    Returns:
        What was stored, and what there is to announce. The rest was not stored: somebody else
        had moved the run, it had ended, or its workspace has limits that it does not know of.
    """
    announcement = Announcement()
    with transaction.atomic():
        ids = sorted(taken.live.row.id for taken in all_taken)
        rows = {row[0]: row[1:] for row in query(CHECK, [UNFINISHED, ids])}
        # The answer of an earlier try may have been lost on its way.
        done = [t for t in all_taken if _commit_id(rows, t) == t.writes.run["commit_id"]]
        good = [taken for taken in all_taken if _is_current(rows, taken)]
        for taken in good:
            if taken.draft.calls:
                announcement.add(start_calls(taken.live, taken.draft))
        writes.write([taken.writes for taken in good])
    good.extend(done)
    for taken in good:
        gather(announcement, taken)
    return good, announcement


def _is_current(rows: Mapping[UUID, tuple[Any, ...]], taken: Taken) -> bool:
    row = rows.get(taken.live.row.id)
    if row is None or row[:2] != (taken.base, True):
        return False
    return taken.live.row.limited.issuperset(row[3])


def _commit_id(rows: Mapping[UUID, tuple[Any, ...]], taken: Taken) -> str:
    row = rows.get(taken.live.row.id)
    return str(row[2]) if row else ""
