from collections.abc import Iterator
from typing import Any

import pytest

from backend.engine.evaluation import EvalRequest, Failure
from backend.engine.expressions import Bare, find_texts
from workers.sandbox import recipe
from workers.sandbox.evaluator import Evaluator
from workers.sandbox.recipe import Recipes


@pytest.fixture
def evaluator() -> Iterator[Evaluator]:
    with Evaluator(processes=1) as evaluator:
        yield evaluator


def asked(config: dict[str, Any], n: int = 1, **more: Any) -> EvalRequest:
    return EvalRequest(config=config, scope={"inputs": {"n": n}}, **more)


def test_settings_of_many_steps_are_taken_apart_once(
    evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken_apart: list[object] = []

    def counted(config: Any, **more: Any) -> Any:
        taken_apart.append(config)
        return find_texts(config, **more)

    monkeypatch.setattr(recipe, "find_texts", counted)
    config = {"v": "{{ inputs.n }}", "deep": [{"w": "is {{ inputs.n }}"}]}

    answers = evaluator.evaluate_batch([asked(config, n) for n in range(50)])

    assert answers == [{"v": n, "deep": [{"w": f"is {n}"}]} for n in range(50)]
    assert len(taken_apart) == 1


def test_equal_settings_with_other_bare_texts_are_not_confused(evaluator: Evaluator) -> None:
    config = {"when": "inputs.n"}

    as_text, as_expression, as_code = evaluator.evaluate_batch(
        [
            asked(config),
            asked(config, bare=Bare(expressions=("when",))),
            asked(config, bare=Bare(code=("when",))),
        ]
    )

    assert (as_text, as_expression, as_code) == (config, {"when": 1}, config)


def test_every_step_has_settings_of_its_own(evaluator: Evaluator) -> None:
    config = {"values": {"list": [1, {"a": "{{ inputs.n }}"}], "empty": []}}

    first, second = evaluator.evaluate_batch([asked(config), asked(config)])

    assert not isinstance(first, Failure)
    first["values"]["list"].append("mine")
    first["values"]["empty"].append("mine")
    assert second == {"values": {"list": [1, {"a": 1}], "empty": []}}
    assert config == {"values": {"list": [1, {"a": "{{ inputs.n }}"}], "empty": []}}


def test_settings_that_are_gone_are_not_mistaken_for_new_ones_in_their_place() -> None:
    recipes = Recipes()

    for n in range(2000):
        # Each is freed before the next one is made, and may so get its address.
        known = recipes.of(asked({"v": f"{{{{ {n} }}}}"}))
        assert [expression.code for expression in known.expressions] == [str(n)]


def test_what_is_kept_of_settings_is_bounded() -> None:
    recipes = Recipes(max_weight=100_000)
    large = {"v": "x" * 50_000}

    for n in range(1000):
        recipes.of(asked({"v": n}))
    recipes.of(asked(large))

    assert len(recipes._known) < 100
    assert id(large) not in recipes._known
