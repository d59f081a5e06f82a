"""From a valid document to the plan that the scheduler follows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from backend.engine.document import Document, Node
from backend.engine.graph import Graph
from backend.engine.plan import ContainerRule, JoinRule, Plan, PlanEdge, PlanNode
from backend.engine.ranks import ranks
from backend.engine.spec import KindSpec
from backend.engine.templates import holds_template

INPUT_KIND = "io.input"
OUTPUT_KIND = "io.output"
JOIN_KIND = "flow.join"
STOP_KIND = "flow.stop"
#: How settings name the default credential, and the default model of a credential.
DEFAULT = "default"


def compile_plan(
    document: Document, specs: Mapping[str, KindSpec], previous: Plan | None = None
) -> Plan:
    """Compile a document that `validate` found free of errors.

    Nodes are numbered in topological order, what a container holds right behind it, ties by their
    place in the document, so equal documents give equal plans. After a `previous` plan nodes keep
    their numbers, new ones are numbered on, and the numbers of removed ones stay taken.
    """
    graph = Graph.of(document)
    numbering = _number(graph, previous)
    compiler = _Compiler(graph, specs, numbering.numbers, ranks(graph))
    nodes = [*numbering.removed, *(compiler.node(node_id) for node_id in numbering.numbers)]
    edges = tuple(
        PlanEdge(
            numbering.numbers[wire.source.node],
            wire.source.port,
            numbering.numbers[wire.target.node],
            wire.target.port,
        )
        for wire in graph.wires
    )
    return Plan(nodes=tuple(sorted(nodes, key=lambda node: node.no)), edges=edges)


@dataclass(frozen=True)
class _Numbering:
    numbers: Mapping[str, int]
    #: What a previous plan has, and the document no more.
    removed: tuple[PlanNode, ...] = ()


def _number(graph: Graph, previous: Plan | None) -> _Numbering:
    before = previous.nodes if previous else ()
    kept = {node.id: node.no for node in before if not node.removed and node.id in graph.nodes}
    numbers: dict[str, int] = {}
    following = len(before)
    for node_id in in_order(graph):
        if node_id in kept:
            numbers[node_id] = kept[node_id]
        else:
            numbers[node_id] = following
            following += 1
    gone = tuple(
        replace(node, removed=True) for node in before if node.removed or node.id not in kept
    )
    return _Numbering(numbers, gone)


def in_order(graph: Graph, container: str | None = None) -> Iterator[str]:
    """Give the ids in topological order; what a container holds comes right behind it."""
    for node_id in graph.inside.get(container, ()):
        yield node_id
        yield from in_order(graph, node_id)


@dataclass(frozen=True)
class _Compiler:
    graph: Graph
    specs: Mapping[str, KindSpec]
    numbers: Mapping[str, int]
    ranks: Mapping[str, int]

    def node(self, node_id: str) -> PlanNode:
        node = self.graph.nodes[node_id]
        spec = self.specs[node.kind]
        return PlanNode(
            no=self.numbers[node_id],
            id=node.id,
            kind=node.kind,
            kind_version=node.kind_version or spec.version,
            label=node.label,
            lane=spec.lane,
            inline=spec.inline,
            wants_inputs=spec.needs_inputs,
            disabled=node.disabled,
            config=node.config,
            policy=node.policy,
            join=join_rule(node),
            effects=spec.effects_of(node.config).value,
            parent=self.numbers[node.parent] if node.parent else None,
            container=container_rule(node, spec),
            deferred=spec.deferred,
            limits=limit_names(node.config, spec),
            reads=tuple(sorted(self.numbers[name] for name in spec.references(node.config))),
            rank=self.ranks[node_id],
            output_name=output_name(node),
        )


def join_rule(node: Node) -> JoinRule:
    """The rule by which a node starts."""
    if node.kind != JOIN_KIND:
        return JoinRule()
    return JoinRule(mode=node.config.get("mode", "all"), n=node.config.get("n") or 1)


def container_rule(node: Node, spec: KindSpec) -> ContainerRule | None:
    """How a container runs what is inside it; None for a node that is none."""
    if spec.container is None:
        return None
    wanted = {
        "window": node.config.get("concurrency"),
        "on_item_error": node.config.get("on_item_error"),
        "max_failures": node.config.get("max_failures"),
        "max_failure_percent": node.config.get("max_failure_percent"),
        "max_rounds": node.config.get("max_iterations"),
    }
    given: dict[str, Any] = {key: value for key, value in wanted.items() if value is not None}
    return ContainerRule(mode=spec.container, **given)


def limit_names(config: Mapping[str, Any], spec: KindSpec) -> tuple[str, ...]:
    """What the steps of a node are counted by, as far as it is known before the run.

    What is the default is named as such, for it may change: `credential:default`, `model:default`
    for the model of the default credential, `model:default:<id>` for that of another.
    """
    fields = spec.config_model.model_fields
    if "credential" not in fields:
        return ()
    credential = _named(config.get("credential"))
    if "model" not in fields:
        # Only what calls models uses a credential that it does not name.
        return () if credential in (None, DEFAULT) else (f"credential:{credential}",)
    model = _named(config.get("model"))
    if model == DEFAULT and credential != DEFAULT:
        model = credential and f"{DEFAULT}:{credential}"
    named = {"credential": credential, "model": model}
    return tuple(f"{target}:{name}" for target, name in named.items() if name is not None)


def _named(value: Any) -> str | None:
    """What a setting names; none if an expression says so only in the run."""
    if value in (None, ""):
        return DEFAULT
    return value if isinstance(value, str) and not holds_template(value) else None


def output_name(node: Node) -> str | None:
    """The key of a node's value among the run's outputs; None if it gives none of them."""
    ends_well = node.kind == STOP_KIND and node.config.get("fail") is not True
    # Inside a container there would be many; a stop is the last that happens, wherever it is.
    is_output = node.kind == OUTPUT_KIND and node.parent is None
    if not is_output and not ends_well:
        return None
    return node.config.get("name") or node.id
