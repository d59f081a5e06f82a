"""What a node needs before it runs: its inputs, and its settings with expressions evaluated."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from backend.engine.compile import INPUT_KIND
from backend.engine.config_check import ConfigInvalid
from backend.engine.evaluation import NOT_EVALUATED, EvalRequest, Failure, Resolved
from backend.engine.outcomes import Failed
from backend.engine.plan import Key, PlanNode
from backend.nodes.registry import KINDS
from backend.runs.scope import View

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


def prepare(view: View, keys: Sequence[Key], *, resolve: Resolve) -> list[Prepared]:
    """Prepare steps of one run, evaluating all their expressions in one call."""
    known = [key for key in keys if view.plan.nodes[key.no].kind in KINDS]
    found = dict(zip(known, _prepare_known(view, known, resolve), strict=True))
    return [found.get(key) or _of_unknown_kind(view.plan.nodes[key.no]) for key in keys]


def _of_unknown_kind(node: PlanNode) -> Prepared:
    message = (
        f"The kind {node.kind} is not installed here any more. Install what provides it, or "
        "replace the node."
    )
    return Prepared(node, {}, {}, failure=Failed("unknown_kind", message))


def _prepare_known(view: View, keys: Sequence[Key], resolve: Resolve) -> list[Prepared]:
    nodes = [view.plan.nodes[key.no] for key in keys]
    arrived = {key: view.arrived(key) for key in keys if view.plan.nodes[key.no].wants_inputs}
    view.prefetch(keys, arrived)
    scopes = [view.names(key) for key in keys]
    resolved = resolve(
        [
            EvalRequest(config=node.settings_now, scope=scope, bare=KINDS[node.kind].spec.bare)
            for node, scope in zip(nodes, scopes, strict=True)
        ]
    )
    return [
        _prepared(node, _inputs(view, key, node, arrived), scope, config)
        for key, node, scope, config in zip(keys, nodes, scopes, resolved, strict=True)
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
    for name in node.deferred:
        if name in node.config:
            resolved[name] = node.config[name]
    try:
        config = KINDS[node.kind].spec.load_config(resolved)
    except ConfigInvalid as error:
        return Prepared(node, inputs, scope, failure=Failed("bad_config", str(error)))
    return Prepared(node, inputs, scope, config=config)


def _inputs(
    view: View, key: Key, node: PlanNode, arrived: Mapping[Key, tuple[Key, ...]]
) -> Mapping[str, Any]:
    if node.kind == INPUT_KIND:
        return view.inputs
    values = view.outputs.of(arrived.get(key, ()))
    return {view.plan.nodes[source.no].id: value for source, value in values.items()}
