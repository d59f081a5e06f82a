"""Runs and steps as JSON, key by key as their serializers describe them.

The serializers tell the API's description what comes; building the answers with them would take
most of a request's time.
"""

from collections.abc import Mapping
from typing import Any

from backend.engine.state import StepStatus
from backend.runs.figures import Figures, timings

ERROR = ("code", "message", "retryable", "node_id")
USAGE = ("input_tokens", "output_tokens", "cost")
#: Columns of a run that every list shows.
RUN = (
    "id",
    "workflow_id",
    "workflow__name",
    "version",
    "status",
    "error",
    "priority",
    "trigger",
    "created_by_id",
    "created_by__name",
    "created_by__email",
    "created_at",
    "started_at",
    "finished_at",
    "deadline_at",
    "event_seq",
    "parent_run_id",
    "plan_version",
)
STEP = (
    "id",
    "node",
    "path",
    "kind",
    "lane",
    "status",
    "attempt",
    "failures",
    "losses",
    "ready_at",
    "not_before",
    "waiting_until",
    "started_at",
    "finished_at",
    "ports",
    "error",
    "usage",
    "reason",
    "scope",
    "child_run_id",
    "container__total",
    "container__begun",
    "container__done",
    "container__failed",
    "output__preview",
    "output__size",
)
_AS_IT_IS = STEP[: STEP.index("error")]


def run_row(run: Mapping[str, Any], figures: Figures) -> dict[str, Any]:
    """A run as lists show it, from its columns in RUN."""
    counts = {status.value: figures.steps.get(status.value, 0) for status in StepStatus}
    times = timings(figures, started_at=run["started_at"], finished_at=run["finished_at"])
    return {
        "id": run["id"],
        "workflow_id": run["workflow_id"],
        "workflow_name": run["workflow__name"],
        "version": run["version"],
        "status": run["status"],
        "error": _picked(run["error"], ERROR),
        "usage": _picked(figures.usage, USAGE),
        "timings": times,
        "steps": {"total": sum(counts.values()), **counts},
        "priority": run["priority"],
        "trigger": run["trigger"],
        "created_by": _person(run),
        "created_at": run["created_at"],
        "started_at": run["started_at"],
        "finished_at": run["finished_at"],
        "deadline_at": run["deadline_at"],
        "seq": run["event_seq"],
        "parent_run_id": run["parent_run_id"],
        "plan_version": run["plan_version"],
    }


def step_row(step: Mapping[str, Any]) -> dict[str, Any]:
    """A step as lists show it, from its columns in STEP."""
    return {
        **{name: step[name] for name in _AS_IT_IS},
        "error": _picked(step["error"], ERROR),
        "usage": _picked(step["usage"], USAGE),
        "reason": step["reason"],
        "scope": step["scope"],
        "child_run_id": step["child_run_id"],
        "progress": _progress(step),
        "output_preview": step["output__preview"],
        "output_size": step["output__size"],
    }


def _person(run: Mapping[str, Any]) -> dict[str, Any] | None:
    if run["created_by_id"] is None:
        return None
    return {"id": run["created_by_id"], "name": run["created_by__name"] or run["created_by__email"]}


def _progress(step: Mapping[str, Any]) -> dict[str, Any] | None:
    """How far a map or loop has got; none of what is neither, or has not begun."""
    if step["container__begun"] is None:
        return None
    return {name: step[f"container__{name}"] for name in ("total", "begun", "done", "failed")}


def _picked(value: Mapping[str, Any] | None, keys: tuple[str, ...]) -> dict[str, Any] | None:
    return None if value is None else {key: value[key] for key in keys}
