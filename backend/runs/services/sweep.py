"""The sweeper: what nobody else will finish. Every process may run it, several at once too."""

import contextlib
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import InterfaceError, OperationalError, transaction

from backend.api.sql import execute, query
from backend.engine import events
from backend.engine.advance import Pass
from backend.engine.outcomes import Failed, Outcome, Succeeded
from backend.engine.plan import Key
from backend.engine.state import StepStatus
from backend.engine.step_state import StepState
from backend.runs import dispatch
from backend.runs.inline import ComputeFactory, inline_evaluation, no_inline
from backend.runs.live import LiveRun
from backend.runs.models import WorkerSession
from backend.runs.plans import plan_of
from backend.runs.prepare import Resolve
from backend.runs.services.cancel import fail_run
from backend.runs.services.follow_up import deliver_kept, follow_up, sweep_calls
from backend.runs.transaction import lock_runs, store

logger = logging.getLogger(__name__)

#: Losses after which a step is taken to kill its workers.
MAX_LOSSES = 3
#: Steps that one sweep brings back.
BATCH = 500

DEAD_SESSIONS = """
UPDATE runs_workersession SET state = 'dead'
WHERE id IN (
    SELECT id FROM runs_workersession
    WHERE state IN ('alive', 'stopping') AND expires_at < clock_timestamp()
    ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 50)
"""
# Also steps of sessions that ended earlier: the process that swept may have died in between.
# Containers run without a lease: it is what is inside them that a process runs.
ORPHANS = """
SELECT s.run_id, s.scope, s.no
FROM runs_step s LEFT JOIN runs_workersession w ON w.id = s.session_id
WHERE s.status = 'running' AND s.lease_id IS NOT NULL
AND (w.id IS NULL OR w.state IN ('dead', 'stopped')) LIMIT %s
"""
DUE = """
SELECT run_id, scope, no FROM runs_step
WHERE status = 'waiting' AND waiting_until <= clock_timestamp() ORDER BY waiting_until LIMIT %s
"""
RINGABLE = """
SELECT DISTINCT lane FROM runs_step
WHERE status = 'ready' AND COALESCE(not_before, ready_at) < clock_timestamp() - interval '1 second'
"""
QUEUED_TOO_LONG = """
SELECT run_id, scope, no FROM runs_step
WHERE status = 'ready' AND queue_until <= clock_timestamp() ORDER BY queue_until LIMIT %s
"""
OVERDUE = """
SELECT id FROM runs_run
WHERE deadline_at <= clock_timestamp() AND status IN ('queued', 'running', 'paused') LIMIT 100
"""
STUCK = """
SELECT r.id FROM runs_run r
WHERE r.status IN ('queued', 'running') AND r.unfinished_at IS NULL
AND r.created_at < clock_timestamp() - interval '10 seconds'
AND NOT EXISTS (
    SELECT 1 FROM runs_step s
    WHERE s.run_id = r.id AND (s.status IN ('ready', 'waiting', 'held')
        OR s.status = 'running' AND s.lease_id IS NOT NULL)) LIMIT 20
"""
UNFINISHED = """
SELECT 1 FROM runs_run WHERE unfinished_at < clock_timestamp() - interval '1 second' LIMIT 1
"""


@dataclass
class Swept:
    """What a sweep found."""

    dead_sessions: int = 0
    recovered: int = 0
    woken: int = 0
    answered: int = 0
    queued_too_long: int = 0
    overdue: int = 0
    unstuck: int = 0


def sweep(*, resolve: Resolve | None = None) -> Swept:
    """Do all of it once: dead processes, due waits, deadlines, stuck runs, doorbells."""
    swept = Swept()
    swept.dead_sessions = execute(DEAD_SESSIONS)
    swept.recovered = recover_lost()
    swept.woken = wake_due(resolve=resolve)
    swept.answered = sweep_calls(limit=BATCH, resolve=resolve) + deliver_kept(limit=BATCH)
    swept.queued_too_long = fail_queued_too_long()
    swept.overdue = fail_overdue()
    swept.unstuck = unstick()
    lanes = {row[0] for row in query(RINGABLE)}
    if query(UNFINISHED):
        lanes.add("io")
    dispatch.announce(lanes=lanes)
    return swept


def recover_lost() -> int:
    """Give the steps of dead processes back; a step that lost too many is quarantined."""
    return _transition(_steps(ORPHANS), _recover, no_inline)


def release(steps: Mapping[tuple[UUID, Key], str], *, count_loss: bool = False) -> int:
    """Give back steps that this process claimed and will not finish.

    `steps` maps run and step to the lease. With `count_loss` each counts as lost, so that a
    step which cannot be finished is not tried for ever.
    """

    def give_back(live: LiveRun, current: Pass, step: StepState) -> Outcome | None:
        if step.status is not StepStatus.RUNNING or step.lease_id != steps[live.row.id, step.key]:
            return None
        if count_loss:
            return _lose(live, current, step)
        current.note(events.STEP_READY, step)
        current.offer_again(step)
        return None

    return _transition(list(steps), give_back, no_inline, wait=True)


def wake_due(*, resolve: Resolve | None) -> int:
    """Finish the waits whose time has come."""
    return wake(_steps(DUE), resolve=resolve)


