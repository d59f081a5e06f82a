"""What happens in a run: event types, and the fold that turns a log into the run's state."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from backend.engine.state import RunStatus, StepStatus

RUN_CREATED = "run.created"
RUN_STARTED = "run.started"
RUN_SUCCEEDED = "run.succeeded"
RUN_FAILED = "run.failed"
RUN_CANCELLED = "run.cancelled"
RUN_PAUSED = "run.paused"
RUN_RESUMED = "run.resumed"
#: A run that had ended goes on from what succeeded.
RUN_RETRIED = "run.retried"
PLAN_PATCHED = "plan.patched"
STEP_READY = "step.ready"
STEP_STARTED = "step.started"
STEP_WAITING = "step.waiting"
STEP_SUCCEEDED = "step.succeeded"
STEP_FAILED = "step.failed"
STEP_RETRYING = "step.retrying"
STEP_LOST = "step.lost"
STEP_SKIPPED = "step.skipped"
STEP_CANCELLED = "step.cancelled"
#: A worker was lost that ran the step, and a person decides whether it may run again.
STEP_HELD = "step.held"
#: How many items or rounds of a container have ended.
STEP_PROGRESS = "step.progress"
#: The step waits for its inputs again: its run is retried, or a change gave it other ones.
STEP_REOPENED = "step.reopened"

RUN_STATUS_AFTER: Mapping[str, RunStatus] = {
    RUN_CREATED: RunStatus.QUEUED,
    RUN_STARTED: RunStatus.RUNNING,
    RUN_SUCCEEDED: RunStatus.SUCCEEDED,
    RUN_FAILED: RunStatus.FAILED,
    RUN_CANCELLED: RunStatus.CANCELLED,
    RUN_PAUSED: RunStatus.PAUSED,
    RUN_RESUMED: RunStatus.RUNNING,
    RUN_RETRIED: RunStatus.RUNNING,
}
STEP_STATUS_AFTER: Mapping[str, StepStatus] = {
    STEP_READY: StepStatus.READY,
    STEP_STARTED: StepStatus.RUNNING,
    STEP_WAITING: StepStatus.WAITING,
    STEP_SUCCEEDED: StepStatus.SUCCEEDED,
    STEP_FAILED: StepStatus.FAILED,
    STEP_RETRYING: StepStatus.READY,
    STEP_LOST: StepStatus.READY,
    STEP_SKIPPED: StepStatus.SKIPPED,
    STEP_CANCELLED: StepStatus.CANCELLED,
    STEP_HELD: StepStatus.HELD,
    STEP_PROGRESS: StepStatus.RUNNING,
    STEP_REOPENED: StepStatus.PENDING,
}


@dataclass(frozen=True, kw_only=True)
class Event:
    """One entry of a run's log; `seq` counts from 1 without gaps."""

    seq: int
    type: str
    at: datetime
    step_id: str | None = None
    node: str | None = None
    path: str | None = None
    attempt: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The event as the API and the socket show it."""
        return {
            "seq": self.seq,
            "type": self.type,
            "at": self.at.isoformat(),
            "step_id": self.step_id,
            "node": self.node,
            "path": self.path,
            "attempt": self.attempt,
            "data": dict(self.data),
        }


@dataclass(frozen=True)
class StepView:
    """What a log tells about one step."""

    id: str
    path: str
    status: StepStatus = StepStatus.PENDING
    attempt: int = 0
    ready_at: datetime | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    ports: tuple[str, ...] = ()
    error: Mapping[str, Any] | None = None
    reason: str | None = None
    #: Of a container: items or rounds that ended, failed, and are to be done.
    progress: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class RunView:
    """What a log tells about a run; steps by id."""

    status: RunStatus = RunStatus.QUEUED
    seq: int = 0
    steps: Mapping[str, StepView] = field(default_factory=dict)
    outputs: Mapping[str, Any] | None = None
    error: Mapping[str, Any] | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None


def fold(events: Iterable[Event], view: RunView | None = None) -> RunView:
    """Apply events in order; those the view has already seen change nothing."""
    view = view or RunView()
    for event in events:
        view = apply(view, event)
    return view


def apply(view: RunView, event: Event) -> RunView:
    """The view after one more event."""
    if event.seq <= view.seq:
        return view
    view = replace(view, seq=event.seq)
    if event.type in RUN_STATUS_AFTER:
        return _apply_to_run(view, event)
    if event.type == PLAN_PATCHED:
        added = {i: StepView(i, path) for path, i in event.data.get("added", {}).items()}
        return replace(view, steps={**view.steps, **added})
    if event.type in STEP_STATUS_AFTER and event.step_id is not None:
        step = view.steps.get(event.step_id) or StepView(event.step_id, event.path or "")
        return replace(view, steps={**view.steps, step.id: _apply_to_step(step, event)})
    return view


def _apply_to_run(view: RunView, event: Event) -> RunView:
    view = replace(view, status=RUN_STATUS_AFTER[event.type])
    match event.type:
        case "run.created":
            steps = {i: StepView(i, path) for path, i in event.data.get("steps", {}).items()}
            return replace(view, steps=steps)
        case "run.started":
            return replace(view, started_at=event.at)
        case "run.paused" | "run.resumed":
            return view
        case "run.retried":
            return replace(view, finished_at=None, error=None)
        case _:
            return replace(
                view,
                finished_at=event.at,
                outputs=event.data.get("outputs"),
                error=event.data.get("error"),
            )


def _apply_to_step(step: StepView, event: Event) -> StepView:
    status = STEP_STATUS_AFTER[event.type]
    step = replace(step, status=status, attempt=event.attempt or step.attempt)
    match event.type:
        case "step.ready" | "step.lost":
            return replace(step, ready_at=event.at)
        case "step.started":
            return replace(step, started_at=event.at, error=None)
        case "step.retrying":
            return replace(step, ready_at=event.at, error=event.data.get("error"))
        case "step.waiting":
            return step
        case "step.held":
            return replace(step, reason=event.data.get("reason"))
        case "step.progress":
            return replace(step, progress=event.data)
        case "step.reopened":
            return StepView(step.id, step.path, attempt=step.attempt, progress=step.progress)
        case _:
            return replace(
                step,
                finished_at=event.at,
                ports=tuple(event.data.get("ports", ())),
                error=event.data.get("error"),
                reason=event.data.get("reason"),
                progress=event.data.get("progress", step.progress),
            )
