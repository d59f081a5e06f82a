"""Workers with free slots take ready steps: workspaces by virtual time, steps by priority."""

import logging
from dataclasses import dataclass, field
from uuid import UUID

from django.db import transaction

from backend.engine.state import StepStatus
from backend.runs.plans import plan_of
from backend.runs.services.finish import Seat
from backend.runs.sql import execute, query
from backend.runs.transaction import (
    Announcement,
    Claimed,
    RunChange,
    RunRow,
    lock_runs,
    no_inline,
    store,
)

logger = logging.getLogger(__name__)

#: Workspaces that share one pull.
WORKSPACES = 32

# Each workspace offers its most urgent steps; they are dealt out by virtual time, as in weighted
# fair queueing: the i-th step of a workspace counts as if it had been served i / weight later.
# The lane's own time is when the step that was served last began. Who is behind it had nothing to
# do meanwhile, and starts from there: a credit from idle times would shut out all others.
CANDIDATES = """
WITH lane AS (
    SELECT max(vtime - 1 / weight) AS vtime FROM runs_lanequeue WHERE lane = %(lane)s
), queue AS (
    SELECT q.workspace_id, GREATEST(q.vtime, lane.vtime) AS vtime, q.weight
    FROM runs_lanequeue q CROSS JOIN lane
    WHERE q.lane = %(lane)s AND EXISTS (
        SELECT 1 FROM runs_step s WHERE s.lane = q.lane AND s.workspace_id = q.workspace_id
        AND s.status = 'ready' AND (s.not_before IS NULL OR s.not_before <= clock_timestamp()))
    ORDER BY GREATEST(q.vtime, lane.vtime), q.vtime LIMIT %(workspaces)s
)
SELECT s.run_id, s.no FROM queue q CROSS JOIN LATERAL (
    SELECT c.run_id, c.no, c.priority, row_number() OVER (ORDER BY c.priority DESC, c.id) AS place
    FROM (
        SELECT run_id, no, priority, id FROM runs_step
        WHERE lane = %(lane)s AND workspace_id = q.workspace_id AND status = 'ready'
        AND (not_before IS NULL OR not_before <= clock_timestamp())
        ORDER BY priority DESC, id LIMIT %(n)s
    ) c
) s ORDER BY q.vtime + s.place / q.weight, s.priority DESC LIMIT %(n)s
"""
# Rows are locked in one order, so that two workers that charge the same workspaces cannot deadlock.
CHARGE = """
WITH lane AS (
    SELECT max(vtime - 1 / weight) AS vtime FROM runs_lanequeue WHERE lane = %(lane)s
), locked AS (
    SELECT q.id, c.n FROM runs_lanequeue q
    JOIN unnest(%(workspaces)s::uuid[], %(counts)s::int[]) AS c(workspace_id, n)
    ON c.workspace_id = q.workspace_id
    WHERE q.lane = %(lane)s ORDER BY q.id FOR UPDATE OF q
)
UPDATE runs_lanequeue q SET vtime = GREATEST(q.vtime, lane.vtime) + locked.n / q.weight
FROM locked CROSS JOIN lane WHERE q.id = locked.id
"""


@dataclass
class Pulled:
    """What a pull gave. `contended` says that ready steps were seen but their runs were busy."""

    claimed: list[Claimed] = field(default_factory=list)
    contended: bool = False
    announcement: Announcement = field(default_factory=Announcement)


def pull(seat: Seat) -> Pulled:
    """Claim up to `seat.free` ready steps of the seat's lane.

    Runs that another transition holds are left out rather than waited for. The claim is committed
    without waiting for the disk: if the database forgets it in a crash, the step is claimed again
    under another lease, and this process is fenced.
    """
    with transaction.atomic():
        wanted = _candidates(seat)
        if not wanted:
            return Pulled()
        runs = lock_runs((run_id for run_id, _ in wanted), skip_locked=True)
        found = {run.id: _claim(run, wanted, seat) for run in runs}
        changes = [change for change in found.values() if change is not None]
        claimed = [item for change in changes for item in change.claimed]
        # What is broken stays as it is, however soon one looks again.
        broken = {run_id for run_id, change in found.items() if change is None}
        could_be_had = sum(run_id not in broken for run_id, _ in wanted)
        if claimed:
            _commit_without_waiting()
            _charge(seat, claimed)
        announcement = store([change for change in changes if change.claimed])
    return Pulled(
        claimed=claimed,
        contended=len(claimed) < could_be_had,
        announcement=announcement,
    )


def _candidates(seat: Seat) -> list[tuple[UUID, int]]:
    rows = query(CANDIDATES, {"lane": seat.lane, "workspaces": WORKSPACES, "n": seat.free})
    return [(run_id, no) for run_id, no in rows]


def _claim(run: RunRow, wanted: list[tuple[UUID, int]], seat: Seat) -> RunChange | None:
    try:
        plan = plan_of(run.graph_id)
    except (KeyError, TypeError, ValueError):
        # A plan that this release cannot read must not keep the other runs from being served.
        logger.exception("plan_unreadable", extra={"run": str(run.id)})
        return None
    change = RunChange(run, plan, no_inline)
    numbers = [no for run_id, no in wanted if run_id == run.id]
    change.steps.prefetch(numbers)
    for no in numbers:
        step = change.steps.get(no)
        # Somebody may have claimed or cancelled it between the look and the lock.
        if step.status is StepStatus.READY:
            change.claim(step, seat.session_id)
    return change


def _charge(seat: Seat, claimed: list[Claimed]) -> None:
    counts: dict[UUID, int] = {}
    for item in claimed:
        counts[item.run.workspace_id] = counts.get(item.run.workspace_id, 0) + 1
    execute(
        CHARGE,
        {"lane": seat.lane, "workspaces": list(counts), "counts": list(counts.values())},
    )


def _commit_without_waiting() -> None:
    execute("SET LOCAL synchronous_commit = off")
