"""What a patch would alter although it has started."""

from collections.abc import Iterator, Set

from backend.engine.document import Edge, Issue, Node
from backend.engine.patch_draft import Draft, ends_of
from backend.engine.patch_operations import (
    AddEdge,
    AddNode,
    Operation,
    RemoveEdge,
    RemoveNode,
    ReplaceNode,
)


def alterations(draft: Draft, operation: Operation, at: str, started: Set[str]) -> Iterator[Issue]:
    """Find what an operation would alter although it has started, in the draft as it is so far."""
    match operation:
        case AddNode(node=node):
            yield from _put_into_started(draft, node, at, started)
        case ReplaceNode(node=node):
            yield from _node_started(draft, node.id, at, started)
            yield from _put_into_started(draft, node, at, started)
        case RemoveNode(id=node_id):
            yield from _node_started(draft, node_id, at, started)
            for edge in draft.edges_of(node_id):
                yield from _target_started(draft, edge, at, started)
        case AddEdge(edge=edge) | RemoveEdge(edge=edge):
            yield from _target_started(draft, edge, at, started)


def _put_into_started(draft: Draft, node: Node, at: str, started: Set[str]) -> Iterator[Issue]:
    for container in draft.around(node):
        if container in started:
            yield _already_started(
                f"{node.id} would stand inside {container}, which has started; put it behind "
                f"{container}, or into a container that has not started.",
                node.id,
                f"{at}.node.parent",
            )


def _node_started(draft: Draft, node_id: str, at: str, started: Set[str]) -> Iterator[Issue]:
    node = draft.nodes.get(node_id)
    around = draft.around(node) if node else ()
    if node_id in started:
        yield _already_started(
            f"{node_id} has started, and stays as it is; change what follows it, or add a node "
            "behind it.",
            node_id,
            at,
        )
    for container in around:
        if container in started:
            yield _already_started(
                f"{node_id} stands inside {container}, which has started; what is inside stays as "
                f"it is. Change what follows {container}.",
                node_id,
                at,
            )


def _target_started(draft: Draft, edge: Edge, at: str, started: Set[str]) -> Iterator[Issue]:
    target = ends_of(edge)[1].node
    node = draft.nodes.get(target)
    for name in (target, *(draft.around(node) if node else ())):
        if name in started:
            yield _already_started(
                f"The edge from {edge.from_} to {edge.to} cannot come or go: {name} has started. "
                "Lead it to a node that waits, or leave it; a node before it can be replaced by a "
                "disabled one.",
                target,
                at,
            )


def _already_started(message: str, node_id: str, path: str) -> Issue:
    return Issue("already_started", message, node_id, path)
