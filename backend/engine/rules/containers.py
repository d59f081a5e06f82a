"""Rules on nodes that hold nodes: who stands where, how deep, and how much that is."""

from collections.abc import Iterator

from backend.engine.compile import INPUT_KIND, OUTPUT_KIND
from backend.engine.document import Issue, Node
from backend.engine.items import written_count
from backend.engine.rules.case import Case, listed


def parents_are_containers(case: Case) -> Iterator[Issue]:
    """Find nodes that stand in something that cannot hold them."""
    for index, node in enumerate(case.document.nodes):
        if node.parent is not None and (problem := _parent_problem(case, node, node.parent)):
            yield Issue(*problem, node.id, f"nodes[{index}].parent")


def _parent_problem(case: Case, node: Node, parent: str) -> tuple[str, str] | None:
    if parent not in case.graph.nodes:
        return "bad_parent", f"It stands in {parent}, and no node has that id; remove parent."
    around = case.graph.containers_around(node.id)
    if node.id in around:
        names = listed(sorted({node.id, *around}))
        return "parent_cycle", f"These nodes stand inside each other: {names}. Remove a parent."
    spec = case.spec_of(parent)
    if spec is not None and spec.container is None:
        holders = listed([kind for kind, one in case.specs.items() if one.container])
        return (
            "bad_parent",
            f"It stands in {parent}, and a {spec.kind} holds no nodes. Remove parent, or name a "
            f"node of a kind that does ({holders}).",
        )
    return None


def containers_hold_something(case: Case) -> Iterator[Issue]:
    """Find containers with nothing to run inside."""
    parents = {node.parent for node in case.document.nodes}
    for index, node, spec in case.known():
        if spec.container is not None and node.id not in parents:
            yield Issue(
                "empty_container",
                "Nothing is inside it; put at least one node into it, or remove it.",
                node.id,
                f"nodes[{index}]",
            )


def ends_of_the_run_stand_at_the_top(case: Case) -> Iterator[Issue]:
    """Find inputs and outputs of the run inside a container, where they would be many."""
    for index, node in enumerate(case.document.nodes):
        if node.parent is None or node.kind not in (INPUT_KIND, OUTPUT_KIND):
            continue
        instead = (
            "what is inside starts with its container, and reads inputs by its expressions"
            if node.kind == INPUT_KIND
            else "set the container's result, and give it out at the top"
        )
        yield Issue(
            "not_inside",
            f"An {node.kind} does not stand inside a container: {instead}.",
            node.id,
            f"nodes[{index}].parent",
        )


def nesting_is_bounded(case: Case) -> Iterator[Issue]:
    """Find containers that are too deep inside others."""
    for index, node, spec in case.known():
        if spec.container is None:
            continue
        depth = len(case.graph.containers_around(node.id)) + 1
        if depth == case.limits.nesting + 1:
            yield Issue(
                "limit_exceeded",
                f"It is the {depth}th container inside another; at most {case.limits.nesting} may "
                "be (HEDDLE_MAX_NESTING). Put the inner part into a workflow of its own.",
                node.id,
                f"nodes[{index}].parent",
            )


def rounds_are_bounded(case: Case) -> Iterator[Issue]:
    """Find loops that allow more rounds than the installation does."""
    most = case.limits.loop_rounds
    for index, node, spec in case.known():
        wanted = node.config.get("max_iterations")
        if spec.container == "loop" and isinstance(wanted, int) and wanted > most:
            yield Issue(
                "limit_exceeded",
                f"It allows {wanted} rounds; at most {most} are allowed (HEDDLE_MAX_LOOP_ROUNDS).",
                node.id,
                f"nodes[{index}].config.max_iterations",
            )


def items_are_bounded(case: Case) -> Iterator[Issue]:
    """Find containers that go over more than the installation allows, where it is written down."""
    most = case.limits.map_items
    for index, node, spec in case.known():
        if spec.container is None:
            continue
        count = written_count(node.config.get("over"), page_size=node.config.get("page_size"))
        if count is not None and count > most:
            yield Issue(
                "limit_exceeded",
                f"It goes over {count} items; at most {most} are allowed (HEDDLE_MAX_MAP_ITEMS). "
                "Go over pages of them, or over less.",
                node.id,
                f"nodes[{index}].config.over",
            )
