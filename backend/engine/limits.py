"""How large documents may be; what an installation sets, with the values it has otherwise."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds that are known before a run. Each is a setting, named where it is exceeded."""

    #: HEDDLE_MAX_DOCUMENT_BYTES: a document's JSON.
    document_bytes: int = 2 * 1024 * 1024
    #: HEDDLE_MAX_NODES: nodes of one document.
    nodes: int = 5_000
    #: HEDDLE_MAX_NESTING: containers inside each other.
    nesting: int = 5
    #: HEDDLE_MAX_MAP_ITEMS: what one map goes over.
    map_items: int = 100_000
    #: HEDDLE_MAX_LOOP_ROUNDS: what a loop may set as its largest number of rounds.
    loop_rounds: int = 10_000

    @property
    def edges(self) -> int:
        """Edges of one document: there is no use for more than a few to a node."""
        return 4 * self.nodes


DEFAULT_LIMITS = Limits()
