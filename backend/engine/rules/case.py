"""What a rule looks at, and how it names places."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from backend.engine.document import Document, Facts, Node
from backend.engine.graph import Graph
from backend.engine.limits import Limits
from backend.engine.spec import KindSpec


@dataclass(frozen=True)
class Case:
    """A document with what is known of its kinds, its workspace and its installation."""

    document: Document
    graph: Graph
    specs: Mapping[str, KindSpec]
    facts: Facts
    limits: Limits

    def known(self) -> Iterator[tuple[int, Node, KindSpec]]:
        """Nodes of known kinds, with their place in the document."""
        for index, node in enumerate(self.document.nodes):
            if (spec := self.specs.get(node.kind)) is not None:
                yield index, node, spec

    def spec_of(self, node_id: str) -> KindSpec | None:
        """Find the spec of a node's kind; None if either does not exist."""
        node = self.graph.nodes.get(node_id)
        return self.specs.get(node.kind) if node else None

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Places of the nodes by their ids; of several with one id the first."""
        found: dict[str, int] = {}
        for place, node in enumerate(self.document.nodes):
            found.setdefault(node.id, place)
        return found


def setting_path(index: int, path: str) -> str:
    """Place a path within the settings of a node in the document."""
    if not path:
        return f"nodes[{index}].config"
    return f"nodes[{index}].config{'' if path.startswith('[') else '.'}{path}"


def listed(names: Sequence[str]) -> str:
    """Write names one after the other, of many the first ten."""
    if not names:
        return "none"
    return ", ".join(names[:10]) + (" and others" if len(names) > 10 else "")
