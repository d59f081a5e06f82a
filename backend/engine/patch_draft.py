"""A document that operations change one after the other."""

from dataclasses import dataclass

from backend.engine.document import Document, Edge, Endpoint, Issue, Node, endpoint
from backend.engine.patch_operations import (
    AddEdge,
    AddNode,
    Operation,
    RemoveEdge,
    RemoveNode,
    ReplaceNode,
)

Ends = tuple[Endpoint, Endpoint]


def ends_of(edge: Edge) -> Ends:
    """Read both ends of an edge, so that `a` and `a:out` are the same."""
    return endpoint(edge.from_, default_port="out"), endpoint(edge.to, default_port="in")


@dataclass
class Draft:
    """Nodes by their ids and edges by their ends, in the order of the document."""

    base: Document
    nodes: dict[str, Node]
    edges: dict[Ends, Edge]

    @classmethod
    def of(cls, document: Document) -> "Draft":
        """Start from a document that is valid: no id and no edge stands in it twice."""
        return cls(
            base=document,
            nodes={node.id: node for node in document.nodes},
            edges={ends_of(edge): edge for edge in document.edges},
        )

    def document(self) -> Document:
        """The document as it is now."""
        changed = {"nodes": list(self.nodes.values()), "edges": list(self.edges.values())}
        return self.base.model_copy(update=changed)

    def carry_out(self, operation: Operation, at: str) -> Issue | None:
        """Change the document; what is impossible changes nothing and is an issue."""
        match operation:
            case AddNode(node=node):
                return self._add(node, at)
            case ReplaceNode(node=node):
                return self._replace(node, at)
            case RemoveNode(id=node_id):
                return self._remove(node_id, at)
            case AddEdge(edge=edge):
                return self._connect(edge, at)
            case RemoveEdge(edge=edge):
                return self._disconnect(edge, at)

    def _add(self, node: Node, at: str) -> Issue | None:
        if node.id in self.nodes:
            text = f"There is a node {node.id} already: choose another id, or use replace_node."
            return Issue("duplicate_id", text, node.id, f"{at}.node.id")
        self.nodes[node.id] = node
        return None

    def _replace(self, node: Node, at: str) -> Issue | None:
        if node.id not in self.nodes:
            text = f"There is no node {node.id} to replace; use add_node."
            return Issue("unknown_node", text, None, f"{at}.node.id")
        self.nodes[node.id] = node
        return None

    def _remove(self, node_id: str, at: str) -> Issue | None:
        if node_id not in self.nodes:
            text = f"There is no node {node_id} to remove; check its id."
            return Issue("unknown_node", text, None, f"{at}.id")
        for gone in self.with_what_it_holds(node_id):
            for edge in self.edges_of(gone):
                self.edges.pop(ends_of(edge))
            del self.nodes[gone]
        return None

    def _connect(self, edge: Edge, at: str) -> Issue | None:
        if ends_of(edge) in self.edges:
            text = f"{edge.from_} and {edge.to} are connected already; leave the operation out."
            return Issue("duplicate_edge", text, None, f"{at}.edge")
        self.edges[ends_of(edge)] = edge
        return None

    def _disconnect(self, edge: Edge, at: str) -> Issue | None:
        if self.edges.pop(ends_of(edge), None) is None:
            text = f"No edge leads from {edge.from_} to {edge.to}; check both ends."
            return Issue("unknown_edge", text, None, f"{at}.edge")
        return None

    def with_what_it_holds(self, node_id: str) -> list[str]:
        """Ids of a node and of everything that stands inside it."""
        inside = [node.id for node in self.nodes.values() if node_id in self.around(node)]
        return [node_id, *(one for one in inside if one != node_id)]

    def edges_of(self, node_id: str) -> list[Edge]:
        """Edges that leave a node or lead to it."""
        return [
            edge
            for (source, target), edge in self.edges.items()
            if node_id in (source.node, target.node)
        ]

    def around(self, node: Node) -> tuple[str, ...]:
        """Ids of the containers that a node stands in, the innermost first."""
        found: list[str] = []
        parent = node.parent
        while parent is not None and parent not in found:
            found.append(parent)
            parent = self.nodes[parent].parent if parent in self.nodes else None
        return tuple(found)
