"""What a run should look like, worked out anew each time from what was told, and from nothing else.

It knows of no counters and no transactions: a step's state follows from the graph and from the
outcomes that were accepted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Edge = tuple[str, str, str]

ACTIVE = frozenset({"ready", "running", "waiting", "held"})
WAITS = frozenset({"pending"})
SKIPPED = frozenset({"skipped"})
#: What nobody needs any more; it may have been skipped before that.
UNNEEDED = frozenset({"cancelled", "skipped"})
ITEMS = 2


@dataclass
class Node:
    """`kind` is work, join or map."""

    kind: str = "work"
    mode: str = "all"
    on_error: str = "fail"
    retries: int = 0
    parent: str | None = None


@dataclass(frozen=True)
class Told:
    """How a step ended, and the ports it took."""

    status: str
    ports: frozenset[str] = frozenset({"out"})


@dataclass(frozen=True)
class End:
    """An attempt that has ended. `adds` are nodes with the edges that lead to them."""

    path: str
    succeeded: bool
    retryable: bool = False
    adds: Mapping[str, Edge] = field(default_factory=dict)


@dataclass
class Model:
    """The graph of a run, and what has happened in it."""

    nodes: dict[str, Node]
    edges: set[Edge]
    told: dict[str, Told] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    #: Maps whose items have begun.
    opened: set[str] = field(default_factory=set)
    #: Items in which a step failed, by what stands in front of their paths.
    failed_items: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    end: str | None = None

    def expected(self) -> dict[str, frozenset[str]]:
        """The statuses that each step may have, by path."""
        found: dict[str, frozenset[str]] = {}
        for prefix, parent in self._groups():
            ports = self._ports(prefix, parent)
            is_unneeded = parent is not None and found[parent] == UNNEEDED
            for name in self._inside(parent):
                statuses = self._statuses(prefix + name, name, prefix, ports)
                is_open = prefix + name not in self.told
                found[prefix + name] = UNNEEDED if is_unneeded and is_open else statuses
        return {**found, **dict.fromkeys(self.removed, frozenset({"cancelled"}))}

    def is_active(self, path: str) -> bool:
        """Whether a step is to be run."""
        return self.expected().get(path) == ACTIVE

    def complete(self, ends: Sequence["End"]) -> None:
        """Take outcomes of one transaction, as far as somebody wants them."""
        wanted = {end.path for end in ends if self.is_active(end.path)}
        for end in ends:
            prefix, name = _split(end.path)
            if end.path in wanted and self.end is None and prefix not in self.failed_items:
                self._complete(end, prefix, self.nodes[name])

    def _complete(self, end: "End", prefix: str, node: Node) -> None:
        if end.succeeded:
            for name, edge in end.adds.items():
                self.nodes[name] = Node()
                self.edges.add(edge)
            self.told[end.path] = Told("succeeded")
            return
        self.failures[end.path] = self.failures.get(end.path, 0) + 1
        if not end.retryable or self.failures[end.path] > node.retries:
            self._fail(end.path, prefix, node)

    def remove(self, name: str) -> None:
        """Take a node out, with what it holds."""
        gone = {name, *self._inside(name)}
        self.nodes = {other: node for other, node in self.nodes.items() if other not in gone}
        self.edges = {e for e in self.edges if e[0] not in gone and e[2] not in gone}
        self.removed.add(name)

    def leads(self, source: str, target: str) -> bool:
        """Whether there is a way from one node to another."""
        ends = [edge[2] for edge in self.edges if edge[0] == source]
        return source == target or any(self.leads(end, target) for end in ends)

    def removable(self) -> list[str]:
        """Nodes that wait, and that nothing follows that has begun."""
        waiting = set(self.not_started())
        after = {name: {e[2] for e in self.edges if e[0] == name} for name in waiting}
        return sorted(name for name in waiting if after[name] <= waiting)

    def is_explained(self, path: str) -> bool:
        """Whether an inline step may have succeeded."""
        if not self.is_active(path):
            return False
        if self.nodes[path].kind != "map":
            return True
        inside = [s for p, s in self.expected().items() if p.startswith(f"{path}[")]
        return path in self.opened and not any(statuses & (ACTIVE | WAITS) for statuses in inside)

    def _fail(self, path: str, prefix: str, node: Node) -> None:
        ports = {"continue": {"out"}, "route": {"error"}}.get(node.on_error, set())
        self.told[path] = Told("failed", frozenset(ports))
        if node.on_error == "fail" and prefix:
            self.failed_items.add(prefix)
        elif node.on_error == "fail":
            self.end = "failed"

    def not_started(self) -> list[str]:
        """Top nodes that wait."""
        expected = self.expected()
        return [name for name in self._inside(None) if expected[name] == WAITS]

    def is_over(self) -> bool:
        """Whether every step has ended."""
        return not any(statuses & (ACTIVE | WAITS) for statuses in self.expected().values())

    # -- working it out ---------------------------------------------------------------------------

    def _groups(self) -> Iterator[tuple[str, str | None]]:
        yield "", None
        for name in sorted(self.opened):
            for index in range(ITEMS):
                yield f"{name}[{index}]/", name

    def _inside(self, parent: str | None) -> list[str]:
        return sorted(name for name, node in self.nodes.items() if node.parent == parent)

    def _into(self, name: str) -> list[Edge]:
        return [edge for edge in self.edges if edge[2] == name]

    def _ports(self, prefix: str, parent: str | None) -> Mapping[str, frozenset[str] | None]:
        """The ports that each node of a group took; None while it is open."""
        names = self._inside(parent)
        ports: dict[str, frozenset[str] | None] = dict.fromkeys(names)
        for _ in names:
            for name in names:
                statuses = self._statuses(prefix + name, name, prefix, ports)
                if told := self.told.get(prefix + name):
                    ports[name] = told.ports
                elif not statuses & (ACTIVE | WAITS):
                    ports[name] = frozenset()
        return ports

    def _statuses(
        self, path: str, name: str, prefix: str, ports: Mapping[str, frozenset[str] | None]
    ) -> frozenset[str]:
        if path in self.told:
            return frozenset({self.told[path].status})
        if self.end is not None or prefix in self.failed_items:
            return UNNEEDED
        if any(self._has_fired(join, ports) for join in self._only_leads_to(name)):
            return UNNEEDED
        waits, taken = self._counts(name, ports)
        if not self._into(name):
            return ACTIVE
        if self.nodes[name].mode == "all":
            return WAITS if waits else ACTIVE if taken else SKIPPED
        return ACTIVE if taken else WAITS if waits else SKIPPED

    def _counts(self, name: str, ports: Mapping[str, frozenset[str] | None]) -> tuple[int, int]:
        before = [(ports[source], port) for source, port, _ in self._into(name)]
        waits = sum(given is None for given, _ in before)
        return waits, sum(given is not None and port in given for given, port in before)

    def _has_fired(self, join: str, ports: Mapping[str, frozenset[str] | None]) -> bool:
        return self._counts(join, ports)[1] > 0

    def _only_leads_to(self, name: str) -> list[str]:
        """Joins of `first` that a node feeds and nothing else."""
        firsts = [other for other, node in self.nodes.items() if node.mode == "first"]
        return [join for join in firsts if join != name and self._all_ways(name, join)]

    def _all_ways(self, name: str, join: str) -> bool:
        ends = [target for source, _, target in self.edges if source == name]
        return bool(ends) and all(end == join or self._all_ways(end, join) for end in ends)


def _split(path: str) -> tuple[str, str]:
    prefix, slash, name = path.rpartition("/")
    return prefix + slash, name
