"""Workers with free slots take ready steps: workspaces by virtual time, steps by priority."""

import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from django.db import transaction

from backend.api.sql import execute, query
from backend.engine.plan import Key
from backend.engine.state import StepStatus
from backend.engine.step_state import StepState
from backend.limits.ledger import Ledger
from backend.limits.seats import Candidate, admit, with_seats
from backend.runs.inline import ComputeFactory, inline_evaluation, no_inline
from backend.runs.live import Claimed, LiveRun, RunRow
from backend.runs.plans import UNREADABLE, plan_of
from backend.runs.prepare import Resolve
from backend.runs.services.finish import Seat, Timer, claim_ready, timers_of
from backend.runs.taken import Announcement
from backend.runs.transaction import lock_runs, store

logger = logging.getLogger(__name__)

#: Workspaces that share one pull.
WORKSPACES = 32
#: A step that may be claimed: its run, and where it stands in it.
Offer = tuple[UUID, Key]
#: Nodes of a plan up to which all its steps are read with the first of them.
SMALL_PLAN = 2000

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
SELECT s.run_id, s.scope, s.no, s.id, q.workspace_id, s.limits
FROM queue q CROSS JOIN LATERAL (
    SELECT c.*, row_number() OVER (ORDER BY c.priority DESC, c.id) AS place
    FROM (
        (SELECT s.run_id, s.scope, s.no, s.priority, s.id, NULL AS limits FROM runs_step s
        WHERE s.lane = %(lane)s AND s.workspace_id = q.workspace_id AND s.status = 'ready'
        AND (s.not_before IS NULL OR s.not_before <= clock_timestamp())
        AND s.run_id <> ALL(%(busy)s) AND s.limited_by = ''
        ORDER BY s.priority DESC, s.id LIMIT %(n)s)
        UNION ALL
        -- What is known to be limited is looked at apart: it must not hide what could start.
        (SELECT s.run_id, s.scope, s.no, s.priority, s.id, s.limits FROM runs_step s
        WHERE s.lane = %(lane)s AND s.workspace_id = q.workspace_id AND s.status = 'ready'
        AND (s.not_before IS NULL OR s.not_before <= clock_timestamp())
        AND s.run_id <> ALL(%(busy)s) AND s.limited_by <> ''
        ORDER BY s.priority DESC, s.id LIMIT %(n)s)
    ) c
) s ORDER BY q.vtime + s.place / q.weight, s.priority DESC LIMIT 2 * %(n)s
"""
# A pass that another process left unfinished is work too.
UNFINISHED = """
SELECT id FROM runs_run WHERE unfinished_at IS NOT NULL AND id <> ALL(%(busy)s)
ORDER BY unfinished_at LIMIT 4
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
    #: Steps behind those that were found to be limited may be had.
    has_more: bool = False
    timers: list[Timer] = field(default_factory=list)
    #: The runs as they stand after the commit; good until somebody else moves them.
    lives: list[LiveRun] = field(default_factory=list)
    announcement: Announcement = field(default_factory=Announcement)


def pull(
    seat: Seat, *, resolve: Resolve | None = None, busy: Collection[UUID] = (), ahead: bool = False
) -> Pulled:
    """Claim up to `seat.free` ready steps of the seat's lane; inline ones are computed at once.

    Runs that another transition holds are left out rather than waited for, and so are the `busy`
    ones, which this process has in memory. A claim alone is committed without waiting for the
    disk: if the database forgets it in a crash, the step is claimed again under another lease, and
    this process is fenced. With `ahead` the runs are read so that they can be kept in memory.
    """
    pulled = Pulled()
    parameters = {"busy": list(busy)}
    with transaction.atomic():
        offered = _candidates(seat, parameters)
        wanted = _by_run(offered)
        left = [row[0] for row in query(UNFINISHED, parameters)] if resolve else []
        if not wanted and not left:
            return pulled
        runs = lock_runs({*wanted, *left}, skip_locked=True)
        compute = inline_evaluation(resolve) if resolve else no_inline
        found = {run.id: _live(run, compute, ahead=ahead) for run in runs}
        lives = [live for live in found.values() if live is not None]
        granted, put_off = _admitted(lives, offered)
        pulled.has_more = put_off > 0 and len(offered) == seat.free
        ledger = Ledger.lock(live.row.budget_id for live in lives)
        for live in lives:
            keys = [key for key in wanted.get(live.row.id, []) if (live.row.id, key) in granted]
            _claim(live, keys, seat, pulled, ledger=ledger, goes_on=live.row.id in left)
        ledger.save()
        # What is broken stays as it is, however soon one looks again.
        could_be_had = sum(
            len(keys) for run_id, keys in wanted.items() if found.get(run_id, ...) is not None
        )
        pulled.contended = could_be_had > sum(len(wanted.get(live.row.id, ())) for live in lives)
        pulled.claimed = [item for live in pulled.lives for item in live.claimed]
        pulled.timers = [timer for live in pulled.lives for timer in timers_of(live)]
        if not any(live.draft.outputs or live.draft.scopes or live.end for live in pulled.lives):
            _commit_without_waiting()
        if pulled.claimed:
            _charge(seat, pulled.claimed)
        pulled.announcement = store(pulled.lives)
    return pulled


