from collections.abc import Sequence
from typing import Any

import pytest

from backend.engine.document import Facts, Issue, parse_document
from backend.engine.validate import is_runnable, validate
from backend.nodes.registry import KINDS

SPECS = {name: kind.spec for name, kind in KINDS.items()}


def check(
    nodes: list[dict[str, Any]],
    edges: Sequence[str] = (),
    *,
    facts: Facts | None = None,
    **more: Any,
) -> list[Issue]:
    pairs = [edge.split(" -> ") for edge in edges]
    data = {
        "schema": "heddle/1",
        "name": "Test",
        "nodes": nodes,
        "edges": [{"from": a, "to": b} for a, b in pairs],
        **more,
    }
    return validate(parse_document(data), SPECS, facts)


def node(name: str, kind: str = "data.set", **fields: Any) -> dict[str, Any]:
    config: dict[str, Any] = {"values": {}} if kind == "data.set" else {}
    return {"id": name, "kind": kind, "config": config, **fields}


def read(name: str, expression: str) -> dict[str, Any]:
    return node(name, "data.template", config={"text": f"{{{{ {expression} }}}}"})


def codes(issues: list[Issue]) -> list[tuple[str, str | None]]:
    return [(issue.code, issue.node_id) for issue in issues]


def test_a_sound_graph_has_no_issues() -> None:
    issues = check(
        [
            node("start", "io.input"),
            read("a", "inputs.x"),
            node("end", "io.output", config={"value": "{{ nodes.a.output }}"}),
        ],
        ["start -> a", "a -> end"],
    )

    assert issues == []


def test_a_workflow_without_nodes_cannot_run() -> None:
    issues = check([])

    assert codes(issues) == [("no_nodes", None)]
    assert not is_runnable(issues)


def test_an_unknown_kind_is_kept_and_named() -> None:
    (issue,) = check([node("a", "acme.magic", config={"any": 1})])

    assert (issue.code, issue.path) == ("unknown_kind", "nodes[0].kind")
    assert "data is kept" in issue.message


def test_a_node_of_a_newer_version_asks_for_an_update() -> None:
    assert codes(check([node("a", kind_version=99)])) == [("newer_kind_version", "a")]


def test_settings_that_do_not_fit_are_named_by_path() -> None:
    (issue,) = check([node("a", "data.template", config={"text": "x", "tone": "y"})])

    assert (issue.node_id, issue.path) == ("a", "nodes[0].config.tone")


def test_two_nodes_with_one_id_are_found() -> None:
    assert codes(check([node("a"), node("a")])) == [("duplicate_id", "a")]


@pytest.mark.parametrize(
    ("edges", "code"),
    [
        (["a -> nowhere"], "unknown_node"),
        (["nowhere -> a"], "unknown_node"),
        (["a:yes -> b"], "unknown_port"),
        (["a -> b:left"], "unknown_port"),
        (["a:error -> b"], "error_port_unused"),
        (["a -> b", "a -> b"], "duplicate_edge"),
        (["a -> b", "b -> a"], "cycle"),
        (["a -> a"], "cycle"),
    ],
)
def test_an_edge_that_cannot_be_is_found(edges: list[str], code: str) -> None:
    assert code in {issue.code for issue in check([node("a"), node("b")], edges)}


def test_the_error_port_exists_when_the_policy_routes_errors() -> None:
    nodes = [node("a", policy={"on_error": "route"}), node("b")]

    assert check(nodes, ["a:error -> b"]) == []


def test_a_branch_cannot_go_on_after_an_error_by_a_port_it_does_not_have() -> None:
    config = {"cases": [{"port": "yes", "when": "True"}], "default": "no"}
    branch = node("b", "flow.branch", config=config, policy={"on_error": "continue"})
    named = {**branch, "config": {**config, "default": "out"}}

    assert codes(check([node("a"), branch], ["a -> b"])) == [("nothing_to_continue_by", "b")]
    assert check([node("a"), named], ["a -> b"]) == []


