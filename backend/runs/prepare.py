"""What a node needs before it runs: its inputs, and its settings with expressions evaluated."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from backend.engine.compile import INPUT_KIND
from backend.engine.config_check import ConfigInvalid
from backend.engine.evaluation import NOT_EVALUATED, EvalRequest, Failure, Resolved
from backend.engine.outcomes import Failed
from backend.engine.plan import Plan, PlanNode
from backend.nodes.registry import KINDS
from backend.runs.outputs import Outputs
from backend.runs.transaction import RunRow

#: Evaluates the expressions of many nodes at once.
Resolve = Callable[[Sequence[EvalRequest]], Sequence[Resolved | Failure]]


@dataclass(frozen=True)
class Prepared:
    """A node that can run, or the reason why it cannot."""

    node: PlanNode
    inputs: Mapping[str, Any]
    scope: Mapping[str, Any]
    config: BaseModel | None = None
    failure: Failed | None = None

    @property
    def was_not_reached(self) -> bool:
        """Whether its settings were not evaluated, for want of time: they may be, with fewer."""
        return self.failure is not None and self.failure.code == NOT_EVALUATED.code


def prepare(
    run: RunRow,
    plan: Plan,
    numbers: Sequence[int],
    *,
    outputs: Outputs,
    ports_of: Callable[[int], Sequence[str]],
    resolve: Resolve,
) -> list[Prepared]:
    """Prepare nodes of one run, evaluating all their expressions in one call.

    `ports_of` tells which out ports a step took.
    """
    known = [no for no in numbers if plan.nodes[no].kind in KINDS]
    ready = _prepare_known(run, plan, known, outputs=outputs, ports_of=ports_of, resolve=resolve)
    found = dict(zip(known, ready, strict=True))
    return [found.get(no) or _of_unknown_kind(plan.nodes[no]) for no in numbers]


def _of_unknown_kind(node: PlanNode) -> Prepared:
    message = (
        f"The kind {node.kind} is not installed here any more. Install what provides it, or "
        "replace the node."
    )
    return Prepared(node, {}, {}, failure=Failed("unknown_kind", message))


def _prepare_known(
    run: RunRow,
    plan: Plan,
    numbers: Sequence[int],
    *,
    outputs: Outputs,
    ports_of: Callable[[int], Sequence[str]],
    resolve: Resolve,
) -> list[Prepared]:
    nodes = [plan.nodes[no] for no in numbers]
    arrived = {node.no: _arrived(plan, node, ports_of) for node in nodes if node.wants_inputs}
    values = outputs.of({no for node in nodes for no in node.reads}.union(*arrived.values()))
    scopes = [_scope(run, plan, node, values) for node in nodes]
    resolved = resolve(
        [
            EvalRequest(config=node.config, scope=scope, bare=KINDS[node.kind].spec.bare)
            for node, scope in zip(nodes, scopes, strict=True)
        ]
    )
    return [
        _prepared(node, _inputs(run, plan, node, arrived, values), scope, config)
        for node, scope, config in zip(nodes, scopes, resolved, strict=True)
    ]


def _prepared(
    node: PlanNode,
    inputs: Mapping[str, Any],
    scope: Mapping[str, Any],
    resolved: Resolved | Failure,
) -> Prepared:
    if isinstance(resolved, Failure):
        failure = Failed(resolved.code, resolved.sentence, retryable=resolved.retryable)
        return Prepared(node, inputs, scope, failure=failure)
    try:
        config = KINDS[node.kind].spec.load_config(resolved)
    except ConfigInvalid as error:
        return Prepared(node, inputs, scope, failure=Failed("bad_config", str(error)))
    return Prepared(node, inputs, scope, config=config)


def _arrived(
    plan: Plan, node: PlanNode, ports_of: Callable[[int], Sequence[str]]
) -> tuple[int, ...]:
    edges = plan.incoming[node.no]
    return tuple(
        dict.fromkeys(edge.source for edge in edges if edge.source_port in ports_of(edge.source))
    )


def _inputs(
    run: RunRow,
    plan: Plan,
    node: PlanNode,
    arrived: Mapping[int, tuple[int, ...]],
    values: Mapping[int, Any],
) -> Mapping[str, Any]:
    if node.kind == INPUT_KIND:
        return run.inputs
    return {plan.nodes[no].id: values[no] for no in arrived.get(node.no, ())}


def _scope(run: RunRow, plan: Plan, node: PlanNode, values: Mapping[int, Any]) -> Mapping[str, Any]:
    return {
        "inputs": run.inputs,
        "nodes": {plan.nodes[no].id: {"output": values[no]} for no in node.reads},
        "run": {
            "id": str(run.id),
            "started_at": run.started_at.isoformat() if run.started_at else None,
            "workflow": run.workflow_name,
        },
    }
