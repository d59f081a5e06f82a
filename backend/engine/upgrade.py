"""Old documents made new: one function for each step of the schema and of a kind's version."""

from collections.abc import Callable, Mapping
from typing import Any

Upgrade = Callable[[dict[str, Any]], dict[str, Any]]

#: From the schema's name to the function that writes the next one. heddle/1 is the first.
SCHEMA_UPGRADES: Mapping[str, Upgrade] = {}
#: From (kind, version) to the function that turns a node of it into one of the next version.
NODE_UPGRADES: Mapping[tuple[str, int], Upgrade] = {}


def upgrade_document(
    data: Mapping[str, Any],
    *,
    schemas: Mapping[str, Upgrade] = SCHEMA_UPGRADES,
    nodes: Mapping[tuple[str, int], Upgrade] = NODE_UPGRADES,
) -> dict[str, Any]:
    """Bring a document to the current schema and its nodes to the current versions.

    What no function knows is left exactly as it is: validation then says so, and nothing is lost.
    Each function gets the value and returns a new one; it must raise the version or the schema.
    """
    document = dict(data)
    while (step := schemas.get(str(document.get("schema")))) is not None:
        document = step(document)
    if isinstance(document.get("nodes"), list):
        document["nodes"] = [_upgrade_node(node, nodes) for node in document["nodes"]]
    return document


def _upgrade_node(node: Any, upgrades: Mapping[tuple[str, int], Upgrade]) -> Any:
    if not isinstance(node, dict):
        return node
    while (step := upgrades.get((str(node.get("kind")), _version(node)))) is not None:
        node = step(node)
    return node


def _version(node: Mapping[str, Any]) -> int:
    version = node.get("kind_version")
    return version if isinstance(version, int) else 0
