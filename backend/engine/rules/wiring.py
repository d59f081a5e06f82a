"""Rules on edges: which ports they connect, and what way they lead."""

from collections.abc import Iterator
from typing import Any

from backend.engine.compile import INPUT_KIND, JOIN_KIND
from backend.engine.document import Issue, Node
from backend.engine.graph import Wire, group_by_target
from backend.engine.retry import ERROR_PORT
from backend.engine.rules.case import Case, listed


def edges_connect_ports(case: Case) -> Iterator[Issue]:
    """Find edges that connect nothing, or ports that do not exist, or twice the same."""
    seen: set[Any] = set()
    for wire in case.graph.wires:
        path = f"edges[{wire.index}]"
        yield from _end_exists(case, wire.source.node, f"{path}.from")
        yield from _end_exists(case, wire.target.node, f"{path}.to")
        yield from _source_port_exists(case, wire, f"{path}.from")
        yield from _target_port_exists(case, wire, f"{path}.to")
        if (wire.source, wire.target) in seen:
            yield Issue(
                "duplicate_edge",
                f"{wire.source.node} and {wire.target.node} are connected twice by the same ports; "
                "remove one edge.",
                wire.target.node,
                path,
            )
        seen.add((wire.source, wire.target))


def _end_exists(case: Case, node_id: str, path: str) -> Iterator[Issue]:
    if node_id not in case.graph.nodes:
        yield Issue(
            "unknown_node", f"The edge names {node_id}, and no node has that id.", None, path
        )


def _source_port_exists(case: Case, wire: Wire, path: str) -> Iterator[Issue]:
    node, spec = case.graph.nodes.get(wire.source.node), case.spec_of(wire.source.node)
    if node is None or spec is None:
        return
    ports = list(spec.out_ports_of(node.config))
    if wire.source.port == ERROR_PORT and ERROR_PORT not in ports:
        if node.policy.on_error != "route":
            yield Issue(
                "error_port_unused",
                f"Nothing leaves {node.id} by its error port: set its policy on_error to route, or "
                "remove the edge.",
                node.id,
                path,
            )
    elif wire.source.port not in ports:
        yield Issue(
            "unknown_port",
            f"{node.id} has no out port {wire.source.port}; it has {listed(ports)}.",
            node.id,
            path,
        )


def _target_port_exists(case: Case, wire: Wire, path: str) -> Iterator[Issue]:
    node, spec = case.graph.nodes.get(wire.target.node), case.spec_of(wire.target.node)
    if node is None or spec is None:
        return
    ports = [port.name for port in spec.in_ports]
    # A join tells its inputs apart by their source; any name may stand on its side of an edge.
    if wire.target.port not in ports and node.kind != JOIN_KIND:
        yield Issue(
            "unknown_port",
            f"{node.id} has no in port {wire.target.port}; it has {listed(ports)}.",
            node.id,
            path,
        )


def edges_stay_inside_borders(case: Case) -> Iterator[Issue]:
    """Find edges that lead into or out of a container."""
    nodes = case.graph.nodes
    for wire in case.graph.wires:
        source, target = nodes.get(wire.source.node), nodes.get(wire.target.node)
        if source is None or target is None or source.parent == target.parent:
            continue
        yield Issue(
            "edge_across_border",
            f"The edge leads from {_place(source)} to {_place(target)}; edges do not cross the "
            "border of a container. Connect the container itself: what is inside starts with it, "
            "and reads what ran before by its expressions.",
            target.id,
            f"edges[{wire.index}]",
        )


def _place(node: Node) -> str:
    return f"{node.id} inside {node.parent}" if node.parent else f"{node.id} at the top"


def there_is_no_cycle(case: Case) -> Iterator[Issue]:
    """Find nodes that wait for each other."""
    looping = case.graph.on_cycles
    if looping:
        names = listed(looping)
        for node_id in looping:
            yield Issue(
                "cycle",
                f"These nodes wait for each other: {names}. Remove an edge between them.",
                node_id,
                f"nodes[{case.index[node_id]}]",
            )


def every_node_is_reachable(case: Case) -> Iterator[Issue]:
    """Warn of nodes that no input leads to."""
    starts = [node.id for node in case.document.nodes if node.kind == INPUT_KIND]
    if not starts:
        return
    reached = case.graph.reachable_from(starts)
    for index, node in enumerate(case.document.nodes):
        # What a container holds starts with its items, however it is connected.
        if node.parent is None and node.id not in reached and node.id not in case.graph.on_cycles:
            yield Issue(
                "unreachable",
                f"No path leads from {listed(starts)} to it: it starts at once with every run. "
                "Connect it if it should wait.",
                node.id,
                f"nodes[{index}]",
                "warning",
            )


def joins_can_fire(case: Case) -> Iterator[Issue]:
    """Find joins that wait for more branches than they have."""
    incoming = group_by_target(case.graph.wires)
    for index, node in enumerate(case.document.nodes):
        if node.kind != JOIN_KIND:
            continue
        branches = len(incoming.get(node.id, ()))
        needed = node.config.get("n") if node.config.get("mode") == "n" else 1
        if isinstance(needed, int) and branches < needed:
            yield Issue(
                "join_never_fires",
                f"It waits for {needed} of its branches and has {branches}; connect more, or "
                "lower n.",
                node.id,
                f"nodes[{index}].config.n" if needed > 1 else f"nodes[{index}]",
            )
