"""Runs and steps as the API shows them: rows with what is counted and read about them."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Q

from backend.api.renderers import RawJson
from backend.api.sql import instance_of, query, row_of
from backend.engine.errors import DomainError
from backend.engine.plan import ROOT_SCOPE
from backend.engine.state import RunStatus, StepStatus
from backend.limits.models import Budget
from backend.limits.serializers import BudgetSerializer
from backend.runs import shown
from backend.runs.explain import why_waiting
from backend.runs.figures import StepTimes, figures_from, figures_of
from backend.runs.models import Run, Step, StepOutput
from backend.runs.outputs import read_value
from backend.runs.plans import plan_of
from backend.runs.signal_urls import signal_url
from backend.workspaces.principal import Principal

logger = logging.getLogger(__name__)

#: A larger output is shown by its beginning; the browser never loads it whole.
MAX_SHOWN_BYTES = 1024 * 1024


class ResultUnreadable(DomainError):
    """A large result cannot be read back from the result store."""

    code: ClassVar[str] = "result_unreadable"
    status: ClassVar[int] = 503


VISIBLE = """
SELECT id, workspace_id, graph_id, status, event_seq FROM runs_run
WHERE id = %s AND workspace_id = %s
"""


def visible_run(principal: Principal, run_id: UUID) -> Run | None:
    """Find a run in the principal's workspace; most of its columns are read when asked for."""
    found = row_of(VISIBLE, [run_id, principal.workspace_id])
    if found is None:
        return None
    names = ("id", "workspace_id", "graph_id", "status", "event_seq")
    return instance_of(Run, dict(zip(names, found, strict=True)))


