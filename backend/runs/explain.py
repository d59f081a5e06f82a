"""Why a step is not running: which inputs, which place in which queue, until when."""

from typing import Any

from backend.engine.state import StepStatus
from backend.runs.models import Step
from backend.runs.plans import plan_of


def why_waiting(step: Step) -> dict[str, Any] | None:
    """Say why a step does not run now, as data and in words; none if it runs or has ended."""
    match StepStatus(step.status):
        case StepStatus.PENDING:
            return _inputs(step)
        case StepStatus.READY:
            return _turn(step)
        case StepStatus.HELD:
            return {"cause": "held", "text": step.reason}
        case StepStatus.WAITING:
            return _outside(step)
        case StepStatus.RUNNING if hasattr(step, "container"):
            return _items(step)
        case _:
            return None


def _turn(step: Step) -> dict[str, Any]:
    if step.limited_by:
        return _limit(step)
    if step.not_before is not None:
        again = step.not_before.isoformat()
        text = f"It failed {step.failures} times and is tried again at {again}."
        return {"cause": "retry", "until": again, "text": text}
    return _place(step)


def _outside(step: Step) -> dict[str, Any]:
    until = step.waiting_until.isoformat() if step.waiting_until else None
    if step.child_run_id is not None:
        text = "It waits for the run of another workflow."
        return {"cause": "workflow", "run_id": str(step.child_run_id), "text": text}
    if step.awaits_signal:
        text = "It waits for its signal" + (f", until {until}." if until else ".")
        return {"cause": "signal", "until": until, "text": text}
    return {"cause": "time", "until": until, "text": f"It waits until {until}."}


def _limit(step: Step) -> dict[str, Any]:
    until = step.not_before.isoformat() if step.not_before else None
    text = f"The limit of {step.limited_by} has no room for it now"
    text += f"; it is looked at again at {until}." if until else "."
    return {"cause": "limit", "limit": step.limited_by, "until": until, "text": text}


def _items(step: Step) -> dict[str, Any] | None:
    state = step.container
    under_way = state.begun - state.done - state.failed
    text = f"{under_way} of its items are under way, and {state.done + state.failed} have ended."
    return {"cause": "items", "text": text}


def _inputs(step: Step) -> dict[str, Any]:
    plan = plan_of(step.run.graph_id)
    sources = list(dict.fromkeys(edge.source for edge in plan.incoming[step.no]))
    open_ones = (
        Step.objects.filter(run_id=step.run_id, scope=step.scope, no__in=sources)
        .exclude(status__in=["succeeded", "failed", "skipped", "cancelled"])
        .order_by("no")
        .values_list("node", flat=True)
    )
    names = list(open_ones)
    shown = [plan.by_id[name].label or name for name in names]
    return {"cause": "inputs", "nodes": names, "text": f"It needs {_listed(shown)}."}


def _place(step: Step) -> dict[str, Any]:
    ahead = Step.objects.filter(
        lane=step.lane,
        workspace_id=step.workspace_id,
        status=StepStatus.READY,
        priority__gt=step.priority,
    ).count()
    text = f"It waits for a free slot of the lane {step.lane}; {ahead} steps go before it."
    return {"cause": "slot", "lane": step.lane, "ahead": ahead, "text": text}


def _listed(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names) or "nothing more; it starts in a moment"
    return f"{', '.join(names[:-1])} and {names[-1]}"
