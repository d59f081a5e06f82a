from typing import Any

import pytest

from backend.engine.document import Document, DocumentMalformed, DocumentTooLarge, Issue
from backend.engine.limits import DEFAULT_LIMITS, Limits
from backend.engine.patches import (
    PatchMalformed,
    apply_operations,
    check_patch,
    parse_operations,
)
from tests.unit.engine.documents import SPECS, document, each, node, read

GRAPH = document(
    [
        node("a"),
        node("b"),
        each("m"),
        node("i", parent="m"),
        node("k", parent="m"),
        read("end", "nodes.b.output"),
    ],
    ["a -> b", "a -> m", "i -> k", "b -> end", "m -> end"],
)


def edge(text: str) -> dict[str, str]:
    source, target = text.split(" -> ")
    return {"from": source, "to": target}


def add(*args: Any, **fields: Any) -> dict[str, Any]:
    return {"op": "add_node", "node": node(*args, **fields)}


def replace(*args: Any, **fields: Any) -> dict[str, Any]:
    return {"op": "replace_node", "node": node(*args, **fields)}


def remove(name: str) -> dict[str, Any]:
    return {"op": "remove_node", "id": name}


def connect(text: str) -> dict[str, Any]:
    return {"op": "add_edge", "edge": edge(text)}


def cut(text: str) -> dict[str, Any]:
    return {"op": "remove_edge", "edge": edge(text)}


def patched(*operations: dict[str, Any]) -> Document:
    return apply_operations(GRAPH, parse_operations(operations))


def checked(
    *operations: dict[str, Any], started: str = "", limits: Limits = DEFAULT_LIMITS
) -> list[Issue]:
    parsed = parse_operations(operations)
    return check_patch(GRAPH, parsed, started=set(started.split()), specs=SPECS, limits=limits)


def ids(document: Document) -> list[str]:
    return [one.id for one in document.nodes]


def edges(document: Document) -> list[str]:
    return [f"{one.from_} -> {one.to}" for one in document.edges]


def codes(issues: list[Issue]) -> list[str]:
    return [issue.code for issue in issues]


def test_nodes_and_edges_are_added_behind_what_is_there() -> None:
    changed = patched(add("new"), connect("b -> new"), connect("new:out -> end"))

    assert ids(changed) == [*ids(GRAPH), "new"]
    assert edges(changed)[-2:] == ["b -> new", "new:out -> end"]
    assert checked(add("new"), connect("b -> new"), started="a b") == []


def test_a_removed_node_takes_its_edges_along() -> None:
    changed = patched(remove("m"))

    assert ids(changed) == ["a", "b", "end"]
    assert edges(changed) == ["a -> b", "b -> end"]


def test_a_replaced_node_keeps_its_place_and_its_edges() -> None:
    changed = patched(replace("b", "data.template", {"text": "x"}))

    assert ids(changed) == ids(GRAPH)
    assert changed.nodes[1].kind == "data.template"
    assert edges(changed) == edges(GRAPH)


def test_an_edge_is_found_however_its_ends_are_written() -> None:
    assert edges(patched(cut("b:out -> end:in"))) == ["a -> b", "a -> m", "i -> k", "m -> end"]


def test_the_graph_that_is_patched_stays_as_it_was() -> None:
    before = GRAPH.model_dump()

    patched(remove("m"), add("new"), cut("a -> b"))

    assert GRAPH.model_dump() == before


@pytest.mark.parametrize(
    ("operation", "code", "path"),
    [
        (add("a"), "duplicate_id", "operations[0].node.id"),
        (replace("ghost"), "unknown_node", "operations[0].node.id"),
        (remove("ghost"), "unknown_node", "operations[0].id"),
        (connect("a:out -> b"), "duplicate_edge", "operations[0].edge"),
        (cut("a -> end"), "unknown_edge", "operations[0].edge"),
    ],
)
def test_an_operation_that_cannot_be_carried_out_is_named(
    operation: dict[str, Any], code: str, path: str
) -> None:
    (issue,) = checked(operation)

    assert (issue.code, issue.path) == (code, path)
    with pytest.raises(PatchMalformed, match="cannot be carried out") as refused:
        patched(operation)
    assert refused.value.issues == [issue.to_json()]


