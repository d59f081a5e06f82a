"""Runs and steps as the API shows them: rows with what is counted and read about them."""

import logging
from collections.abc import Iterable
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Q

from backend.engine.errors import DomainError
from backend.engine.state import RunStatus, StepStatus
from backend.limits.models import Budget
from backend.runs.explain import why_waiting
from backend.runs.figures import Figures, figures_of, timings, waited, with_critical_path
from backend.runs.models import Run, Step, StepOutput
from backend.runs.outputs import read_value
from backend.runs.plans import plan_of
from backend.runs.signal_urls import signal_url

logger = logging.getLogger(__name__)

#: A larger output is shown by its beginning; the browser never loads it whole.
MAX_SHOWN_BYTES = 1024 * 1024


class ResultUnreadable(DomainError):
    """A large result cannot be read back from the result store."""

    code: ClassVar[str] = "result_unreadable"
    status: ClassVar[int] = 503


def run_rows(runs: Iterable[Run]) -> list[Run]:
    """Add figures to runs for a list."""
    runs = list(runs)
    figures = figures_of(runs)
    for run in runs:
        _add(run, figures[run.id])
    return runs


def run_detail(run: Run) -> Run:
    """Add figures, critical path and outputs to one run."""
    figures = with_critical_path(run, figures_of([run])[run.id])
    _add(run, figures)
    run.outputs = outputs_of(run)  # type: ignore[attr-defined]
    run.waited = waited(run)  # type: ignore[attr-defined]
    run.budget = _budget(run)  # type: ignore[attr-defined]
    return run


def _budget(run: Run) -> Budget | None:
    return Budget.objects.filter(id=run.budget_id).first() if run.budget_id else None


def _add(run: Run, figures: Figures) -> None:
    counts = {status.value: figures.steps.get(status.value, 0) for status in StepStatus}
    run.figures = figures  # type: ignore[attr-defined]
    run.timings = timings(run, figures)  # type: ignore[attr-defined]
    run.steps_shown = {"total": sum(counts.values()), **counts}  # type: ignore[attr-defined]


def outputs_of(run: Run) -> dict[str, Any] | None:
    """What the run's io.output steps gave, by name; none unless it succeeded."""
    if run.status != RunStatus.SUCCEEDED:
        return None
    names = {n.no: n.output_name for n in plan_of(run.graph_id).nodes if n.output_name is not None}
    stored = StepOutput.objects.filter(
        Q(step__no__in=list(names)), step__run=run, step__status=StepStatus.SUCCEEDED
    ).select_related("step")
    values = {o.step.no: _value(run.workspace_id, o) for o in stored}
    return {str(name): values[no] for no, name in names.items() if no in values}


def step_detail(step: Step) -> Step:
    """Add the output, as far as it is shown, and why the step waits."""
    output = getattr(step, "output", None)
    value, truncated = None, False
    if output is not None:
        truncated = output.size > MAX_SHOWN_BYTES
        value = output.preview if truncated else _value(step.workspace_id, output)
    step.output_value = value  # type: ignore[attr-defined]
    step.output_truncated = truncated  # type: ignore[attr-defined]
    step.why_waiting = why_waiting(step)  # type: ignore[attr-defined]
    step.signal_url = (  # type: ignore[attr-defined]
        signal_url(step.run_id, step.path)
        if step.awaits_signal and step.status == StepStatus.WAITING
        else None
    )
    return step


def _value(workspace_id: UUID, output: StepOutput) -> Any:
    try:
        return read_value(workspace_id, output.value, output.digest)
    except OSError as error:
        logger.exception("result_unreadable", extra={"step": str(output.step_id)})
        raise ResultUnreadable(
            "A large result is not in the result store. All web and worker processes must see the "
            "same data folder."
        ) from error