def wake(steps: Sequence[tuple[UUID, Key]], *, resolve: Resolve | None) -> int:
    """Finish waits (pairs of run and step), if their time has come."""
    compute = inline_evaluation(resolve) if resolve else no_inline
    return _transition(steps, _wake, compute, wait=True)


def fail_queued_too_long() -> int:
    """Fail the steps that waited for a worker longer than their policy allows."""
    return _transition(_steps(QUEUED_TOO_LONG), _fail_queued, no_inline)


def fail_overdue() -> int:
    """Fail the runs whose deadline has passed."""
    failed = 0
    for (run_id,) in query(OVERDUE):
        with _apart(run_id):
            fail_run(
                run_id,
                code="deadline_exceeded",
                message="The run did not end before its deadline; what was left is cancelled.",
            )
            failed += 1
    return failed


@contextlib.contextmanager
def _apart(run_id: UUID) -> Iterator[None]:
    """Let the other runs go on when one of them is broken."""
    try:
        yield
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        logger.exception("run_not_swept", extra={"run": str(run_id)})


Act = Callable[[LiveRun, Pass, StepState], Outcome | None]


def _transition(
    steps: Sequence[tuple[UUID, Key]], act: Act, compute: ComputeFactory, *, wait: bool = False
) -> int:
    by_run: dict[UUID, list[Key]] = {}
    for run_id, key in steps:
        by_run.setdefault(run_id, []).append(key)
    done = 0
    for run_id, own in by_run.items():
        with _apart(run_id):
            done += _transition_one(run_id, own, act, compute, wait=wait)
    return done


def _transition_one(
    run_id: UUID, keys: Sequence[Key], act: Act, compute: ComputeFactory, *, wait: bool
) -> int:
    with transaction.atomic():
        runs = lock_runs([run_id], skip_locked=not wait)
        if not runs:
            return 0
        live = LiveRun(runs[0], plan_of(runs[0].graph_id), compute)
        live.steps.prefetch(keys)
        current = live.begin_pass()
        found = [(key, act(live, current, live.steps.get(key))) for key in keys]
        current.apply([(key, outcome) for key, outcome in found if outcome is not None])
        live.close_pass(current)
        changed = len(live.draft.steps)
        announcement = store([live])
    follow_up(announcement)
    return changed


def _recover(live: LiveRun, current: Pass, step: StepState) -> Outcome | None:
    if step.status is not StepStatus.RUNNING or step.lease_id is None or _session_lives(step):
        return None
    return _lose(live, current, step)


def _lose(live: LiveRun, current: Pass, step: StepState) -> Outcome | None:
    step.losses += 1
    worker = step.session_id
    current.note(events.STEP_LOST, step, {"losses": step.losses, "worker": worker})
    match live.plan.nodes[step.no].policy.on_lost:
        case "hold":
            current.hold(step, "Its worker was lost; it may have done what it does, or not.")
        case "fail":
            return Failed("worker_lost", "Its worker was lost, and its policy is not to try again.")
        case _ if step.losses >= MAX_LOSSES:
            return Failed(
                "worker_lost",
                f"{step.losses} workers died while they ran this step; it is not tried again. "
                "It may need more memory than a worker has.",
            )
        case _:
            current.offer_again(step)
    return None


def _session_lives(step: StepState) -> bool:
    # Looked up again under the run's lock: the step may have been claimed anew meanwhile.
    return (
        step.session_id is not None
        and WorkerSession.objects.filter(
            id=step.session_id, state__in=[WorkerSession.State.ALIVE, WorkerSession.State.STOPPING]
        ).exists()
    )


def _wake(live: LiveRun, _current: Pass, step: StepState) -> Outcome | None:
    due = step.waiting_until is not None and step.waiting_until <= live.now
    return woken(step) if step.status is StepStatus.WAITING and due else None


def woken(step: StepState) -> Outcome:
    """What becomes of a step whose time has come."""
    if step.awaits_signal:
        return Failed("signal_timeout", "Its signal did not come in time.")
    return Succeeded(None)


def _fail_queued(live: LiveRun, _current: Pass, step: StepState) -> Outcome | None:
    if step.status is not StepStatus.READY:
        return None
    limit = live.plan.nodes[step.no].policy.queue_timeout_s or 0.0
    return Failed("queue_timeout", f"No worker took it within {limit:g} s.", retryable=True)


def unstick() -> int:
    """Repair runs in which nothing moves: recount what each step waits for.

    No way is known that leads here; should one exist, the run goes on and the log says so.
    """
    repaired = 0
    for (run_id,) in query(STUCK):
        with _apart(run_id):
            repaired += _unstick_one(run_id)
    return repaired


def _unstick_one(run_id: UUID) -> int:
    with transaction.atomic():
        runs = lock_runs([run_id])
        if not runs:
            return 0
        live = LiveRun(runs[0], plan_of(runs[0].graph_id), no_inline)
        current = live.begin_pass()
        current.recount()
        current.resume()
        live.close_pass(current)
        # Whoever evaluates looks at it too, whatever this process could not do.
        live.unfinished = live.end is None
        announcement = store([live])
    follow_up(announcement)
    return 1


def _steps(statement: str) -> list[tuple[UUID, Key]]:
    return [(run_id, Key(scope, no)) for run_id, scope, no in query(statement, [BATCH])]
