"""What claimed steps need before they run: their settings evaluated, their inputs read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from uuid import UUID

from backend.engine.plan import Plan
from backend.runs.inline import unreadable
from backend.runs.outputs import Outputs
from backend.runs.plans import plan_of
from backend.runs.prepare import Prepared, Resolve, prepare
from backend.runs.sql import query
from backend.runs.transaction import Claimed, RunRow

PORTS = "SELECT no, ports FROM runs_step WHERE run_id = %s AND no = ANY(%s)"


def load(claimed: Sequence[Claimed], *, resolve: Resolve) -> dict[str, Prepared]:
    """Prepare claimed steps of one run, by their lease. Reads only: what they need is committed."""
    run = claimed[0].run
    plan = plan_of(run.graph_id)
    numbers = [item.step.no for item in claimed]
    ready = _prepare(run, plan, numbers, resolve)
    return {str(item.step.lease_id): found for item, found in zip(claimed, ready, strict=True)}


def _prepare(run: RunRow, plan: Plan, numbers: Sequence[int], resolve: Resolve) -> list[Prepared]:
    try:
        return prepare(
            run,
            plan,
            numbers,
            outputs=Outputs(run_id=run.id, workspace_id=run.workspace_id),
            ports_of=_ports(run.id, plan, numbers),
            resolve=resolve,
        )
    except OSError as error:
        failure = unreadable(error)
        return [Prepared(plan.nodes[no], {}, {}, failure=failure) for no in numbers]


def _ports(run_id: UUID, plan: Plan, numbers: Iterable[int]) -> Callable[[int], Sequence[str]]:
    sources = {
        edge.source for no in numbers if plan.nodes[no].wants_inputs for edge in plan.incoming[no]
    }
    ports: Mapping[int, Sequence[str]] = {}
    if sources:
        ports = dict(query(PORTS, [run_id, list(sources)]))
    return lambda no: ports.get(no, ())