def test_a_cycle_is_marked_on_its_nodes_and_not_on_what_follows() -> None:
    nodes = [node(name) for name in "abcd"]

    issues = check(nodes, ["a -> b", "b -> c", "c -> b", "c -> d"])

    assert codes(issues) == [("cycle", "b"), ("cycle", "c")]


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("nodes.ghost.output", "unknown_reference"),
        ("nodes.b.output", "reference_not_upstream"),
        ("nodes.reader.output", "reference_not_upstream"),
    ],
)
def test_a_reference_that_cannot_be_read_is_found(expression: str, code: str) -> None:
    issues = check([node("a"), node("b"), read("reader", expression)], ["a -> reader"])

    assert codes(issues) == [(code, "reader")]


def test_a_bad_reference_names_each_setting_that_holds_it() -> None:
    values = {"first": ["{{ nodes.ghost.output }}"], "second": "{{ nodes.ghost.output }}"}

    issues = check([node("a", config={"values": values})])

    assert [issue.path for issue in issues] == [
        "nodes[0].config.values.first[0]",
        "nodes[0].config.values.second",
    ]


def test_a_reference_to_any_node_before_is_fine() -> None:
    nodes = [node("a"), node("b"), read("c", "nodes.a.output")]

    assert check(nodes, ["a -> b", "b -> c"]) == []


def test_a_node_that_no_input_leads_to_is_a_warning_only() -> None:
    issues = check([node("start", "io.input"), node("a"), node("lonely")], ["start -> a"])

    assert [(i.code, i.node_id, i.severity) for i in issues] == [
        ("unreachable", "lonely", "warning")
    ]
    assert is_runnable(issues)


@pytest.mark.parametrize(
    ("config", "edges"),
    [({"mode": "n", "n": 3}, ["a -> j", "b -> j"]), ({"mode": "all"}, []), ({"mode": "first"}, [])],
)
def test_a_join_that_can_never_fire_is_found(config: dict[str, Any], edges: list[str]) -> None:
    issues = check([node("a"), node("b"), node("j", "flow.join", config=config)], edges)

    assert ("join_never_fires", "j") in codes(issues)


def test_inputs_that_are_no_schema_are_found() -> None:
    assert codes(check([node("a")], inputs={"type": "nonsense"})) == [("bad_inputs", None)]
    assert codes(check([node("a")], inputs={"type": "array"})) == [("bad_inputs", None)]
    assert codes(check([node("a")], inputs={"$ref": "file:///etc/hosts"})) == [("bad_inputs", None)]


def test_two_outputs_of_one_name_are_found() -> None:
    value = {"value": "{{ nodes.a.output }}", "name": "answer"}
    nodes = [node("a"), node("x", "io.output", config=value), node("y", "io.output", config=value)]

    assert codes(check(nodes, ["a -> x", "a -> y"])) == [("duplicate_output", "y")]


def test_a_credential_that_the_workspace_lacks_is_found_before_the_run() -> None:
    chat = node("a", "llm.chat", config={"prompt": "Hi", "credential": "gone"})
    facts = Facts(credential_ids=frozenset({"known"}), default_credential_kinds=frozenset())

    assert codes(check([chat], facts=facts)) == [("missing_credential", "a")]


def test_a_workspace_without_a_model_endpoint_is_warned_of() -> None:
    chat = node("a", "llm.chat", config={"prompt": "Hi"})
    without = Facts(credential_ids=frozenset(), default_credential_kinds=frozenset())
    having = Facts(credential_ids=frozenset(), default_credential_kinds=frozenset({"openai"}))

    assert [(i.code, i.severity) for i in check([chat], facts=without)] == [
        ("missing_credential", "warning")
    ]
    assert check([chat], facts=having) == []


def test_a_parent_that_is_no_container_is_found() -> None:
    assert codes(check([node("a"), node("b", parent="a")])) == [("bad_parent", "b")]


def test_every_issue_comes_at_once_with_errors_first() -> None:
    issues = check(
        [
            node("start", "io.input"),
            node("lonely"),
            node("odd", "acme.magic"),
            read("r", "nodes.x.output"),
        ],
        ["start -> odd"],
    )

    assert [issue.severity for issue in issues] == ["error", "error", "warning", "warning"]


def test_a_graph_of_five_thousand_nodes_in_a_chain_is_checked() -> None:
    nodes = [node(f"n{i}") for i in range(5000)]
    nodes[-1] = read("n4999", "nodes.n0.output")

    assert check(nodes, [f"n{i} -> n{i + 1}" for i in range(4999)]) == []
