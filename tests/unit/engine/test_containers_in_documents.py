from typing import Any

import pytest

from backend.engine.document import Facts, Issue
from backend.engine.limits import Limits
from tests.unit.engine.documents import check, codes, each, loop, node, read


def inside(expression: str, *, holder: dict[str, Any] | None = None) -> list[Issue]:
    """Check a node that reads this inside a container, which follows `before`."""
    around = holder or each("m")
    nodes = [node("before"), around, read("a", expression, parent="m"), node("after")]
    return check(nodes, ["before -> m", "m -> after"])


def messages(issues: list[Issue]) -> str:
    return " ".join(issue.message for issue in issues)


def test_nodes_inside_a_map_and_a_loop_inside_it_have_no_issues() -> None:
    nodes = [
        node("start", "io.input"),
        each("m", "{{ inputs.list }}", result="{{ [index, nodes.l.output, item] }}"),
        read("a", "item.x", parent="m"),
        loop(
            "l",
            parent="m",
            state="{{ item }}",
            while_="state < 3 and round < 9",
            next="{{ state + nodes.b.output + index }}",
            result="{{ [state, round] }}",
        ),
        read("b", "[state, round, item, nodes.m.index, nodes.a.output, inputs.y]", parent="l"),
        read("c", "nodes.b.output", parent="l"),
        node("end", "io.output", {"value": "{{ nodes.m.output }}"}),
    ]

    assert check(nodes, ["start -> m", "a -> l", "b -> c", "m -> end"]) == []


@pytest.mark.parametrize(
    "expression",
    [
        "item",
        "index",
        "nodes.m.item",
        "nodes['m']['index']",
        "nodes.before.output",
        "[round(x, 2) for x in [item]]",
        "list(map(round, [1.5]))",
    ],
)
def test_a_node_inside_a_map_reads_its_item_and_what_ran_before_the_map(expression: str) -> None:
    assert inside(expression) == []


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("state", "expression_name"),
        ("nodes.m.state", "reference_not_around"),
        ("nodes.before.item", "reference_not_around"),
        ("nodes.ghost.item", "unknown_reference"),
        ("nodes.after.output", "reference_not_upstream"),
        ("nodes.m.output", "reference_not_upstream"),
    ],
)
def test_a_node_inside_a_map_reads_nothing_that_is_not_there(expression: str, code: str) -> None:
    assert codes(inside(expression)) == [(code, "a")]


@pytest.mark.parametrize(
    ("config", "expression", "found"),
    [
        ({"times": 3}, "state", []),
        ({"times": 3}, "nodes.m.round + round", []),
        ({"times": 3}, "item", ["expression_name"]),
        ({"times": 3}, "nodes.m.item", ["reference_not_around"]),
        ({"over": [1, 2]}, "[item, nodes.m.index, state]", []),
    ],
)
def test_a_loop_has_an_item_only_if_it_goes_over_a_list(
    config: dict[str, Any], expression: str, found: list[str]
) -> None:
    issues = inside(expression, holder=loop("m", **config))

    assert [issue.code for issue in issues] == found


@pytest.mark.parametrize("name", ["item", "index", "state"])
def test_what_containers_set_is_not_known_outside(name: str) -> None:
    (issue,) = check([read("a", name)])

    assert (issue.code, issue.path) == ("expression_name", "nodes[0].config.text")
    assert f"It reads {name}, which is only known inside" in issue.message


def test_round_is_pythons_function_outside_a_loop() -> None:
    assert check([read("a", "round(1.5)"), read("b", "list(map(round, [1.5]))")]) == []


def test_what_runs_inside_is_read_by_its_containers_output() -> None:
    nodes = [
        each("m"),
        each("inner", parent="m"),
        node("a", parent="inner"),
        read("outside", "nodes.a.output"),
        read("beside", "nodes.a.output", parent="m"),
    ]

    issues = check(nodes, ["m -> outside", "inner -> beside"])

    assert codes(issues) == [("reference_inside", "outside"), ("reference_inside", "beside")]
    assert "read nodes.m.output instead" in issues[0].message
    assert "read nodes.inner.output instead" in issues[1].message


