"""Ending a run before its time."""

from typing import ClassVar
from uuid import UUID

from backend.engine.errors import DomainError
from backend.engine.state import RunStatus
from backend.engine.step_state import RunEnd
from backend.runs.services.follow_up import end_run


class RunNotCancellable(DomainError):
    """The run has already ended."""

    code: ClassVar[str] = "run_ended"
    status: ClassVar[int] = 409


def cancel_run(run_id: UUID, *, reason: str) -> None:
    """Cancel a run: steps that wait end now, running ones are stopped and their results refused.

    Raises:
        RunNotCancellable: It has ended, perhaps in this very moment.
    """
    if not end_run(run_id, RunEnd(RunStatus.CANCELLED, reason=reason), reason):
        raise RunNotCancellable("The run has already ended; there is nothing to cancel.")


def fail_run(run_id: UUID, *, code: str, message: str) -> None:
    """Fail a run from outside, as when its deadline has passed; does nothing if it has ended."""
    error = {"code": code, "message": message, "retryable": False, "node_id": None}
    end_run(run_id, RunEnd(RunStatus.FAILED, error), message)
