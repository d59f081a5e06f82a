"""What is counted about runs for those who read them: times, tokens, steps by state."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from backend.api.sql import query
from backend.engine.critical_path import critical_path, span
from backend.runs.models import Run
from backend.runs.plans import plan_of

TOTALS = """
SELECT run_id, status, count(*),
    COALESCE(sum(EXTRACT(epoch FROM COALESCE(parked_at, finished_at, %(now)s) - started_at))
        FILTER (WHERE kind NOT IN ('flow.map', 'flow.loop')), 0)
FROM runs_step WHERE run_id = ANY(%(runs)s) GROUP BY run_id, status
"""
USAGE = "SELECT run_id, usage FROM runs_step WHERE run_id = ANY(%(runs)s) AND usage IS NOT NULL"
TIMES = """
SELECT no, EXTRACT(epoch FROM COALESCE(finished_at, %(now)s) - started_at),
    COALESCE(finished_at, %(now)s)
FROM runs_step
WHERE run_id = %(run)s AND scope = 0 AND started_at IS NOT NULL AND status <> 'cancelled'
"""
WAITED = """
SELECT COALESCE(sum(GREATEST(EXTRACT(epoch FROM s.ready_at - r.started_at), 0))
        FILTER (WHERE s.scope = 0), 0),
    COALESCE(sum(s.waited_slot_s), 0), COALESCE(sum(s.waited_limit_s), 0),
    COALESCE(sum(s.waited_retry_s), 0)
FROM runs_step s JOIN runs_run r ON r.id = s.run_id WHERE s.run_id = %s
"""


@dataclass
class Figures:
    """The figures of one run."""

    steps: dict[str, int] = field(default_factory=dict)
    work_s: float = 0.0
    usage: dict[str, Any] | None = None
    critical_path: list[str] | None = None
    span_s: float | None = None


def figures_of(runs: Iterable[Run]) -> dict[UUID, Figures]:
    """Count for many runs at once."""
    runs = list(runs)
    figures = {run.id: Figures() for run in runs}
    parameters = {"runs": list(figures), "now": timezone.now()}
    for run_id, status, count, seconds in query(TOTALS, parameters):
        figures[run_id].steps[status] = count
        figures[run_id].work_s += float(seconds)
    for run_id, usage in query(USAGE, parameters):
        figures[run_id].usage = add_usage(figures[run_id].usage, usage)
    return figures


def with_critical_path(run: Run, figures: Figures) -> Figures:
    """Add the longest chain of steps; this reads every step that ran."""
    plan = plan_of(run.graph_id)
    rows = query(TIMES, {"run": run.id, "now": timezone.now()})
    path = critical_path(plan, {no: ended_at for no, _, ended_at in rows})
    figures.critical_path = [plan.nodes[no].id for no in path]
    figures.span_s = span(plan, {no: float(seconds) for no, seconds, _ in rows})
    return figures


def waited(run: Run) -> dict[str, float]:
    """Seconds for which steps waited, by cause, summed over the run's steps.

    For inputs the steps at the top are counted, from the run's start until they were ready.
    """
    ((inputs, slot, limit, retry),) = query(WAITED, [run.id])
    return {
        "inputs_s": float(inputs),
        "slot_s": float(slot),
        "limit_s": float(limit),
        "retry_s": float(retry),
    }


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


def timings(run: Run, figures: Figures) -> dict[str, float | None] | None:
    """The run's times in seconds; none before its first step starts."""
    if run.started_at is None:
        return None
    wall = (_end(run) - run.started_at).total_seconds()
    return {
        "wall_s": wall,
        "work_s": figures.work_s,
        "span_s": figures.span_s,
        "speed_up": figures.work_s / wall if wall > 0 else None,
    }


def _end(run: Run) -> datetime:
    return run.finished_at or timezone.now()
