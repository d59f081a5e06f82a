from typing import Any

import pytest

from backend.engine.compile import compile_plan
from backend.engine.plan import ContainerRule, Plan
from tests.unit.engine.documents import SPECS, compiled, document, each, loop, node, read


def ids(plan: Plan, numbers: tuple[int, ...]) -> set[str]:
    return {plan.nodes[no].id for no in numbers}


NESTED = document(
    [
        read("after", "nodes.m.output"),
        read("b", "[nodes.a.output, nodes.before.output]", parent="inner"),
        each("m", 5, result="{{ nodes.inner.output }}", concurrency=7),
        loop("inner", parent="m", while_="state < 3", next="{{ nodes.b.output }}"),
        node("a", parent="inner"),
        node("before"),
    ],
    ["before -> m", "m -> after", "a -> b"],
)


def nested() -> Plan:
    return compile_plan(NESTED, SPECS)


def test_what_a_container_holds_is_numbered_right_behind_it() -> None:
    plan = nested()

    assert [one.id for one in plan.nodes] == ["before", "m", "inner", "a", "b", "after"]
    assert all(edge.source < edge.target for edge in plan.edges)


def test_every_node_knows_the_container_it_stands_in() -> None:
    plan = nested()

    assert ids(plan, plan.inside(None)) == {"before", "m", "after"}
    assert ids(plan, plan.inside(plan.by_id["m"].no)) == {"inner"}
    assert ids(plan, plan.containers_around(plan.by_id["b"].no)) == {"inner", "m"}
    assert ids(plan, plan.sources_in(plan.by_id["inner"].no)) == {"a"}
    assert ids(plan, plan.ends_in(plan.by_id["inner"].no)) == {"b"}


def test_a_node_reads_outer_nodes_and_a_container_those_inside() -> None:
    plan = nested()

    assert ids(plan, plan.by_id["b"].reads) == {"a", "before"}
    assert ids(plan, plan.by_id["m"].reads) == {"inner"}
    assert ids(plan, plan.by_id["inner"].reads) == {"b"}


def test_a_way_to_the_end_leads_through_what_a_container_holds() -> None:
    plan = nested()

    ranks = {one.id: one.rank for one in plan.nodes}

    assert ranks == {"after": 1, "b": 4, "a": 5, "inner": 5, "m": 5, "before": 6}


@pytest.mark.parametrize(
    ("holder", "rule"),
    [
        (each("m", 3), ContainerRule(mode="map")),
        (
            each("m", 3, concurrency=2, on_item_error="drop", max_failures=1),
            ContainerRule(mode="map", window=2, on_item_error="drop", max_failures=1),
        ),
        (
            each("m", 3, on_item_error="collect", max_failure_percent=2.5),
            ContainerRule(mode="map", on_item_error="collect", max_failure_percent=2.5),
        ),
        (loop("m", times=3), ContainerRule(mode="loop")),
        (loop("m", times=3, max_iterations=9), ContainerRule(mode="loop", max_rounds=9)),
    ],
)
def test_a_container_brings_its_rule(holder: dict[str, Any], rule: ContainerRule) -> None:
    plan = compiled([holder, node("a", parent="m")])

    assert plan.by_id["m"].container == rule
    assert plan.by_id["a"].container is None


def test_settings_that_are_evaluated_later_are_named() -> None:
    plan = nested()

    assert plan.by_id["m"].deferred == ("result",)
    assert plan.by_id["inner"].deferred == ("while", "next", "result")
    assert plan.by_id["a"].deferred == ()


@pytest.mark.parametrize(
    ("one", "effects"),
    [
        (node("a"), "none"),
        (node("a", "http.request", {"url": "u"}), "none"),
        (node("a", "http.request", {"url": "u", "method": "POST"}), "outward"),
        (node("a", "llm.chat", {"prompt": "p"}), "paid"),
        (node("a", "flow.workflow", {"workflow": "w"}), "outward"),
    ],
)
def test_a_node_knows_what_it_does_to_the_outside(one: dict[str, Any], effects: str) -> None:
    assert compiled([one]).by_id["a"].effects == effects


@pytest.mark.parametrize(
    ("config", "limits"),
    [
        ({}, ("credential:default", "model:default")),
        ({"model": "default", "credential": ""}, ("credential:default", "model:default")),
        ({"model": "large"}, ("credential:default", "model:large")),
        ({"model": "{{ inputs.m }}", "credential": "c"}, ("credential:c",)),
        ({"model": "large", "credential": "c"}, ("credential:c", "model:large")),
        ({"credential": "c"}, ("credential:c", "model:default:c")),
        ({"credential": "{{ c }}"}, ()),
    ],
)
def test_a_model_call_is_counted_by_what_is_written_down(
    config: dict[str, Any], limits: tuple[str, ...]
) -> None:
    assert compiled([node("a", "llm.chat", {"prompt": "p", **config})]).by_id["a"].limits == limits


@pytest.mark.parametrize(("config", "limits"), [({}, ()), ({"credential": "c"}, ("credential:c",))])
def test_a_request_is_counted_by_the_credential_that_it_names(
    config: dict[str, Any], limits: tuple[str, ...]
) -> None:
    assert compiled([node("a", "http.request", {"url": "u", **config})]).by_id["a"].limits == limits


def test_settings_of_the_same_name_in_another_kind_count_for_nothing() -> None:
    assert compiled([node("a", "data.set", {"values": {"model": "x"}})]).by_id["a"].limits == ()


def test_a_stop_names_an_output_unless_it_fails_the_run() -> None:
    plan = compiled(
        [
            node("a", "flow.stop"),
            node("b", "flow.stop", {"name": "answer"}),
            node("c", "flow.stop", {"fail": True, "message": "No."}),
        ]
    )

    assert [one.output_name for one in plan.nodes] == ["a", "answer", None]


def test_a_plan_with_containers_survives_json() -> None:
    assert Plan.from_json(nested().to_json()) == nested()


def test_after_a_change_nodes_keep_their_numbers_and_those_of_removed_ones_stay_taken() -> None:
    first = compiled([node("a"), node("b"), node("c")], ["a -> b", "b -> c"])
    changed = document(
        [read("c", "nodes.new.output"), node("new"), node("a"), each("m"), node("i", parent="m")],
        ["a -> new", "new -> c", "new -> m"],
    )

    plan = compile_plan(changed, SPECS, first)

    assert [(one.id, one.no) for one in plan.nodes] == [
        ("a", 0),
        ("b", 1),
        ("c", 2),
        ("new", 3),
        ("m", 4),
        ("i", 5),
    ]
    assert [one.id for one in plan.nodes if one.removed] == ["b"]
    assert plan.by_id["c"].reads == (3,)
    assert plan.by_id["i"].parent == 4
    assert {(e.source, e.target) for e in plan.edges} == {(0, 3), (3, 2), (3, 4)}


def test_a_node_that_comes_back_under_its_old_id_gets_a_new_number() -> None:
    first = compiled([node("a"), node("b")], ["a -> b"])
    without = compile_plan(document([node("a")]), SPECS, first)

    again = compile_plan(document([node("a"), node("b")], ["a -> b"]), SPECS, without)

    assert [(one.id, one.removed) for one in again.nodes] == [
        ("a", False),
        ("b", True),
        ("b", False),
    ]
    assert again.by_id["b"].no == 2


def test_the_same_document_after_itself_gives_the_same_plan() -> None:
    assert compile_plan(NESTED, SPECS, nested()) == nested()
