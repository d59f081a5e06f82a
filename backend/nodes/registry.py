"""The kinds of node of this installation, in the order of the palette."""

from collections.abc import Mapping
from importlib.metadata import entry_points
from types import MappingProxyType

from backend.engine.spec import KindSpec
from backend.nodes import (
    data_set,
    data_template,
    data_transform,
    flow_branch,
    flow_join,
    flow_loop,
    flow_map,
    flow_stop,
    flow_wait,
    flow_workflow,
    http_request,
    io_input,
    io_output,
    llm_chat,
)
from backend.nodes.base import Kind

ENTRY_POINT = "heddle.nodes"

BUILT_IN: tuple[Kind, ...] = (
    io_input.KIND,
    io_output.KIND,
    llm_chat.KIND,
    http_request.KIND,
    flow_branch.KIND,
    flow_join.KIND,
    flow_map.KIND,
    flow_loop.KIND,
    flow_workflow.KIND,
    flow_wait.KIND,
    flow_stop.KIND,
    data_set.KIND,
    data_template.KIND,
    data_transform.KIND,
)


class KindInvalid(Exception):
    """A package offers a kind that cannot be used; the message names both."""


def load_kinds() -> Mapping[str, Kind]:
    """Collect the built-in kinds and those that installed packages offer.

    Raises:
        KindInvalid: A package offers something else, or a kind that is there already.
    """
    kinds = {kind.spec.kind: kind for kind in BUILT_IN}
    for point in entry_points(group=ENTRY_POINT):
        offered = point.load()
        if not isinstance(offered, Kind):
            raise KindInvalid(f"The entry point {point.name} ({point.value}) is no kind of node.")
        if offered.spec.kind in kinds:
            raise KindInvalid(f"{point.value} offers {offered.spec.kind}, which is there already.")
        kinds[offered.spec.kind] = offered
    return MappingProxyType(kinds)


KINDS: Mapping[str, Kind] = load_kinds()
SPECS: Mapping[str, KindSpec] = MappingProxyType({name: kind.spec for name, kind in KINDS.items()})
