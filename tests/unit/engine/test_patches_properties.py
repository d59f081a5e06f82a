"""Whatever patches are accepted, the graph stays one that can run, and numbers stay."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from backend.engine.compile import compile_plan, in_order
from backend.engine.document import Document, parse_document
from backend.engine.graph import Graph
from backend.engine.patch_draft import ends_of
from backend.engine.patches import apply_operations, check_patch, parse_operations
from backend.engine.plan import Plan
from backend.engine.validate import is_runnable, validate
from tests.unit.engine.documents import SPECS, document, each, loop, node

START = document(
    [node("n0"), node("n1"), each("m"), node("n2", parent="m"), node("n3")],
    ["n0 -> n1", "n1 -> m", "m -> n3"],
)
TEXTS = ["x", "x", "{{ nodes.n0.output }}", "{{ nodes.m.output }}", "{{ item }}"]

Patch = list[dict[str, Any]]


def draw_patch(data: st.DataObject, current: Document) -> Patch:
    """Operations that mostly fit the graph, and now and then do not."""
    makers = [add_node, add_container, replace_node, remove_node, add_edge, remove_edge]
    chosen = data.draw(st.lists(st.sampled_from(makers), min_size=1, max_size=2))
    return [operation for make in chosen for operation in make(data, current)]


def any_id(data: st.DataObject, current: Document) -> str:
    return data.draw(st.sampled_from([one.id for one in current.nodes] or ["n0"]))


def fresh_id(data: st.DataObject, current: Document) -> str:
    return data.draw(st.sampled_from(sorted({f"n{n}" for n in range(30)} - ids(current))))


def text_node(data: st.DataObject, name: str, parent: str | None) -> dict[str, Any]:
    text = data.draw(st.sampled_from(TEXTS))
    return node(name, "data.template", {"text": text}, parent=parent)


def add_node(data: st.DataObject, current: Document) -> Patch:
    containers = [one.id for one in current.nodes if one.kind.startswith("flow.")]
    parent = data.draw(st.sampled_from([None, None, *containers]))
    new = text_node(data, fresh_id(data, current), parent)
    beside = [one.id for one in current.nodes if one.parent == parent]
    before = data.draw(st.lists(st.sampled_from(beside), max_size=2, unique=True)) if beside else []
    return [{"op": "add_node", "node": new}, *(connect(one, new["id"]) for one in before)]


def add_container(data: st.DataObject, current: Document) -> Patch:
    name = fresh_id(data, current)
    holder = data.draw(st.sampled_from([each, loop]))(name)
    inner = text_node(data, f"in_{name}", name)
    return [
        {"op": "add_node", "node": inner},
        {"op": "add_node", "node": holder},
        connect(any_id(data, current), name),
    ]


def replace_node(data: st.DataObject, current: Document) -> Patch:
    name = any_id(data, current)
    parent = next((one.parent for one in current.nodes if one.id == name), None)
    return [{"op": "replace_node", "node": text_node(data, name, parent)}]


def remove_node(data: st.DataObject, current: Document) -> Patch:
    return [{"op": "remove_node", "id": any_id(data, current)}]


def add_edge(data: st.DataObject, current: Document) -> Patch:
    return [connect(any_id(data, current), any_id(data, current))]


def remove_edge(data: st.DataObject, current: Document) -> Patch:
    if not current.edges:
        return []
    edge = data.draw(st.sampled_from(current.edges))
    return [{"op": "remove_edge", "edge": {"from": edge.from_, "to": edge.to}}]


def connect(source: str, target: str) -> dict[str, Any]:
    return {"op": "add_edge", "edge": {"from": source, "to": target}}


def ids(document: Document) -> set[str]:
    return {one.id for one in document.nodes}


def live_numbers(plan: Plan) -> dict[str, int]:
    return {one.id: one.no for one in plan.nodes if not one.removed}


@settings(deadline=None, max_examples=50)
@given(st.data())
def test_accepted_patches_leave_a_graph_that_can_run_and_keep_what_started(
    data: st.DataObject,
) -> None:
    current, plan = START, compile_plan(START, SPECS)
    started: set[str] = set()
    for _ in range(data.draw(st.integers(1, 8))):
        # What ran before a node has started before it.
        waiting = [name for name in in_order(Graph.of(current)) if name not in started]
        top = [name for name in waiting if Graph.of(current).nodes[name].parent is None]
        started |= set(top[: data.draw(st.integers(0, 1))])
        parsed = parse_operations(draw_patch(data, current))
        if not is_runnable(check_patch(current, parsed, started=started, specs=SPECS)):
            continue

        changed = apply_operations(current, parsed)
        after = compile_plan(changed, SPECS, plan)

        assert is_runnable(validate(changed, SPECS))
        assert parse_document(changed.model_dump(mode="json", by_alias=True)) == changed
        for name in started:
            assert definition(changed, name) == definition(current, name)
        _assert_numbers_are_kept(plan, after, changed)
        current, plan = changed, after


def definition(document: Document, name: str) -> Any:
    """All that a step which has started stands on: its node, what leads to it, what it holds."""
    nodes = [one.model_dump_json() for one in document.nodes if name in (one.id, one.parent)]
    leading = [str(ends_of(one)) for one in document.edges if ends_of(one)[1].node == name]
    return sorted(nodes), sorted(leading)


def _assert_numbers_are_kept(before: Plan, after: Plan, document: Document) -> None:
    numbers = live_numbers(after)
    assert [one.no for one in after.nodes] == list(range(len(after.nodes)))
    assert set(numbers) == {one.id for one in document.nodes}
    assert [one.id for one in after.nodes[: len(before.nodes)]] == [one.id for one in before.nodes]
    for name, number in live_numbers(before).items():
        assert numbers.get(name, number) == number
        assert name in numbers or after.nodes[number].removed
    gone = {one.no for one in after.nodes if one.removed}
    assert {one.no for one in before.nodes if one.removed} <= gone
    assert all(edge.source not in gone and edge.target not in gone for edge in after.edges)
    assert sorted(after.order) == [one.no for one in after.nodes]
    assert Plan.from_json(after.to_json()) == after
