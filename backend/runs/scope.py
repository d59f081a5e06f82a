"""What the expressions of a step may read: the names in its scope, and where their values lie."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID

from backend.engine.containers import ScopeState
from backend.engine.plan import ROOT_SCOPE, Key, Plan
from backend.runs.outputs import Outputs
from backend.runs.signal_urls import signal_url


class ScopedSteps(Protocol):
    """The steps and scopes that a view looks into."""

    def ports_of(self, key: Key) -> Sequence[str]:
        """Out ports that a step took."""
        ...

    def scope(self, no: int) -> ScopeState:
        """The scope with this number."""
        ...


class View:
    """One run as its steps see it."""

    def __init__(
        self,
        plan: Plan,
        *,
        steps: ScopedSteps,
        outputs: Outputs,
        inputs: Mapping[str, Any],
        run_names: Mapping[str, Any],
    ) -> None:
        self.plan = plan
        self.outputs = outputs
        self.inputs = inputs
        self._steps = steps
        self._run_names = run_names

    def arrived(self, key: Key) -> tuple[Key, ...]:
        """The steps whose taken edges lead to this one, each once, in the order of edges."""
        sources = (
            Key(key.scope, edge.source)
            for edge in self.plan.incoming[key.no]
            if edge.source_port in self._steps.ports_of(Key(key.scope, edge.source))
        )
        return tuple(dict.fromkeys(sources))

    def prefetch(
        self, keys: Iterable[Key], arrived: Mapping[Key, tuple[Key, ...]] | None = None
    ) -> None:
        """Read the outputs that these steps need, all at once."""
        wanted = {source for sources in (arrived or {}).values() for source in sources}
        for key in keys:
            wanted.update(read for _, read in self._reads(key.no, key.scope))
        self.outputs.of(wanted)

    def names(self, key: Key, *, inside: int | None = None) -> dict[str, Any]:
        """The names that a step's settings may read.

        With `inside` they are a container's settings that are evaluated for one of its items or
        rounds: what stands inside that scope can be read too.
        """
        scope = key.scope if inside is None else inside
        reads = self._reads(key.no, scope)
        values = self.outputs.of([read for _, read in reads])
        nodes: dict[str, Any] = {node_id: {"output": values[read]} for node_id, read in reads}
        names: dict[str, Any] = {"inputs": self.inputs, "nodes": nodes, "run": self._run_names}
        if self.plan.signal_nodes:
            names["run"] = {**self._run_names, "signals": self._signals(scope)}
        while scope != ROOT_SCOPE:
            state = self._steps.scope(scope)
            own = self._own_names(state)
            for name, value in own.items():
                names.setdefault(name, value)
            container_id = self.plan.nodes[state.container.no].id
            nodes[container_id] = {**own, **nodes.get(container_id, {})}
            scope = state.container.scope
        return names

    def item(self, scope: ScopeState) -> Any:
        """What a scope's container goes over, at the scope's place; None if it only counts."""
        items = self.outputs.items(scope.container)
        return items[scope.index] if scope.index < len(items) else None

    def _signals(self, scope: int) -> dict[str, str]:
        """Addresses of the waits that stand in this scope or around it, by their ids."""
        prefixes: dict[int | None, str] = {None: ""}
        while scope != ROOT_SCOPE:
            state = self._steps.scope(scope)
            prefixes[state.container.no] = state.path
            scope = state.container.scope
        run_id = UUID(self._run_names["id"])
        return {
            node.id: signal_url(run_id, f"{prefixes[node.parent]}{node.id}")
            for node in map(self.plan.nodes.__getitem__, self.plan.signal_nodes)
            if node.parent in prefixes
        }

    def _own_names(self, scope: ScopeState) -> dict[str, Any]:
        rule = self.plan.nodes[scope.container.no].container
        if rule is not None and rule.mode == "map":
            return {"item": self.item(scope), "index": scope.index}
        names = {"state": scope.state, "round": scope.index}
        if "over" in self.plan.nodes[scope.container.no].config:
            names |= {"item": self.item(scope), "index": scope.index}
        return names

    def _reads(self, no: int, scope: int) -> list[tuple[str, Key]]:
        """Where the outputs lie that a node reads: in its scope, or in one around it."""
        around: dict[int | None, int] = {None: ROOT_SCOPE}
        while scope != ROOT_SCOPE:
            container = self._steps.scope(scope).container
            around[container.no] = scope
            scope = container.scope
        return [
            (self.plan.nodes[read].id, Key(around[self.plan.nodes[read].parent], read))
            for read in self.plan.nodes[no].reads
            if self.plan.nodes[read].parent in around
        ]