def _candidates(seat: Seat, parameters: dict[str, list[UUID]]) -> list[Offer]:
    """List the steps that this worker might start, in the order in which they are due.

    Most of those that had no room under a limit have none now: they are not worth a look at their
    runs.
    """
    rows = query(
        CANDIDATES, {"lane": seat.lane, "workspaces": WORKSPACES, "n": seat.free, **parameters}
    )
    limited = [Candidate(row[3], row[4], row[5]) for row in rows if row[5] is not None]
    hopeful = with_seats(limited) if limited else set()
    hopeful.update(row[3] for row in rows if row[5] is None)
    offers = [(row[0], Key(row[1], row[2])) for row in rows if row[3] in hopeful]
    return offers[: seat.free]


def _by_run(offered: Iterable[Offer]) -> dict[UUID, list[Key]]:
    wanted: dict[UUID, list[Key]] = {}
    for run_id, key in offered:
        wanted.setdefault(run_id, []).append(key)
    return wanted


def _live(run: RunRow, compute: ComputeFactory, *, ahead: bool) -> LiveRun | None:
    try:
        live = LiveRun(run, plan_of(run.graph_id), compute, ahead=ahead)
    except UNREADABLE:
        # A plan that this release cannot read must not keep the other runs from being served.
        logger.exception("plan_unreadable", extra={"run": str(run.id)})
        return None
    if ahead and len(live.plan.nodes) <= SMALL_PLAN:
        live.steps.read_top()
    return live


def _claim(
    live: LiveRun,
    keys: Sequence[Key],
    seat: Seat,
    pulled: Pulled,
    *,
    ledger: Ledger,
    goes_on: bool,
) -> None:
    # Somebody may have claimed or cancelled it between the look and the lock.
    steps = [s for s in map(live.steps.get, keys) if s.status is StepStatus.READY]
    inline = [step.key for step in steps if _is_computed_here(live, step.key)]
    if goes_on:
        live.resume()
    if inline:
        live.compute(inline)
    ready = [step for step in steps if step.status is StepStatus.READY]
    budgeted = ledger.start(live.row.budget_id, len(ready))
    for step in ready[:budgeted]:
        if live.end is None:
            live.claim(step, seat.session_id)
    if budgeted < len(ready) and live.end is None:
        live.go_over_budget(ledger.sentence(live.row.budget_id))
    used = sum(len(other.claimed) for other in pulled.lives) + len(live.claimed)
    claim_ready(live, seat, room=seat.free - used)
    if not live.draft.is_empty or live.end is not None:
        pulled.lives.append(live)


def _admitted(lives: Sequence[LiveRun], offered: Sequence[Offer]) -> tuple[set[Offer], int]:
    """Steps that may start under the limits of their workspaces; how many were put off just now."""
    granted: set[Offer] = set()
    limited: dict[UUID, tuple[LiveRun, StepState]] = {}
    for live, step in _found(lives, offered):
        if live.is_limited(step.no):
            limited[UUID(step.id)] = (live, step)
        else:
            granted.add((live.row.id, step.key))
    candidates = [
        Candidate(step_id, live.row.workspace_id, live.limit_keys(step.no))
        for step_id, (live, step) in limited.items()
        if step.status is StepStatus.READY
    ]
    if not candidates:
        return granted, 0
    admission = admit(candidates)
    for step_id in admission.granted:
        live, step = limited[step_id]
        granted.add((live.row.id, step.key))
    put_off = [
        _put_off(*limited[step_id], refusal.key, refusal.retry_in_s)
        for step_id, refusal in admission.refused.items()
    ]
    return granted, sum(put_off)


def _found(
    lives: Sequence[LiveRun], offered: Sequence[Offer]
) -> Iterator[tuple[LiveRun, StepState]]:
    """The steps of the runs that are locked, in the order in which they are due."""
    known = {live.row.id: live for live in lives}
    for run_id, keys in _by_run(offered).items():
        if run_id in known:
            known[run_id].steps.prefetch(keys)
    for run_id, key in offered:
        if (live := known.get(run_id)) is not None:
            yield live, live.steps.get(key)


def _put_off(live: LiveRun, step: StepState, key: str, retry_in_s: float | None) -> bool:
    """Note what a step waits for; tells whether that is news."""
    if retry_in_s is not None:
        step.not_before = live.now + timedelta(seconds=retry_in_s)
    elif step.limited_by == key:
        return False
    step.limited_by = key
    live.draft.steps[step.key] = step
    return True


def _is_computed_here(live: LiveRun, key: Key) -> bool:
    return live.computes and live.plan.nodes[key.no].inline


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
