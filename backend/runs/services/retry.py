"""Going on with a run that failed or was cancelled, from what succeeded."""

from typing import ClassVar
from uuid import UUID

from django.db import transaction

from backend.api.sql import execute, query
from backend.engine import events
from backend.engine.errors import DomainError
from backend.engine.state import RunStatus
from backend.engine.step_state import EventDraft
from backend.limits.open_work import refuse_when_full
from backend.runs.inline import no_inline
from backend.runs.live import LiveRun
from backend.runs.plans import plan_of
from backend.runs.services.follow_up import follow_up
from backend.runs.transaction import ENDED, lock_runs, store

# The time that the run was given counts anew.
NEW_DEADLINE = """
UPDATE runs_run SET deadline_at = clock_timestamp() + (deadline_at - created_at)
WHERE id = %s AND deadline_at IS NOT NULL
"""
CHILDREN = """
SELECT child_run_id FROM runs_step
WHERE run_id = %s AND status = 'waiting' AND child_run_id IS NOT NULL
"""


class RunNotRetryable(DomainError):
    """The run has not failed, and was not cancelled."""

    code: ClassVar[str] = "not_retryable"
    status: ClassVar[int] = 409


def retry_run(run_id: UUID, *, workspace_id: UUID) -> None:
    """Let a run go on: steps that succeeded keep their results, all others wait once more.

    Workflows that it called go on likewise. A process that dies in between leaves them failed, and
    the run then fails again.

    Raises:
        RunNotRetryable: It runs, or has succeeded.
        TooMuchOpenWork: The workspace has too much unfinished.
    """
    refuse_when_full(workspace_id)
    with transaction.atomic():
        runs = lock_runs([run_id], statuses=ENDED)
        if not runs:
            raise RunNotRetryable("Only a run that failed or was cancelled can be retried.")
        live = LiveRun(runs[0], plan_of(runs[0].graph_id), no_inline)
        live.status = RunStatus.RUNNING
        live.draft.events.append(EventDraft(events.RUN_RETRIED, live.now))
        current = live.begin_pass()
        current.reopen()
        live.close_pass(current)
        announcement = store([live])
        execute(NEW_DEADLINE, [run_id])
        children = [row[0] for row in query(CHILDREN, [run_id])]
    follow_up(announcement)
    for child in children:
        _retry_child(child, workspace_id)


def _retry_child(run_id: UUID, workspace_id: UUID) -> None:
    try:
        retry_run(run_id, workspace_id=workspace_id)
    except RunNotRetryable:
        # It goes on already, or has succeeded meanwhile; the sweeper answers its caller.
        return
