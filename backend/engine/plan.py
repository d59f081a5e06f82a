"""The compiled form of a document: numbered nodes, edges by number, join rules. Immutable."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from backend.engine.document import Policy

PLAN_FORMAT = 2

#: The scope of the run itself; others are one item of a map or one round of a loop.
ROOT_SCOPE = 0


class Key(NamedTuple):
    """Names a step within its run: the scope it runs in, and its node's number in the plan."""

    scope: int
    no: int


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


@dataclass(frozen=True, kw_only=True)
class ContainerRule:
    """How a container runs the nodes inside it: for each item, or round after round."""

    mode: Literal["map", "loop"]
    #: Items of a map that are under way at once.
    window: int = 100
    #: What an item's failure does: fails the map, becomes its result, or leaves no result.
    on_item_error: Literal["fail", "collect", "drop"] = "fail"
    #: More failed items than this fail the map all the same.
    max_failures: int | None = None
    max_failure_percent: float | None = None
    #: Rounds after which a loop that would go on fails.
    max_rounds: int = 100


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
    #: What it does to the outside: none, paid or outward. Where settings decide it, the worst.
    effects: Literal["none", "paid", "outward"] = "none"
    #: The container it stands in; none at the top.
    parent: int | None = None
    #: Set for a node that holds nodes.
    container: ContainerRule | None = None
    #: Top-level settings that are not evaluated with the node but later, item by item.
    deferred: tuple[str, ...] = ()
    #: What its running steps are counted by, beside workspace and workflow: `credential:<id>`,
    #: `model:<name>`.
    limits: tuple[str, ...] = ()
    #: Removed by a change of the graph while the run went on; its number is not used again.
    removed: bool = False
    #: Numbers of the nodes whose outputs its expressions read.
    reads: tuple[int, ...] = ()
    #: Nodes on the longest way from here to an end, itself included; the larger, the more urgent.
    rank: int = 1
    #: The key of its output among the run's outputs, for io.output.
    output_name: str | None = None

    @cached_property
    def settings_now(self) -> Mapping[str, Any]:
        """The settings that are evaluated when the node starts; the same object every time."""
        return {key: value for key, value in self.config.items() if key not in self.deferred}


@dataclass(frozen=True)
class Plan:
    """Everything the scheduler needs to know about a graph."""

    nodes: tuple[PlanNode, ...]
    edges: tuple[PlanEdge, ...]

    @cached_property
    def by_id(self) -> Mapping[str, PlanNode]:
        """Nodes by their id; of nodes that were removed the last one."""
        found = {node.id: node for node in self.nodes if node.removed}
        return found | {node.id: node for node in self.nodes if not node.removed}

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Numbers in topological order; a change of the graph may have put it out of line."""
        missing = [len(edges) for edges in self.incoming]
        queue = deque(no for no, count in enumerate(missing) if count == 0)
        order: list[int] = []
        while queue:
            no = queue.popleft()
            order.append(no)
            for edge in self.outgoing[no]:
                missing[edge.target] -= 1
                if missing[edge.target] == 0:
                    queue.append(edge.target)
        return tuple(order)

    @cached_property
    def signal_nodes(self) -> tuple[int, ...]:
        """Numbers of the nodes that wait for a signal from outside."""
        return tuple(node.no for node in self.nodes if node.config.get("signal"))

    def inside(self, container: int | None) -> tuple[int, ...]:
        """Numbers of the nodes that stand directly in a container; None is the top."""
        return self._inside.get(container, ())

    @cached_property
    def _inside(self) -> Mapping[int | None, tuple[int, ...]]:
        groups: dict[int | None, list[int]] = {}
        for node in self.nodes:
            if not node.removed:
                groups.setdefault(node.parent, []).append(node.no)
        return {parent: tuple(numbers) for parent, numbers in groups.items()}

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
        """Numbers of the top nodes without incoming edges: a run starts with them."""
        return self.sources_in(None)

    def sources_in(self, container: int | None) -> tuple[int, ...]:
        """Numbers of the nodes in a container (None: at the top) without incoming edges."""
        return tuple(no for no in self.inside(container) if not self.incoming[no])

    def ends_in(self, container: int) -> tuple[int, ...]:
        """Numbers of the nodes in a container that nothing in it follows."""
        return tuple(no for no in self.inside(container) if not self.outgoing[no])

    def containers_around(self, no: int) -> tuple[int, ...]:
        """Numbers of the containers that a node stands in, the innermost first."""
        found: list[int] = []
        parent = self.nodes[no].parent
        while parent is not None:
            found.append(parent)
            parent = self.nodes[parent].parent
        return tuple(found)

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
        for number in reversed([no for no in self.order if no in candidates]):
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
        "effects": node.effects,
        "parent": node.parent,
        "container": asdict(node.container) if node.container else None,
        "deferred": list(node.deferred),
        "limits": list(node.limits),
        "removed": node.removed,
        "reads": list(node.reads),
        "rank": node.rank,
        "output_name": node.output_name,
    }
    return data


def _node_from_json(no: int, data: Mapping[str, Any]) -> PlanNode:
    mode, n = data["join"]
    rest = {key: value for key, value in data.items() if key not in _STRUCTURED}
    return PlanNode(
        no=no,
        policy=Policy.model_validate(data["policy"]),
        join=JoinRule(mode=mode, n=n),
        container=ContainerRule(**data["container"]) if data["container"] else None,
        deferred=tuple(data["deferred"]),
        limits=tuple(data["limits"]),
        reads=tuple(data["reads"]),
        **rest,
    )


_STRUCTURED = frozenset({"policy", "join", "container", "deferred", "limits", "reads"})
