"""Ending a run before its time."""

from typing import ClassVar
from uuid import UUID

from django.db import transaction

from backend.engine.advance import RunEnd
from backend.engine.errors import DomainError
from backend.engine.state import RunStatus
from backend.runs.plans import plan_of
from backend.runs.transaction import Announcement, RunChange, lock_runs, no_inline, store


class RunNotCancellable(DomainError):
    """The run has already ended."""

    code: ClassVar[str] = "run_ended"
    status: ClassVar[int] = 409


def cancel_run(run_id: UUID, *, reason: str) -> None:
    """Cancel a run: steps that wait end now, running ones are stopped and their results refused.

    Raises:
        RunNotCancellable: It has ended, perhaps in this very moment.
    """
    with transaction.atomic():
        announcement = _end(run_id, RunEnd(RunStatus.CANCELLED, reason=reason), reason)
    if announcement is None:
        raise RunNotCancellable("The run has already ended; there is nothing to cancel.")
    announcement.send()


def fail_run(run_id: UUID, *, code: str, message: str) -> None:
    """Fail a run from outside, as when its deadline has passed; does nothing if it has ended."""
    error = {"code": code, "message": message, "retryable": False, "node_id": None}
    with transaction.atomic():
        announcement = _end(run_id, RunEnd(RunStatus.FAILED, error), message)
    if announcement is not None:
        announcement.send()


def _end(run_id: UUID, end: RunEnd, reason: str) -> Announcement | None:
    runs = lock_runs([run_id])
    if not runs:
        return None
    change = RunChange(runs[0], plan_of(runs[0].graph_id), no_inline)
    change.pass_.finish(end, reason)
    return store([change])