@pytest.mark.parametrize(
    "operation",
    [
        remove("b"),
        replace("b"),
        connect("m -> b"),
        cut("a -> b"),
        add("new", parent="m"),
        remove("i"),
        replace("i", parent="m"),
        replace("end", parent="m"),
        cut("i -> k"),
        connect("i:out -> k:in"),
    ],
)
def test_nothing_that_has_started_is_altered(operation: dict[str, Any]) -> None:
    issues = checked(operation, started="a b m")

    assert "already_started" in codes(issues)
    assert all(issue.path.startswith("operations[0]") for issue in issues)


@pytest.mark.parametrize(
    "operations",
    [
        [remove("end")],
        [replace("end", "data.template", {"text": "{{ nodes.a.output }}"})],
        [cut("m -> end")],
        [add("n"), connect("b -> n"), connect("m -> n"), connect("n -> end")],
    ],
)
def test_what_follows_a_started_node_may_change(operations: list[dict[str, Any]]) -> None:
    assert checked(*operations, started="a b m") == []


def test_a_node_that_leads_to_a_started_one_is_not_removed() -> None:
    (issue,) = checked(remove("b"), started="end")

    assert issue.code == "already_started"
    assert "replaced by a disabled one" in issue.message
    assert checked(replace("b", disabled=True), started="end") == []


def test_a_container_that_has_not_started_is_filled_and_emptied() -> None:
    assert checked(add("new", parent="m"), connect("k -> new"), remove("i"), started="a b") == []
    assert codes(checked(remove("i"), remove("k"))) == ["empty_container"]


@pytest.mark.parametrize(
    ("operations", "code"),
    [
        ([connect("end -> a")], "cycle"),
        ([add("n", "acme.magic")], "unknown_kind"),
        ([add("n", "data.template", {"text": "{{ nodes.end.output }}"})], "reference_not_upstream"),
        ([add("n", "data.template", {})], "config_missing"),
        ([cut("b -> end")], "reference_not_upstream"),
        ([remove("b")], "unknown_reference"),
        ([connect("a -> i")], "edge_across_border"),
        ([connect("a -> ghost")], "unknown_node"),
    ],
)
def test_what_comes_out_is_checked_like_a_document(
    operations: list[dict[str, Any]], code: str
) -> None:
    assert code in codes(checked(*operations))


def test_a_graph_that_would_grow_too_large_names_the_setting() -> None:
    (issue,) = checked(add("n"), limits=Limits(nodes=6))
    (other,) = checked(add("n"), limits=Limits(document_bytes=700))

    assert issue.code == other.code == "limit_exceeded"
    assert "HEDDLE_MAX_NODES" in issue.message
    assert "HEDDLE_MAX_DOCUMENT_BYTES" in other.message


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ([{"op": "move_node", "id": "a"}], "operations[0].op"),
        (["remove_node"], "operations[0].op"),
        ([{"op": "remove_node"}], "operations[0].id"),
        ([{"op": "remove_node", "id": "not an id"}], "operations[0].id"),
        ([{"op": "remove_node", "id": "a", "why": "x"}], "operations[0].why"),
        (
            [{"op": "add_node", "node": {"id": "a", "kind": "k", "colour": 1}}],
            "operations[0].node.colour",
        ),
        ([{"op": "add_edge", "edge": {"from": "a"}}], "operations[0].edge.to"),
        ([remove("a"), {"op": ["x"]}], "operations[1].op"),
    ],
)
def test_what_is_no_patch_is_refused_with_its_place(data: Any, path: str) -> None:
    with pytest.raises(PatchMalformed) as refused:
        parse_operations(data)

    assert [issue["path"] for issue in refused.value.issues or ()] == [path]


def test_every_malformed_operation_is_listed_at_once() -> None:
    with pytest.raises(PatchMalformed) as refused:
        parse_operations([{"op": "x"}, remove("a"), {"op": "remove_node", "id": 3}])

    assert len(refused.value.issues or ()) == 2


@pytest.mark.parametrize("data", [None, "text", {"op": "remove_node", "id": "a"}])
def test_a_patch_is_a_list(data: Any) -> None:
    with pytest.raises(PatchMalformed, match="list of operations"):
        parse_operations(data)


def test_a_patch_holds_only_what_can_be_stored() -> None:
    with pytest.raises(DocumentMalformed, match="patch"):
        parse_operations([add("n", config={"x": float("nan")})])
    with pytest.raises(DocumentTooLarge, match="patch"):
        parse_operations([add("n", config={"x": "y" * 99})], Limits(document_bytes=50))
