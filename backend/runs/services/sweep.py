"""The sweeper: what nobody else will finish. Every process may run it, several at once too."""

import contextlib
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import InterfaceError, OperationalError, transaction

from backend.engine import events
from backend.engine.advance import EventDraft, StepState
from backend.engine.outcomes import Failed, Outcome, Succeeded
from backend.engine.state import StepStatus
from backend.runs import dispatch
from backend.runs.inline import inline_evaluation
from backend.runs.models import WorkerSession
from backend.runs.plans import plan_of
from backend.runs.prepare import Resolve
from backend.runs.services.cancel import fail_run
from backend.runs.sql import execute, query
from backend.runs.transaction import (
    InlineFactory,
    RunChange,
    lock_runs,
    no_inline,
    store,
)

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
ORPHANS = """
SELECT s.run_id, s.no FROM runs_step s LEFT JOIN runs_workersession w ON w.id = s.session_id
WHERE s.status = 'running' AND (w.id IS NULL OR w.state IN ('dead', 'stopped')) LIMIT %s
"""
DUE = """
SELECT run_id, no FROM runs_step
WHERE status = 'waiting' AND waiting_until <= clock_timestamp() ORDER BY waiting_until LIMIT %s
"""
RINGABLE = """
SELECT DISTINCT lane FROM runs_step
WHERE status = 'ready' AND COALESCE(not_before, ready_at) < clock_timestamp() - interval '1 second'
"""
OVERDUE = """
SELECT id FROM runs_run
WHERE deadline_at <= clock_timestamp() AND status IN ('queued', 'running', 'paused') LIMIT 100
"""
STUCK = """
SELECT r.id FROM runs_run r
WHERE r.status IN ('queued', 'running') AND r.created_at < clock_timestamp() - interval '10 seconds'
AND NOT EXISTS (
    SELECT 1 FROM runs_step s
    WHERE s.run_id = r.id AND s.status IN ('ready', 'running', 'waiting', 'held')) LIMIT 20
"""


@dataclass
class Swept:
    """What a sweep found."""

    dead_sessions: int = 0
    recovered: int = 0
    woken: int = 0
    overdue: int = 0
    unstuck: int = 0


def sweep(*, resolve: Resolve | None = None) -> Swept:
    """Do all of it once: dead processes, due waits, deadlines, stuck runs, doorbells."""
    swept = Swept()
    swept.dead_sessions = execute(DEAD_SESSIONS)
    swept.recovered = recover_lost()
    swept.woken = wake_due(resolve=resolve)
    swept.overdue = fail_overdue()
    swept.unstuck = unstick()
    dispatch.announce(lanes=[row[0] for row in query(RINGABLE)])
    return swept


def recover_lost() -> int:
    """Give the steps of dead processes back; a step that lost too many is quarantined."""
    return _transition(_steps(ORPHANS), _recover, no_inline)


def release(steps: Mapping[tuple[UUID, int], str], *, count_loss: bool = False) -> int:
    """Give back steps that this process claimed and will not finish.

    `steps` maps run and step number to the lease. With `count_loss` each counts as lost, so that a
    step which cannot be finished is not tried for ever.
    """

    def give_back(change: RunChange, step: StepState) -> Outcome | None:
        if step.status is not StepStatus.RUNNING or step.lease_id != steps[change.run.id, step.no]:
            return None
        if count_loss:
            return _lose(change, step)
        change.pass_.events.append(EventDraft(events.STEP_READY, step.no, step.attempt))
        change.pass_.offer_again(step)
        return None

    return _transition(list(steps), give_back, no_inline, wait=True)


def wake_due(*, resolve: Resolve | None) -> int:
    """Finish the waits whose time has come."""
    return wake(_steps(DUE), resolve=resolve)


def wake(steps: Sequence[tuple[UUID, int]], *, resolve: Resolve | None) -> int:
    """Finish waits (pairs of run and step number), if their time has come."""
    evaluate = inline_evaluation(resolve) if resolve else no_inline
    return _transition(steps, _wake, evaluate, wait=True)


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


def _transition(
    steps: Sequence[tuple[UUID, int]],
    act: Callable[[RunChange, StepState], Outcome | None],
    evaluate: InlineFactory,
    *,
    wait: bool = False,
) -> int:
    numbers: dict[UUID, list[int]] = {}
    for run_id, no in steps:
        numbers.setdefault(run_id, []).append(no)
    done = 0
    for run_id, own in numbers.items():
        with _apart(run_id):
            done += _transition_one(run_id, own, act, evaluate, wait=wait)
    return done


def _transition_one(
    run_id: UUID,
    numbers: Sequence[int],
    act: Callable[[RunChange, StepState], Outcome | None],
    evaluate: InlineFactory,
    *,
    wait: bool,
) -> int:
    with transaction.atomic():
        runs = lock_runs([run_id], skip_locked=not wait)
        if not runs:
            return 0
        change = RunChange(runs[0], plan_of(runs[0].graph_id), evaluate)
        change.steps.prefetch(numbers)
        found = [(no, act(change, change.steps.get(no))) for no in numbers]
        change.apply([(no, outcome) for no, outcome in found if outcome is not None])
        announcement = store([change])
    announcement.send()
    return len(change.pass_.changed)


def _recover(change: RunChange, step: StepState) -> Outcome | None:
    if step.status is not StepStatus.RUNNING or _session_lives(step):
        return None
    return _lose(change, step)


def _lose(change: RunChange, step: StepState) -> Outcome | None:
    step.losses += 1
    if step.losses >= MAX_LOSSES:
        return Failed(
            "worker_lost",
            f"{step.losses} workers died while they ran this step; it is not tried again. "
            "It may need more memory than a worker has.",
        )
    change.pass_.events.append(
        EventDraft(
            events.STEP_LOST,
            step.no,
            step.attempt,
            {"losses": step.losses, "worker": step.session_id},
        )
    )
    change.pass_.offer_again(step)
    return None


def _session_lives(step: StepState) -> bool:
    # Looked up again under the run's lock: the step may have been claimed anew meanwhile.
    return (
        step.session_id is not None
        and WorkerSession.objects.filter(
            id=step.session_id, state__in=[WorkerSession.State.ALIVE, WorkerSession.State.STOPPING]
        ).exists()
    )


def _wake(change: RunChange, step: StepState) -> Outcome | None:
    due = step.waiting_until is not None and step.waiting_until <= change.run.now
    return Succeeded(None) if step.status is StepStatus.WAITING and due else None


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
        change = RunChange(runs[0], plan_of(runs[0].graph_id), no_inline)
        change.pass_.recount()
        announcement = store([change])
    announcement.send()
    return 1


def _steps(statement: str) -> list[tuple[UUID, int]]:
    return [(run_id, no) for run_id, no in query(statement, [BATCH])]