@pytest.mark.parametrize(
    ("setting", "expression", "code"),
    [
        ("while_", "nodes.a.output > 1", "reference_inside"),
        ("while_", "state < 3 and round < 2 and nodes.before.output", None),
        ("while_", "item", "expression_name"),
        ("state", "{{ nodes.a.output }}", "reference_inside"),
        ("state", "{{ state }}", "expression_name"),
        ("times", "{{ len(nodes.before.output) }}", None),
        ("next", "{{ nodes.a.output + state + round + item }}", None),
        ("next", "{{ nodes.m.item }}", None),
        ("next", "{{ nodes.deep.output }}", "reference_inside"),
        ("result", "{{ [nodes.a.output, nodes.inner.output, state, round] }}", None),
        ("result", "{{ item }}", "expression_name"),
        ("result", "{{ nodes.m.item }}", "reference_not_around"),
        ("result", "{{ nodes.m.output }}", "reference_not_upstream"),
        ("result", "{{ nodes.after.output }}", "reference_not_upstream"),
    ],
)
def test_each_setting_of_a_loop_reads_what_is_there_when_it_is_evaluated(
    setting: str, expression: str, code: str | None
) -> None:
    config: dict[str, Any] = {"over": [1], setting: expression}
    nodes = [
        node("before"),
        loop("m", **config),
        node("a", parent="m"),
        each("inner", parent="m"),
        node("deep", parent="inner"),
        node("after"),
    ]

    issues = check(nodes, ["before -> m", "m -> after"])

    assert [issue.code for issue in issues] == ([code] if code else [])


def test_the_result_of_an_item_reads_the_item_and_the_nodes_inside() -> None:
    nodes = [each("m", result="{{ [item, index, nodes.a.output] }}"), node("a", parent="m")]

    assert check(nodes) == []


def test_what_a_map_goes_over_does_not_read_what_is_inside() -> None:
    (issue,) = check([each("m", "{{ nodes.a.output }}"), node("a", parent="m")])

    assert issue.code == "reference_inside"
    assert "has not run when over is evaluated" in issue.message


@pytest.mark.parametrize("edge", ["a -> m", "m -> a", "before -> a", "a -> after", "a -> b"])
def test_an_edge_across_a_border_is_found(edge: str) -> None:
    nodes = [
        node("before"),
        each("m"),
        node("a", parent="m"),
        each("n"),
        node("b", parent="n"),
        node("after"),
    ]

    issues = check(nodes, [edge])

    assert "edge_across_border" in {issue.code for issue in issues}


def test_a_parent_that_cannot_hold_a_node_is_found() -> None:
    nodes = [node("a"), node("b", parent="a"), node("c", parent="ghost")]

    assert codes(check(nodes)) == [("bad_parent", "b"), ("bad_parent", "c")]


def test_containers_that_stand_inside_each_other_are_found() -> None:
    nodes = [each("m", parent="n"), each("n", parent="m"), node("a", parent="n")]

    assert codes(check(nodes)) == [("parent_cycle", "m"), ("parent_cycle", "n")]


def test_a_container_of_an_unknown_kind_is_named_once() -> None:
    assert codes(check([node("m", "acme.each"), node("a", parent="m")])) == [("unknown_kind", "m")]


def test_an_empty_container_is_found() -> None:
    assert codes(check([each("m"), loop("l")])) == [
        ("empty_container", "m"),
        ("empty_container", "l"),
    ]


@pytest.mark.parametrize("kind", ["io.input", "io.output"])
def test_the_ends_of_a_run_do_not_stand_inside_a_container(kind: str) -> None:
    config = {"value": 1} if kind == "io.output" else {}

    issues = check([each("m"), node("a", kind, config, parent="m")])

    assert ("not_inside", "a") in codes(issues)


def test_a_stop_may_stand_inside_a_container() -> None:
    assert check([each("m"), node("s", "flow.stop", {"value": "{{ item }}"}, parent="m")]) == []


def test_nesting_that_is_too_deep_is_found_once_and_names_the_setting() -> None:
    names = [f"m{depth}" for depth in range(6)]
    nodes = [each(name, parent=parent) for name, parent in zip(names, [None, *names], strict=False)]
    nodes.append(node("a", parent="m5"))

    assert check(nodes, limits=Limits(nesting=6)) == []
    (issue,) = check(nodes, limits=Limits(nesting=4))

    assert (issue.code, issue.node_id) == ("limit_exceeded", "m4")
    assert "HEDDLE_MAX_NESTING" in issue.message


