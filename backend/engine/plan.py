"""The compiled form of a document: numbered nodes, edges by number, join rules. Immutable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from backend.engine.document import Policy

PLAN_FORMAT = 1


@dataclass(frozen=True)
class JoinRule:
    """When a node may start.

    `all` waits until every incoming edge is settled and starts if at least one was taken; it is
    the rule of every node that is no join. `any` starts at the first taken edge. `first` and `n`
    start at the first (n-th) taken edge and cancel what only fed the join.
    """

    mode: Literal["all", "any", "first", "n"] = "all"
    n: int = 1

    @property
    def needed(self) -> int:
        """How many taken edges make the node start before all edges are settled."""
        return self.n if self.mode == "n" else 1

    @property
    def cancels_feeders(self) -> bool:
        """Whether what only feeds the join is cancelled when it fires."""
        return self.mode in ("first", "n")


@dataclass(frozen=True)
class PlanEdge:
    """An edge by the numbers of its nodes."""

    source: int
    source_port: str
    target: int
    target_port: str


@dataclass(frozen=True, kw_only=True)
class PlanNode:
    """One node, ready to be scheduled. `no` is its place in the plan."""

    no: int
    id: str
    kind: str
    kind_version: int
    label: str = ""
    lane: str = "io"
    #: Evaluated inside the scheduling pass: it only computes on what is at hand.
    inline: bool = False
    #: Whether its run() wants what arrived on its incoming edges.
    wants_inputs: bool = False
    disabled: bool = False
    config: Mapping[str, Any] = field(default_factory=dict)
    policy: Policy = field(default_factory=Policy)
    join: JoinRule = JoinRule()
    #: Numbers of the nodes whose outputs its expressions read.
    reads: tuple[int, ...] = ()
    #: Nodes on the longest way from here to an end, itself included; the larger, the more urgent.
    rank: int = 1
    #: The key of its output among the run's outputs, for io.output.
    output_name: str | None = None


@dataclass(frozen=True)
class Plan:
    """Everything the scheduler needs to know about a graph."""

    nodes: tuple[PlanNode, ...]
    edges: tuple[PlanEdge, ...]

    @cached_property
    def by_id(self) -> Mapping[str, PlanNode]:
        """Nodes by their id."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def outgoing(self) -> Sequence[tuple[PlanEdge, ...]]:
        """Edges that leave each node, by its number."""
        return _grouped(len(self.nodes), self.edges, [edge.source for edge in self.edges])

    @cached_property
    def incoming(self) -> Sequence[tuple[PlanEdge, ...]]:
        """Edges that lead to each node, by its number."""
        return _grouped(len(self.nodes), self.edges, [edge.target for edge in self.edges])

    @cached_property
    def sources(self) -> tuple[int, ...]:
        """Numbers of the nodes without incoming edges: a run starts with them."""
        return tuple(node.no for node in self.nodes if not self.incoming[node.no])

    def inline_reach(self, numbers: Sequence[int]) -> frozenset[int]:
        """Nodes that one pass may touch once `numbers` settled: to the first that is not inline."""
        found: set[int] = set()
        stack = list(numbers)
        while stack:
            for edge in self.outgoing[stack.pop()]:
                if edge.target not in found:
                    found.add(edge.target)
                    if self.nodes[edge.target].inline:
                        stack.append(edge.target)
        return frozenset(found)

    def only_feeders(self, join: int) -> frozenset[int]:
        """Nodes all of whose ways lead to `join`: once it fired, nobody needs them."""
        found: set[int] = set()
        candidates = self._ancestors(join)
        for number in sorted(candidates, key=lambda no: self.nodes[no].rank):
            targets = [edge.target for edge in self.outgoing[number]]
            if all(target == join or target in found for target in targets):
                found.add(number)
        return frozenset(found)

    def _ancestors(self, number: int) -> set[int]:
        found: set[int] = set()
        stack = [number]
        while stack:
            for edge in self.incoming[stack.pop()]:
                if edge.source not in found:
                    found.add(edge.source)
                    stack.append(edge.source)
        return found

    def to_json(self) -> dict[str, Any]:
        """The plan as it is stored with a graph."""
        return {
            "format": PLAN_FORMAT,
            "nodes": [_node_to_json(node) for node in self.nodes],
            "edges": [[e.source, e.source_port, e.target, e.target_port] for e in self.edges],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Plan":
        """Read what `to_json` wrote."""
        return cls(
            nodes=tuple(_node_from_json(no, item) for no, item in enumerate(data["nodes"])),
            edges=tuple(PlanEdge(*item) for item in data["edges"]),
        )


def _grouped(
    count: int, edges: Sequence[PlanEdge], keys: Sequence[int]
) -> Sequence[tuple[PlanEdge, ...]]:
    groups: list[list[PlanEdge]] = [[] for _ in range(count)]
    for key, edge in zip(keys, edges, strict=True):
        groups[key].append(edge)
    return [tuple(group) for group in groups]


def _node_to_json(node: PlanNode) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": node.id,
        "kind": node.kind,
        "kind_version": node.kind_version,
        "label": node.label,
        "lane": node.lane,
        "inline": node.inline,
        "wants_inputs": node.wants_inputs,
        "disabled": node.disabled,
        "config": dict(node.config),
        "policy": node.policy.model_dump(mode="json"),
        "join": [node.join.mode, node.join.n],
        "reads": list(node.reads),
        "rank": node.rank,
        "output_name": node.output_name,
    }
    return data


def _node_from_json(no: int, data: Mapping[str, Any]) -> PlanNode:
    mode, n = data["join"]
    rest = {key: value for key, value in data.items() if key not in ("policy", "join", "reads")}
    return PlanNode(
        no=no,
        policy=Policy.model_validate(data["policy"]),
        join=JoinRule(mode=mode, n=n),
        reads=tuple(data["reads"]),
        **rest,
    )
