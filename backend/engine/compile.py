"""From a valid document to the plan that the scheduler follows."""

from collections.abc import Mapping

from backend.engine.document import Document, Node
from backend.engine.graph import Graph
from backend.engine.plan import JoinRule, Plan, PlanEdge, PlanNode
from backend.engine.spec import KindSpec

INPUT_KIND = "io.input"
OUTPUT_KIND = "io.output"
JOIN_KIND = "flow.join"


def compile_plan(document: Document, specs: Mapping[str, KindSpec]) -> Plan:
    """Compile a document that `validate` found free of errors.

    Nodes are numbered in topological order, ties by their place in the document, so equal
    documents give equal plans.
    """
    graph = Graph.of(document)
    number = {node_id: no for no, node_id in enumerate(graph.order)}
    ranks = _ranks(graph)
    nodes = tuple(
        _plan_node(graph.nodes[node_id], no, ranks[node_id], number, specs)
        for no, node_id in enumerate(graph.order)
    )
    edges = tuple(
        PlanEdge(
            number[wire.source.node], wire.source.port, number[wire.target.node], wire.target.port
        )
        for wire in graph.wires
    )
    return Plan(nodes=nodes, edges=edges)


def _plan_node(
    node: Node, no: int, rank: int, number: Mapping[str, int], specs: Mapping[str, KindSpec]
) -> PlanNode:
    spec = specs[node.kind]
    return PlanNode(
        no=no,
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
        reads=tuple(sorted(number[name] for name in spec.references(node.config))),
        rank=rank,
        output_name=output_name(node),
    )


def join_rule(node: Node) -> JoinRule:
    """The rule by which a node starts."""
    if node.kind != JOIN_KIND:
        return JoinRule()
    return JoinRule(mode=node.config.get("mode", "all"), n=node.config.get("n") or 1)


def output_name(node: Node) -> str | None:
    """The key of an io.output node's value among the run's outputs."""
    if node.kind != OUTPUT_KIND:
        return None
    return node.config.get("name") or node.id


def _ranks(graph: Graph) -> Mapping[str, int]:
    ranks: dict[str, int] = {}
    for node_id in reversed(graph.order):
        ranks[node_id] = 1 + max((ranks[s] for s in graph.successors[node_id]), default=0)
    return ranks
