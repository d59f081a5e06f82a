"""How urgent nodes are: how many of them lie on the longest way to an end."""

from collections.abc import Mapping

from backend.engine.graph import Graph


def ranks(graph: Graph) -> Mapping[str, int]:
    """Count, for each node, those on the longest way from it to an end, itself included.

    A way leads through what a container holds, and from its last node on behind the container.
    """
    found: dict[str, int] = {}
    _rank(graph, None, 0, found)
    return found


def _rank(graph: Graph, container: str | None, behind: int, found: dict[str, int]) -> None:
    for node_id in reversed(graph.inside.get(container, ())):
        here = 1 + max((found[one] for one in graph.successors[node_id]), default=behind)
        _rank(graph, node_id, here, found)
        inside = (found[one] for one in graph.inside.get(node_id, ()))
        found[node_id] = max(inside, default=here)