@pytest.mark.parametrize(
    ("holder", "setting", "path"),
    [
        (each("m", 11), "HEDDLE_MAX_MAP_ITEMS", "over"),
        (each("m", list(range(11))), "HEDDLE_MAX_MAP_ITEMS", "over"),
        (each("m", {"range": [0, 22, 2]}), "HEDDLE_MAX_MAP_ITEMS", "over"),
        (each("m", 25, page_size=2), "HEDDLE_MAX_MAP_ITEMS", "over"),
        (loop("m", times=2, max_iterations=11), "HEDDLE_MAX_LOOP_ROUNDS", "max_iterations"),
    ],
)
def test_more_than_the_installation_allows_is_found_before_the_run(
    holder: dict[str, Any], setting: str, path: str
) -> None:
    (issue,) = check([holder, node("a", parent="m")], limits=Limits(map_items=10, loop_rounds=10))

    assert (issue.code, issue.path) == ("limit_exceeded", f"nodes[0].config.{path}")
    assert setting in issue.message


def test_what_is_only_known_in_the_run_is_not_counted_before() -> None:
    holder = each("m", {"range": [0, "{{ inputs.n }}"]})

    assert check([holder, node("a", parent="m")], limits=Limits(map_items=1)) == []


def test_a_cycle_and_a_join_that_never_fires_are_found_inside_too() -> None:
    nodes = [
        each("m"),
        node("a", parent="m"),
        node("b", parent="m"),
        node("j", "flow.join", {"mode": "n", "n": 2}, parent="m"),
    ]

    issues = check(nodes, ["a -> b", "b -> a", "b -> j"])

    assert codes(issues) == [("cycle", "a"), ("cycle", "b"), ("join_never_fires", "j")]


def test_nodes_inside_start_with_their_container_so_none_is_called_unreachable() -> None:
    nodes = [node("start", "io.input"), each("m"), node("a", parent="m"), node("b", parent="m")]

    assert check(nodes, ["start -> m"]) == []
    assert codes(check(nodes)) == [("unreachable", "m")]


def test_an_address_of_a_signal_that_nobody_waits_for_is_a_warning() -> None:
    waiting = node("w", "flow.wait", {"signal": True})
    plain = node("p", "flow.wait", {"seconds": 1})

    issues = check([waiting, plain, read("a", "[run.signals.w, run.signals['p'], run.id]")])

    assert [(i.code, i.node_id, i.severity) for i in issues] == [("unknown_signal", "a", "warning")]
    assert "run.signals.p" in messages(issues)


def test_a_workflow_that_the_workspace_lacks_is_found_before_the_run() -> None:
    nodes = [node("a", "flow.workflow", {"workflow": "gone"})]

    assert check(nodes) == []
    assert check(nodes, facts=Facts(workflow_ids=frozenset({"gone"}))) == []
    assert codes(check(nodes, facts=Facts(workflow_ids=frozenset()))) == [("unknown_workflow", "a")]


def test_a_stop_may_share_the_name_of_an_output_and_two_outputs_may_not() -> None:
    stop = node("s", "flow.stop", {"name": "answer"})
    again = node("t", "flow.stop", {"name": "answer"})
    output = node("o", "io.output", {"name": "answer", "value": 1})
    other = node("p", "io.output", {"name": "answer", "value": 1})

    assert check([stop, again, output]) == []
    assert codes(check([stop, output, other])) == [("duplicate_output", "p")]


def test_a_chain_of_maps_with_many_nodes_inside_is_checked() -> None:
    nodes: list[dict[str, Any]] = []
    edges = []
    for m in range(50):
        nodes.append(each(f"m{m}"))
        nodes += [node(f"m{m}_{i}", parent=f"m{m}") for i in range(49)]
        nodes.append(read(f"m{m}_last", f"[item, nodes.m{m}_0.output]", parent=f"m{m}"))
        edges += [f"m{m}_{i} -> m{m}_{i + 1}" for i in range(48)] + [f"m{m}_48 -> m{m}_last"]

    assert check(nodes, edges) == []
