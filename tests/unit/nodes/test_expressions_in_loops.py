from collections.abc import Iterator
from typing import Any

import pytest

from backend.engine.evaluation import EvalRequest, Failure
from backend.engine.expressions import Bare
from backend.nodes.registry import SPECS
from workers.sandbox.evaluator import Evaluator

IN_A_LOOP = {
    "inputs": {"x": 2.345},
    "nodes": {"m": {"output": None, "item": {"a": 7}, "index": 2}},
    "run": {"signals": {"w": "https://heddle.example/signal"}},
    "state": {"score": 0.5},
    "round": 4,
}


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    with Evaluator() as evaluator:
        yield evaluator


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("round", 4),
        ("round(inputs.x, 1)", 2.3),
        ("round(inputs.x) + round", 6),
        ("[round(y) for y in [1.2]]", [1]),
        ("state.score", 0.5),
        ("nodes.m.item.a + nodes.m.index", 9),
        ("run.signals.w", "https://heddle.example/signal"),
    ],
)
def test_an_expression_reads_what_its_containers_give(
    evaluator: Evaluator, expression: str, value: Any
) -> None:
    request = EvalRequest(config={"value": f"{{{{ {expression} }}}}"}, scope=IN_A_LOOP)

    [resolved] = evaluator.evaluate_batch([request])

    assert resolved == {"value": value}


def test_code_calls_round_and_reads_the_number_of_its_round(evaluator: Evaluator) -> None:
    code = "half = round(2.345, 1)\n[half, round]"

    assert evaluator.run_code(code, {"round": 4}) == [2.3, 4]


def test_a_condition_of_a_loop_is_evaluated_as_it_stands(evaluator: Evaluator) -> None:
    bare = SPECS["flow.loop"].bare
    config = {"while": "state.score < 0.9 and round < 4"}

    [resolved] = evaluator.evaluate_batch([EvalRequest(config=config, scope=IN_A_LOOP, bare=bare)])

    assert isinstance(bare, Bare)
    assert not isinstance(resolved, Failure)
    assert resolved["while"] is False
