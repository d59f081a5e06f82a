from typing import Any

import pytest

from backend.engine.config_check import ConfigInvalid
from backend.engine.evaluation import Failure
from backend.nodes.base import NodeError, Outcome
from backend.nodes.registry import KINDS


def evaluate(kind: str, config: dict[str, Any], inputs: dict[str, Any] | None = None) -> Outcome:
    chosen = KINDS[kind]
    assert chosen.evaluate is not None
    outcome = chosen.evaluate(chosen.spec.load_config(config), inputs or {})
    assert isinstance(outcome, Outcome)
    return outcome


def branch(*whens: Any, **more: Any) -> dict[str, Any]:
    return {"cases": [{"port": f"p{n}", "when": when} for n, when in enumerate(whens)], **more}


def test_input_gives_the_runs_inputs() -> None:
    assert evaluate("io.input", {}, {"topic": "tea"}).output == {"topic": "tea"}


def test_output_gives_its_value_of_any_type() -> None:
    assert evaluate("io.output", {"value": [1, {"a": None}]}).output == [1, {"a": None}]


def test_set_gives_its_values_as_one_object() -> None:
    assert evaluate("data.set", {"values": {"a": 1, "b": None}}).output == {"a": 1, "b": None}


@pytest.mark.parametrize(
    ("value", "text"), [("x", "x"), (None, ""), (3, "3"), ([1, "ä"], '[1, "ä"]')]
)
def test_a_text_is_text_also_where_its_expression_gives_something_else(
    value: Any, text: str
) -> None:
    assert evaluate("data.template", {"text": value}).output == text


def test_branch_takes_the_first_true_case_and_passes_its_predecessors_output_on() -> None:
    outcome = evaluate("flow.branch", branch(0, "yes", 1), {"before": {"a": 1}})

    assert (outcome.ports, outcome.output) == (("p1",), {"a": 1})


def test_branch_passes_several_outputs_on_by_their_sources() -> None:
    outcome = evaluate("flow.branch", branch(1), {"a": 1, "b": 2})

    assert outcome.output == {"a": 1, "b": 2}


def test_branch_takes_its_default_when_no_case_is_true() -> None:
    assert evaluate("flow.branch", branch([], None)).ports == ("else",)
    assert evaluate("flow.branch", branch(0, default="rest")).ports == ("rest",)


def test_branch_without_a_default_takes_nothing_when_no_case_is_true() -> None:
    assert evaluate("flow.branch", branch(0, default=None)).ports == ()


def test_branch_takes_every_true_case_when_it_is_set_to() -> None:
    assert evaluate("flow.branch", branch(1, 0, 1, take_all=True)).ports == ("p0", "p2")
    assert evaluate("flow.branch", branch(0, take_all=True)).ports == ("else",)


def test_a_case_that_fails_matters_only_if_it_is_reached() -> None:
    broken = Failure(code="expression_failed", message="no key.")

    assert evaluate("flow.branch", branch(1, broken)).ports == ("p0",)
    with pytest.raises(NodeError, match=r"Case 2 \(p1\): no key."):
        evaluate("flow.branch", branch(0, broken))
    with pytest.raises(NodeError):
        evaluate("flow.branch", branch(1, broken, take_all=True))


def test_join_gives_what_arrived_by_its_sources() -> None:
    assert evaluate("flow.join", {"mode": "all"}, {"a": 1, "b": None}).output == {"a": 1, "b": None}
    assert evaluate("flow.join", {"mode": "n", "n": 2}, {}).output == {}


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("flow.join", {"mode": "n"}),
        ("flow.join", {"mode": "n", "n": 0}),
        ("flow.join", {"mode": "most"}),
        ("flow.branch", {"cases": []}),
        ("flow.branch", {"cases": [{"port": "a", "when": 1}, {"port": "a", "when": 1}]}),
        ("flow.branch", {"cases": [{"port": "a b", "when": 1}]}),
        ("flow.branch", {"cases": [{"port": "error", "when": 1}]}),
        ("data.set", {"values": [1]}),
        ("data.template", {}),
        ("io.output", {"value": 1, "unknown": 2}),
    ],
)
def test_settings_that_do_not_fit_are_refused(kind: str, config: dict[str, Any]) -> None:
    with pytest.raises(ConfigInvalid):
        KINDS[kind].spec.load_config(config)
