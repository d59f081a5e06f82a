"""What the settings of a node may read beside the outputs of nodes: names that containers set."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from backend.engine.document import Node
from backend.engine.graph import Graph
from backend.engine.spec import KindSpec

ITEM = frozenset({"item", "index"})
ROUND = frozenset({"state", "round"})

Mode = Literal["map", "loop"]


@dataclass(frozen=True)
class View:
    """What one setting of a node may read."""

    #: `item`, `index`, `state`, `round`, as far as they are there.
    names: frozenset[str]
    #: What the containers give by their ids, as in `nodes.<id>.item`; only those around.
    by_id: Mapping[str, frozenset[str]]
    #: The outputs of the nodes inside: of a container's settings that follow them.
    inside: bool = False


def names_inside(mode: Mode, config: Mapping[str, Any]) -> frozenset[str]:
    """Name what the nodes inside a container find there."""
    if mode == "map":
        return ITEM
    return ROUND | ITEM if config.get("over") is not None else ROUND


def view(graph: Graph, specs: Mapping[str, KindSpec], node: Node, *, setting: str) -> View:
    """Tell what a setting of a node may read; `setting` is its name at the top level."""
    by_id: dict[str, frozenset[str]] = {}
    for container in graph.containers_around(node.id):
        around = graph.nodes[container]
        spec = specs.get(around.kind)
        if spec is not None and spec.container is not None:
            by_id[container] = names_inside(spec.container, around.config)
    spec = specs.get(node.kind)
    inside = False
    if spec is not None and spec.container is not None and setting in spec.deferred:
        by_id[node.id] = _names_of_deferred(spec.container, node.config, setting)
        inside = setting != "while"
    return View(frozenset().union(*by_id.values()), by_id, inside)


def _names_of_deferred(mode: Mode, config: Mapping[str, Any], setting: str) -> frozenset[str]:
    # A loop's condition and result belong to no round, so there is no item for them.
    if mode == "loop" and setting != "next":
        return ROUND
    return names_inside(mode, config)