def run_rows(runs: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Show runs in a list, from their columns in `shown.RUN`."""
    runs = list(runs)
    figures = figures_of(run["id"] for run in runs)
    return [shown.run_row(run, figures[run["id"]]) for run in runs]


RUN = """
SELECT r.id, r.workflow_id, w.name, r.version, r.status, r.error, r.priority, r.trigger,
    r.created_by_id, u.name, u.email, r.created_at, r.started_at, r.finished_at, r.deadline_at,
    r.event_seq, r.parent_run_id, r.plan_version, r.workspace_id, r.graph_id, r.budget_id,
    r.inputs::text, g.document::text
FROM runs_run r
JOIN workflows_workflow w ON w.id = r.workflow_id
JOIN workflows_graph g ON g.id = r.graph_id
LEFT JOIN accounts_user u ON u.id = r.created_by_id
WHERE r.id = %s AND r.workspace_id = %s
"""
#: Every step that stands in no container, and what those gave whose outputs are the run's.
STEPS = """
SELECT s.no, s.status, EXTRACT(epoch FROM s.ready_at)::float8,
    EXTRACT(epoch FROM s.started_at)::float8, EXTRACT(epoch FROM s.finished_at)::float8,
    EXTRACT(epoch FROM s.parked_at)::float8, s.usage,
    s.waited_slot_s, s.waited_limit_s, s.waited_retry_s, o.value::text, o.digest
FROM runs_step s
LEFT JOIN runs_stepoutput o
    ON o.step_id = s.id AND s.no = ANY(%(ends)s) AND s.status = 'succeeded'
WHERE s.run_id = %(run)s AND s.scope = 0
"""
#: What ended the run from inside a map or loop.
STOPS = """
SELECT s.no, o.value::text, o.digest FROM runs_step s JOIN runs_stepoutput o ON o.step_id = s.id
WHERE s.run_id = %s AND s.no = ANY(%s) AND s.scope <> 0 AND s.status = 'succeeded'
"""


def run_detail(principal: Principal, run_id: UUID) -> dict[str, Any] | None:
    """Show a run with its figures, critical path and outputs, if it is there for the principal."""
    found = row_of(RUN, [run_id, principal.workspace_id])
    if found is None:
        return None
    columns = found[: len(shown.RUN)]
    workspace_id, graph_id, budget_id, inputs, document = found[len(shown.RUN) :]
    run = dict(zip(shown.RUN, columns, strict=True))
    plan = plan_of(graph_id)
    names = {n.no: n.output_name for n in plan.nodes if n.output_name is not None}
    steps = query(STEPS, {"run": run_id, "ends": list(names)})
    times = [StepTimes(*step[:-2]) for step in steps]
    stops = [no for no in names if plan.nodes[no].parent is not None]
    given = [*steps, *(query(STOPS, [run_id, stops]) if stops else ())]
    figures = figures_from(run_id, plan, times, began_at=run["started_at"])
    return {
        **shown.run_row(run, figures),
        "waited": asdict(figures.waited),
        "budget": _budget(budget_id),
        "inputs": RawJson(inputs),
        "outputs": _outputs(workspace_id, run["status"], names, given),
        "critical_path": figures.critical_path,
        "document": RawJson(document),
    }


def _budget(budget_id: UUID | None) -> dict[str, Any] | None:
    if budget_id is None:
        return None
    return dict(BudgetSerializer(Budget.objects.get(id=budget_id)).data)


def _outputs(
    workspace_id: UUID,
    status: str,
    names: Mapping[int, str],
    steps: Sequence[tuple[Any, ...]],
) -> dict[str, Any] | None:
    if status != RunStatus.SUCCEEDED:
        return None
    given = {no: (text, digest) for no, *_, text, digest in steps if digest is not None}
    return {
        name: _read(workspace_id, None, given[no][1]) if given[no][1] else RawJson(given[no][0])
        for no, name in names.items()
        if no in given
    }


def outputs_of(run: Run) -> dict[str, Any] | None:
    """What the run's io.output steps gave, by name; none unless it succeeded."""
    if run.status != RunStatus.SUCCEEDED:
        return None
    plan = plan_of(run.graph_id)
    names = {n.no: n.output_name for n in plan.nodes if n.output_name is not None}
    stops = [no for no in names if plan.nodes[no].parent is not None]
    wanted = Q(step__scope=ROOT_SCOPE, step__no__in=list(names))
    stored = StepOutput.objects.filter(
        wanted | Q(step__no__in=stops) if stops else wanted,
        step__run=run,
        step__status=StepStatus.SUCCEEDED,
    ).select_related("step")
    values = {o.step.no: _read(run.workspace_id, o.value, o.digest) for o in stored}
    return {str(name): values[no] for no, name in names.items() if no in values}


def step_detail(run: Run, step_id: UUID) -> dict[str, Any] | None:
    """Show a step with its output, as far as it is shown, and why it waits."""
    steps = Step.objects.filter(run_id=run.id).select_related("output", "run", "container")
    step = steps.defer("run__inputs", "container__items", "container__state").filter(id=step_id)
    found = step.first()
    return None if found is None else _step_detail(found)


def _step_detail(step: Step) -> dict[str, Any]:
    output: StepOutput | None = getattr(step, "output", None)
    truncated = output is not None and output.size > MAX_SHOWN_BYTES
    awaits = step.awaits_signal and step.status == StepStatus.WAITING
    value = None if output is None else output.preview if truncated else _of(step, output)
    return {
        **shown.step_row({name: _column(step, name) for name in shown.STEP}),
        "output": value,
        "output_truncated": truncated,
        "why_waiting": why_waiting(step),
        "signal_url": signal_url(step.run_id, step.path) if awaits else None,
    }


def _column(step: Step, name: str) -> Any:
    """A column of a step, or of what hangs on it; none if nothing does."""
    related, _, column = name.rpartition("__")
    return getattr(getattr(step, related, None) if related else step, column, None)


def _of(step: Step, output: StepOutput) -> Any:
    return _read(step.workspace_id, output.value, output.digest)


def _read(workspace_id: UUID, value: Any, digest: str) -> Any:
    try:
        return read_value(workspace_id, value, digest)
    except OSError as error:
        logger.exception("result_unreadable", extra={"digest": digest})
        raise ResultUnreadable(
            "A large result is not in the result store. All web and worker processes must see the "
            "same data folder."
        ) from error
