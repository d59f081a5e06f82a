from typing import Any

from backend.engine.compile import compile_plan
from backend.engine.document import parse_document
from backend.engine.plan import JoinRule, Plan
from backend.nodes.registry import KINDS

SPECS = {name: kind.spec for name, kind in KINDS.items()}


def compiled(nodes: list[dict[str, Any]], edges: list[tuple[str, str]]) -> Plan:
    data = {
        "schema": "heddle/1",
        "name": "Test",
        "nodes": nodes,
        "edges": [{"from": a, "to": b} for a, b in edges],
    }
    return compile_plan(parse_document(data), SPECS)


def text(name: str, template: str = "x") -> dict[str, Any]:
    return {"id": name, "kind": "data.template", "config": {"text": template}}


def test_nodes_are_numbered_so_that_edges_lead_upwards() -> None:
    plan = compiled([text("c"), text("b"), text("a")], [("a", "b"), ("b", "c")])

    assert [node.id for node in plan.nodes] == ["a", "b", "c"]
    assert all(edge.source < edge.target for edge in plan.edges)


def test_ranks_count_the_longest_way_that_is_left() -> None:
    plan = compiled(
        [text("a"), text("b"), text("c"), text("d")], [("a", "b"), ("b", "c"), ("a", "d")]
    )

    assert {node.id: node.rank for node in plan.nodes} == {"a": 3, "b": 2, "c": 1, "d": 1}


def test_a_node_knows_whose_outputs_its_expressions_read() -> None:
    plan = compiled(
        [text("a"), text("b"), text("c", "{{ nodes.a.output }}")], [("a", "b"), ("b", "c")]
    )

    assert plan.by_id["c"].reads == (plan.by_id["a"].no,)


def test_a_join_brings_its_rule_and_an_output_its_name() -> None:
    plan = compiled(
        [
            text("a"),
            {"id": "j", "kind": "flow.join", "config": {"mode": "n", "n": 1}},
            {"id": "end", "kind": "io.output", "config": {"value": "{{ nodes.j.output }}"}},
            {"id": "named", "kind": "io.output", "config": {"name": "answer", "value": "1"}},
        ],
        [("a", "j"), ("j", "end"), ("j", "named")],
    )

    assert plan.by_id["j"].join == JoinRule("n", 1)
    assert plan.by_id["a"].join == JoinRule("all", 1)
    assert (plan.by_id["end"].output_name, plan.by_id["named"].output_name) == ("end", "answer")


def test_equal_documents_give_equal_plans_that_survive_json() -> None:
    nodes, edges = [text("a"), text("b", "{{ nodes.a.output }}")], [("a", "b")]

    plan = compiled(nodes, edges)

    assert plan == compiled(nodes, edges)
    assert Plan.from_json(plan.to_json()) == plan


def test_only_feeders_are_the_nodes_all_of_whose_ways_lead_to_the_join() -> None:
    plan = compiled(
        [
            text("a"),
            text("b"),
            text("shared"),
            {"id": "j", "kind": "flow.join", "config": {"mode": "first"}},
            text("elsewhere"),
        ],
        [("a", "b"), ("b", "j"), ("shared", "j"), ("shared", "elsewhere")],
    )

    feeders = plan.only_feeders(plan.by_id["j"].no)

    assert {plan.nodes[no].id for no in feeders} == {"a", "b"}
