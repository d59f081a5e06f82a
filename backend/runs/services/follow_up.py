"""What the end of a run, or of a step, means for the runs that stand above and below it."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from backend.api.sql import query
from backend.engine.outcomes import Failed, Outcome, Succeeded
from backend.engine.plan import Key
from backend.engine.state import FINAL_RUN, RunStatus, StepStatus
from backend.engine.step_state import RunEnd
from backend.runs.inline import ComputeFactory, inline_evaluation, no_inline
from backend.runs.live import LiveRun
from backend.runs.models import Run
from backend.runs.plans import plan_of, plan_to_end_by
from backend.runs.prepare import Resolve
from backend.runs.read import outputs_of
from backend.runs.taken import Announcement
from backend.runs.transaction import lock_runs, store

#: Calls whose run has ended, although nobody has told their step yet.
UNANSWERED = """
SELECT s.run_id, s.id FROM runs_step s JOIN runs_run r ON r.id = s.child_run_id
WHERE s.status = 'waiting' AND r.status IN ('succeeded', 'failed', 'cancelled') LIMIT %s
"""
#: Runs whose step has ended without them.
ORPHANS = """
SELECT r.id FROM runs_run r JOIN runs_step s ON s.id = r.parent_step_id
WHERE r.status IN ('queued', 'running', 'paused')
AND s.status IN ('succeeded', 'failed', 'skipped', 'cancelled') LIMIT %s
"""
NOT_NEEDED = "The step that this run worked for ended without it."


def follow_up(announcement: Announcement, *, resolve: Resolve | None = None) -> None:
    """Announce what was committed, end runs that nobody waits for, and answer callers.

    The sweeper does what a process that dies meanwhile leaves.
    """
    announcement.send()
    for run_id in announcement.orphans:
        end_run(run_id, RunEnd(RunStatus.CANCELLED, reason=NOT_NEEDED), NOT_NEEDED)
    if announcement.callers:
        answer(announcement.callers, resolve=resolve)
    for run_id in announcement.parked:
        deliver_kept(run_id)


KEPT = """
SELECT s.run_id, s.scope, s.no, g.payload FROM runs_step s
JOIN runs_signal g ON g.run_id = s.run_id AND g.path = s.path
WHERE s.status = 'waiting' AND s.awaits_signal AND (%(run)s::uuid IS NULL OR s.run_id = %(run)s)
LIMIT %(limit)s
"""


def deliver_kept(run_id: UUID | None = None, *, limit: int = 500) -> int:
    """Let steps go on whose signal came before they waited; of one run, or of all."""
    found = query(KEPT, {"run": run_id, "limit": limit})
    for owner, scope, no, payload in found:
        with transaction.atomic():
            runs = lock_runs([owner])
            if not runs:
                continue
            live = LiveRun(runs[0], plan_of(runs[0].graph_id), no_inline)
            step = live.steps.get(Key(scope, no))
            if step.status is StepStatus.WAITING and step.awaits_signal:
                live.apply([(step.key, Succeeded(payload))])
            announcement = store([live])
        follow_up(announcement)
    return len(found)


def end_run(run_id: UUID, end: RunEnd, reason: str) -> bool:
    """End a run from outside; false if it has ended already."""
    with transaction.atomic():
        runs = lock_runs([run_id])
        if not runs:
            return False
        live = LiveRun(runs[0], plan_to_end_by(runs[0].graph_id), no_inline)
        live.finish(end, reason)
        announcement = store([live])
    follow_up(announcement)
    return True


def answer(callers: Sequence[tuple[UUID, UUID]], *, resolve: Resolve | None = None) -> None:
    """Finish steps (pairs of run and step) whose workflow has ended, with its outputs."""
    compute = inline_evaluation(resolve) if resolve else no_inline
    for run_id, step_id in callers:
        with transaction.atomic():
            announcement = _answer(run_id, step_id, compute)
        if announcement is not None:
            follow_up(announcement, resolve=resolve)


def _answer(run_id: UUID, step_id: UUID, compute: ComputeFactory) -> Announcement | None:
    runs = lock_runs([run_id])
    found = query("SELECT scope, no FROM runs_step WHERE id = %s", [step_id])
    if not runs or not found:
        return None
    live = LiveRun(runs[0], plan_of(runs[0].graph_id), compute)
    step = live.steps.get(Key(*found[0]))
    if step.status is not StepStatus.WAITING or step.child_run_id is None:
        return None
    child = Run.objects.select_related("workflow").get(id=step.child_run_id)
    if child.status not in FINAL_RUN:
        return None
    live.apply([(step.key, outcome_of(child))])
    return store([live])


def outcome_of(child: Run) -> Outcome:
    """What a run that has ended is to the step that it ran for."""
    if child.status == RunStatus.SUCCEEDED:
        return Succeeded(outputs_of(child) or {})
    if child.status == RunStatus.CANCELLED:
        return Failed("workflow_cancelled", f"The run of {child.workflow.name} was cancelled.")
    error = child.error or {}
    return Failed(
        str(error.get("code", "workflow_failed")),
        f"{child.workflow.name}: {error.get('message', 'It failed.')}",
        retryable=bool(error.get("retryable")),
    )


def sweep_calls(*, limit: int, resolve: Resolve | None) -> int:
    """Answer and end what was left by processes that died."""
    callers = [(run_id, step_id) for run_id, step_id in query(UNANSWERED, [limit])]
    answer(callers, resolve=resolve)
    orphans = [row[0] for row in query(ORPHANS, [limit])]
    for run_id in orphans:
        end_run(run_id, RunEnd(RunStatus.CANCELLED, reason=NOT_NEEDED), NOT_NEEDED)
    return len(callers) + len(orphans)
