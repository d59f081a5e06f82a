"""What is counted about runs for those who read them: times, tokens, steps by state."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.utils import timezone

from backend.api.sql import query
from backend.engine.critical_path import critical_path, span
from backend.engine.plan import ROOT_SCOPE, Plan
from backend.engine.state import StepStatus

#: The work of these is that of the steps inside, which are counted themselves.
CONTAINERS = ["flow.loop", "flow.map"]
TOTALS = """
SELECT run_id, status, count(*), COALESCE(sum(
    EXTRACT(epoch FROM COALESCE(parked_at, finished_at, %(now)s) - started_at))
    FILTER (WHERE kind <> ALL(%(containers)s)), 0)
FROM runs_step WHERE run_id = ANY(%(runs)s) AND scope >= %(from)s GROUP BY run_id, status
"""
USAGE = """
SELECT run_id, usage FROM runs_step
WHERE run_id = ANY(%(runs)s) AND usage IS NOT NULL AND scope >= %(from)s
"""


#: What the steps inside containers waited for.
WAITED_INSIDE = """
SELECT COALESCE(sum(waited_slot_s), 0), COALESCE(sum(waited_limit_s), 0),
    COALESCE(sum(waited_retry_s), 0)
FROM runs_step WHERE run_id = %s AND scope > 0
"""


class StepTimes(NamedTuple):
    """What is counted about one step that stands in no container; moments are in Unix seconds.

    Numbers are read in a tenth of the time that dates with their zone take.
    """

    no: int
    status: str
    ready_at: float | None
    started_at: float | None
    finished_at: float | None
    parked_at: float | None
    usage: Mapping[str, Any] | None
    waited_slot_s: float
    waited_limit_s: float
    waited_retry_s: float


@dataclass
class Waited:
    """Seconds for which steps waited, by cause, summed over a run's steps.

    For inputs the steps at the top are counted, from the run's start until they were ready.
    """

    inputs_s: float = 0.0
    slot_s: float = 0.0
    limit_s: float = 0.0
    retry_s: float = 0.0

    def add(self, *, slot_s: float, limit_s: float, retry_s: float) -> None:
        """Add what steps waited for once they had their inputs."""
        self.slot_s += slot_s
        self.limit_s += limit_s
        self.retry_s += retry_s


@dataclass
class Figures:
    """The figures of one run."""

    steps: Counter[str] = field(default_factory=Counter)
    work_s: float = 0.0
    usage: dict[str, Any] | None = None
    critical_path: list[str] | None = None
    span_s: float | None = None
    waited: Waited = field(default_factory=Waited)


def figures_of(run_ids: Iterable[UUID]) -> dict[UUID, Figures]:
    """Count for many runs at once."""
    figures = {run_id: Figures() for run_id in run_ids}
    _add_steps(figures, first_scope=ROOT_SCOPE)
    return figures


def _add_steps(figures: Mapping[UUID, Figures], *, first_scope: int) -> None:
    """Count the steps of these runs from a scope on."""
    parameters = {
        "runs": list(figures),
        "from": first_scope,
        "containers": CONTAINERS,
        "now": timezone.now(),
    }
    for run_id, status, count, seconds in query(TOTALS, parameters):
        figures[run_id].steps[status] += count
        figures[run_id].work_s += float(seconds)
    for run_id, usage in query(USAGE, parameters):
        figures[run_id].usage = add_usage(figures[run_id].usage, usage)


def figures_from(
    run_id: UUID, plan: Plan, steps: Sequence[StepTimes], *, began_at: datetime | None
) -> Figures:
    """Count one run's steps, and find the longest chain of those that stand in no container.

    `steps` are these; the others are added up by the database, if there can be any.
    """
    now = timezone.now().timestamp()
    began = began_at.timestamp() if began_at else None
    figures = Figures()
    if any(node.container for node in plan.nodes):
        _add_steps({run_id: figures}, first_scope=ROOT_SCOPE + 1)
        slot, limit, retry = query(WAITED_INSIDE, [run_id])[0]
        figures.waited.add(slot_s=slot, limit_s=limit, retry_s=retry)
    ended_at: dict[int, float] = {}
    seconds: dict[int, float] = {}
    for step in steps:
        _add_step(figures, step, began=began)
        if step.started_at is None:
            continue
        end = step.finished_at or now
        if not plan.nodes[step.no].container:
            figures.work_s += (step.parked_at or end) - step.started_at
        if step.status != StepStatus.CANCELLED:
            ended_at[step.no] = end
            seconds[step.no] = end - step.started_at
    figures.critical_path = [plan.nodes[no].id for no in critical_path(plan, ended_at)]
    figures.span_s = span(plan, seconds)
    return figures


def _add_step(figures: Figures, step: StepTimes, *, began: float | None) -> None:
    figures.steps[step.status] += 1
    if step.usage is not None:
        figures.usage = add_usage(figures.usage, step.usage)
    figures.waited.add(
        slot_s=step.waited_slot_s, limit_s=step.waited_limit_s, retry_s=step.waited_retry_s
    )
    if step.ready_at is not None and began is not None:
        figures.waited.inputs_s += max(0.0, step.ready_at - began)


def add_usage(total: Mapping[str, Any] | None, usage: Mapping[str, Any]) -> dict[str, Any]:
    """Add a step's usage. One unknown price makes the whole cost unknown, not zero."""
    if total is None:
        return dict(usage)
    costs = (total.get("cost"), usage.get("cost"))
    return {
        "input_tokens": total["input_tokens"] + usage["input_tokens"],
        "output_tokens": total["output_tokens"] + usage["output_tokens"],
        "cost": None if None in costs else sum(costs),
    }


def timings(
    figures: Figures, *, started_at: datetime | None, finished_at: datetime | None
) -> dict[str, float | None] | None:
    """The run's times in seconds; none before its first step starts."""
    if started_at is None:
        return None
    wall = ((finished_at or timezone.now()) - started_at).total_seconds()
    return {
        "wall_s": wall,
        "work_s": figures.work_s,
        "span_s": figures.span_s,
        "speed_up": figures.work_s / wall if wall > 0 else None,
    }
