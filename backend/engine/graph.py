"""A document's nodes and edges as a graph that can be walked."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from backend.engine.document import Document, Edge, Endpoint, Node, endpoint


@dataclass(frozen=True)
class Wire:
    """An edge with both ends read; `index` is its place in the document."""

    index: int
    source: Endpoint
    target: Endpoint


@dataclass(frozen=True)
class Graph:
    """Adjacency over node ids. Edges that name unknown nodes are left out of the adjacency."""

    nodes: Mapping[str, Node]
    wires: tuple[Wire, ...]

    @classmethod
    def of(cls, document: Document) -> "Graph":
        """Build the graph; of several nodes with one id the first counts."""
        nodes: dict[str, Node] = {}
        for node in document.nodes:
            nodes.setdefault(node.id, node)
        return cls(nodes=nodes, wires=tuple(map(_wire, range(len(document.edges)), document.edges)))

    @cached_property
    def successors(self) -> Mapping[str, tuple[str, ...]]:
        """Ids that each node's edges lead to, without repetition, in document order."""
        return self._neighbours(forward=True)

    @cached_property
    def predecessors(self) -> Mapping[str, tuple[str, ...]]:
        """Ids that lead to each node, without repetition, in document order."""
        return self._neighbours(forward=False)

    def _neighbours(self, *, forward: bool) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, dict[str, None]] = {node_id: {} for node_id in self.nodes}
        for wire in self.wires:
            source, target = wire.source.node, wire.target.node
            if source in self.nodes and target in self.nodes:
                if forward:
                    found[source][target] = None
                else:
                    found[target][source] = None
        return {node_id: tuple(others) for node_id, others in found.items()}

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Ids in topological order (Kahn); nodes on or behind a cycle are missing."""
        open_inputs = {node_id: len(before) for node_id, before in self.predecessors.items()}
        queue = deque(node_id for node_id, count in open_inputs.items() if count == 0)
        order: list[str] = []
        while queue:
            node_id = queue.popleft()
            order.append(node_id)
            for successor in self.successors[node_id]:
                open_inputs[successor] -= 1
                if open_inputs[successor] == 0:
                    queue.append(successor)
        return tuple(order)

    @cached_property
    def on_cycles(self) -> tuple[str, ...]:
        """Ids of the nodes that lie on a cycle, in document order."""
        left = set(self.nodes) - set(self.order)
        # What only follows a cycle is not on it: strip, from the ends, what leads nowhere.
        open_outputs = {i: sum(s in left for s in self.successors[i]) for i in left}
        queue = deque(node_id for node_id in left if open_outputs[node_id] == 0)
        while queue:
            node_id = queue.popleft()
            left.discard(node_id)
            for before in self.predecessors[node_id]:
                if before in left:
                    open_outputs[before] -= 1
                    if open_outputs[before] == 0:
                        queue.append(before)
        return tuple(node_id for node_id in self.nodes if node_id in left)

    def is_upstream(self, node_id: str, *, of: str) -> bool:
        """Whether some path leads from `node_id` to `of`."""
        place, ancestors = self._ancestor_bits
        return of in ancestors and node_id in place and bool(ancestors[of] >> place[node_id] & 1)

    @cached_property
    def _ancestor_bits(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        # One big integer a node, a bit for each ancestor: 5,000 nodes take 3 MB and no set algebra.
        place = {node_id: index for index, node_id in enumerate(self.order)}
        bits: dict[str, int] = {}
        for node_id in self.order:
            bits[node_id] = 0
            for before in self.predecessors[node_id]:
                bits[node_id] |= bits[before] | 1 << place[before]
        return place, bits

    @cached_property
    def inside(self) -> Mapping[str | None, tuple[str, ...]]:
        """Ids that stand directly in each container (None: at the top), in topological order.

        A node whose parent does not exist counts as one at the top; those on or behind a cycle
        are missing.
        """
        found: dict[str | None, list[str]] = {}
        for node_id in self.order:
            parent = self.nodes[node_id].parent
            found.setdefault(parent if parent in self.nodes else None, []).append(node_id)
        return {parent: tuple(ids) for parent, ids in found.items()}

    def containers_around(self, node_id: str) -> tuple[str, ...]:
        """Ids of the nodes that a node stands in, the innermost first; it ends at a circle."""
        found: list[str] = []
        parent = self.nodes[node_id].parent
        while parent is not None and parent in self.nodes and parent not in found:
            found.append(parent)
            parent = self.nodes[parent].parent
        return tuple(found)

    def runs_before(self, node_id: str, *, of: str) -> bool:
        """Whether `node_id` has ended when `of` starts: it leads to it, or to what it stands in."""
        return any(
            self.is_upstream(node_id, of=place) for place in (of, *self.containers_around(of))
        )

    def reachable_from(self, starts: Iterable[str]) -> frozenset[str]:
        """Ids that can be reached from `starts`, which are included."""
        seen = set(starts)
        queue = deque(seen)
        while queue:
            for successor in self.successors[queue.popleft()]:
                if successor not in seen:
                    seen.add(successor)
                    queue.append(successor)
        return frozenset(seen)


def _wire(index: int, edge: Edge) -> Wire:
    return Wire(
        index=index,
        source=endpoint(edge.from_, default_port="out"),
        target=endpoint(edge.to, default_port="in"),
    )


def group_by_target(wires: Iterable[Wire]) -> Mapping[str, list[Wire]]:
    """Wires by the node they lead to, each list in document order."""
    grouped: dict[str, list[Wire]] = defaultdict(list)
    for wire in wires:
        grouped[wire.target.node].append(wire)
    return grouped
