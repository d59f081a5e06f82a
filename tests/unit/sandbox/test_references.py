import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.engine.evaluation import EvalRequest, Failure
from backend.engine.python_text import parse_expression
from workers.sandbox.evaluator import Evaluator
from workers.sandbox.expression import Expression, compile_expression
from workers.sandbox.expression_lane import ExpressionLane, Question
from workers.sandbox.limits import EXPRESSION_LIMITS
from workers.sandbox.references import MISSING

KEYS = ["a", "b", "items", "get", "keys", "0", "é", "output"]

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=12,
)
steps = st.sampled_from(
    [f".{key}" for key in KEYS if key.isidentifier()]
    + [f"[{key!r}]" for key in KEYS]
    + ["[0]", "[1]", "[2]", "[-1]", "[True]", "[None]", "[0:1]", "[1.0]", ".nosuch", ".upper()"]
)
paths = st.builds(
    lambda root, taken: root + "".join(taken),
    st.sampled_from(["inputs", "item", "state", "nodes.a.output"]),
    st.lists(steps, max_size=4),
)


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    with Evaluator(processes=1) as evaluator:
        yield evaluator


@pytest.fixture(scope="module")
def lane() -> Iterator[ExpressionLane]:
    lane = ExpressionLane(processes=1, limits=EXPRESSION_LIMITS)
    yield lane
    lane.close()


def scope_of(value: Any) -> dict[str, Any]:
    return {"inputs": value, "item": value, "state": value, "nodes": {"a": {"output": value}}}


def compiled(text: str) -> Expression:
    python = parse_expression(text)
    assert not python.names.problems, python.names.problems
    return compile_expression(python.code, python.names.scope)


def in_sandbox(lane: ExpressionLane, text: str, scope: Mapping[str, Any]) -> Any:
    """Ask the interpreter with all that the names hold, however it could be had for less."""
    whole = Expression(compiled(text).code, compiled(text).names)
    [answer] = lane.evaluate([Question(whole, scope)], until=time.monotonic() + 60)
    return answer.message if isinstance(answer, Failure) else answer


def evaluated(evaluator: Evaluator, text: str, scope: Mapping[str, Any]) -> Any:
    request = EvalRequest(config={"v": "{{ " + text + " }}"}, scope=scope)
    [answer] = evaluator.evaluate_batch([request])
    return answer.message if isinstance(answer, Failure) else answer["v"]


@settings(deadline=None, max_examples=200)
@given(paths, json_values)
def test_what_is_looked_up_is_what_the_sandbox_would_give(
    evaluator: Evaluator, lane: ExpressionLane, text: str, value: Any
) -> None:
    ours = evaluated(evaluator, text, scope_of(value))
    theirs = in_sandbox(lane, text, scope_of(value))

    assert ours == theirs
    assert repr(ours) == repr(theirs)


@settings(deadline=None, max_examples=30)
@given(st.lists(paths, min_size=2, max_size=3), json_values)
@pytest.mark.parametrize(
    "form",
    [
        "[{0}, {1}]",
        "({0}) if ({1}) else 0",
        "len(str({0})) + len(str({1}))",
        "[x for x in [{0}, {1}] if x]",
        "({0}) or ({1})",
        "(lambda inputs: inputs)({0})",
        "[item for item in [1, {1}]]",
    ],
)
def test_an_expression_of_look_ups_is_what_it_is_with_everything_at_hand(
    evaluator: Evaluator, lane: ExpressionLane, form: str, taken: list[str], value: Any
) -> None:
    text = form.format(*taken)

    assert evaluated(evaluator, text, scope_of(value)) == in_sandbox(lane, text, scope_of(value))


@pytest.mark.parametrize(
    "text",
    ["inputs", "inputs.a.b", "nodes.a.output[0]['x']", "item", "state['n']", "1", "-2.5", "'x'",
     "None", "True", "[1, {'a': []}]"],
)  # fmt: skip
def test_look_ups_and_literals_need_no_interpreter(text: str) -> None:
    deep = {"a": {"b": 1}, "n": 2}
    scope = {"inputs": deep, "item": 3, "state": deep, "nodes": {"a": {"output": [{"x": 4}]}}}
    with Evaluator() as evaluator:
        answer = evaluated(evaluator, text, scope)

        assert not evaluator._expressions.is_started
    assert not isinstance(answer, str) or answer == "x"


def test_a_name_that_an_expression_uses_for_its_own_is_no_look_up() -> None:
    with Evaluator(processes=1) as evaluator:
        scope = {"inputs": {"list": [{"list": 5}]}}

        assert evaluated(evaluator, "[inputs.list for inputs in inputs.list]", scope) == [5]


class Tempting(dict[str, Any]):
    """Notes what it is asked for."""

    def __init__(self, **values: Any) -> None:
        super().__init__(values)
        self.asked: list[str] = []

    def get(self, key: str, default: Any = None) -> Any:
        self.asked.append(key)
        return super().get(key, default)

    def __getattr__(self, name: str) -> Any:
        self.__dict__["asked"].append(name)
        raise AttributeError(name)

    def __getitem__(self, key: str) -> Any:
        self.asked.append(key)
        return super().__getitem__(key)


@pytest.mark.parametrize("text", ["inputs.a", "inputs['a']", "inputs.nosuch", "inputs[0]"])
def test_nothing_is_asked_of_what_is_no_plain_json(text: str) -> None:
    tempting = Tempting(a=1)
    expression = compiled(text)

    assert expression.at_once is not None
    assert expression.at_once.read({"inputs": tempting}) is MISSING
    assert tempting.asked == []


def test_a_value_that_was_looked_up_belongs_to_the_step() -> None:
    value = {"list": [1]}
    with Evaluator() as evaluator:
        answer = evaluated(evaluator, "inputs", {"inputs": value})

    answer["list"].append(2)
    assert value == {"list": [1]}
