from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.engine.evaluation import NOT_EVALUATED, EvalRequest, Failure
from backend.engine.expressions import Bare
from workers.sandbox.evaluator import Evaluator
from workers.sandbox.kept import Call, Kept, Ran
from workers.sandbox.limits import CODE_LIMITS, Limits

TIGHT = Limits(seconds=1.0, memory_bytes=32 << 20, recursion=100, output_bytes=100_000)
SCOPE = {
    "inputs": {"topic": "tea", "n": 3, "list": [1, 2]},
    "nodes": {"a": {"output": {"text": "hello", "rows": [{"k": 1}]}}, "skipped": {"output": None}},
    "run": {"id": "r1", "started_at": "2026-01-01T00:00:00Z", "workflow": "w"},
}

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc_é", min_size=1), inner),
    max_leaves=20,
)


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    with Evaluator(expression_limits=TIGHT, code_limits=TIGHT) as evaluator:
        yield evaluator


def evaluate(evaluator: Evaluator, value: Any, scope: dict[str, Any] = SCOPE) -> Any:
    [answer] = evaluator.evaluate_batch([EvalRequest(config={"v": value}, scope=scope)])
    return answer if isinstance(answer, Failure) else answer["v"]


def failure(answer: Any) -> Failure:
    assert isinstance(answer, Failure), answer
    return answer


@settings(deadline=None)
@given(json_values)
def test_any_json_value_goes_in_and_comes_out_unchanged(evaluator: Evaluator, value: Any) -> None:
    assert evaluate(evaluator, "{{ inputs.v }}", {**SCOPE, "inputs": {"v": value}}) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain", "plain"),
        ("{{ inputs.n }}", 3),
        ("{{ inputs.topic }} for {{ inputs.n }}: {{ nodes.a.output }}", None),
        ("{{ nodes.skipped.output }}", None),
        ("x{{ nodes.skipped.output }}y", "xy"),
        ("{{ nodes.a.output.rows[0].k }}", 1),
        ("{{ nodes.a.output['text'].upper() }}", "HELLO"),
        ("{{ nodes.a.output.items() }}", [["text", "hello"], ["rows", [{"k": 1}]]]),
        ("{{ (1, 2) }}", [1, 2]),
        ("{{ f'{inputs.topic:>5}' }}", "  tea"),
        ("{{ [r.k for r in nodes.a.output.rows] }}", [1]),
        ("{{ run.id }}", "r1"),
    ],
)
def test_templates_give_their_values(evaluator: Evaluator, text: str, value: Any) -> None:
    if value is None and "for" in text:
        value = 'tea for 3: {"text": "hello", "rows": [{"k": 1}]}'
    assert evaluate(evaluator, text) == value


def test_settings_keep_their_shape_and_their_values_that_are_no_text(evaluator: Evaluator) -> None:
    config = {"a": [1, None, {"b": "{{ inputs.n }}"}], "c": True, "d": {}}

    [answer] = evaluator.evaluate_batch([EvalRequest(config=config, scope=SCOPE)])

    assert answer == {"a": [1, None, {"b": 3}], "c": True, "d": {}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ nodes.a.output.txt }}", 'nodes.a.output.txt: no key "txt"; it has: text, rows.'),
        (
            "{{ nodes.skipped.output.text }}",
            'nodes.skipped.output.text: no key "text", because what it is read from is None.',
        ),
        ("{{ nodes.a.output.rows[4].k }}", "nodes.a.output.rows[4]: no item 4; there are 1."),
        ("{{ inputs['zz'] }}", 'inputs[zz]: no key "zz"; it has: topic, n, list.'),
        (
            "{{ inputs.topic.x }}",
            'inputs.topic.x: no key "x", because what it is read from is a text.',
        ),
        ("{{ nodes.b.output }}", 'nodes.b: no key "b"; it has: a, skipped.'),
        ("{{ 1 / 0 }}", "ZeroDivisionError: division by zero."),
    ],
)
def test_a_failure_names_the_whole_path(evaluator: Evaluator, text: str, message: str) -> None:
    answer = failure(evaluate(evaluator, text))

    assert (answer.code, answer.message, answer.path) == ("expression_failed", message, "v")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{{ float('nan') }}", "not_json"),
        ("{{ {1, 2} }}", "not_json"),
        ("{{ {1: 2} }}", "not_json"),
        ("{{ 10 ** 2000 }}", "not_json"),
        ("{{ 'x' * 200_000 }}", "output_limit"),
        ("{{ [0] * 10**9 }}", "memory_limit"),
        ("{{ (lambda f: f(f))(lambda f: f(f)) }}", "recursion_limit"),
        ("{{ foo }}", "expression_name"),
        ("{{ 1 + }}", "expression_syntax"),
    ],
)
def test_what_is_no_value_or_too_much_of_one_fails(
    evaluator: Evaluator, text: str, code: str
) -> None:
    assert failure(evaluate(evaluator, text)).code == code


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("while True:\n    pass", "time_limit"),
        ("x = []\nwhile True:\n    x.append('y' * 100_000)", "memory_limit"),
        ("def f(n):\n    return f(n + 1)\nf(0)", "recursion_limit"),
        ("10 ** 10 ** 8", "memory_limit|time_limit"),
        ("'x' * 10**12", "memory_limit"),
        ("list(range(10**12))", "memory_limit|time_limit"),
        ("'y' * 150_000", "output_limit"),
    ],
)
def test_bombs_fail_at_their_limit_and_the_evaluator_lives_on(
    evaluator: Evaluator, code: str, reason: str
) -> None:
    assert failure(evaluator.run_code(code, SCOPE)).code in reason.split("|")

    assert evaluator.run_code("inputs.n + 1", SCOPE) == 4


def test_one_bomb_in_a_batch_fails_alone(evaluator: Evaluator) -> None:
    texts = ["{{ inputs.n }}"] * 5 + ["{{ [0] * 10**9 }}"] + ["{{ inputs.n }}"] * 5
    requests = [EvalRequest(config={"v": text}, scope=SCOPE) for text in texts]

    answers = evaluator.evaluate_batch(requests)

    assert [answers[5]] == [a for a in answers if isinstance(a, Failure)]
    assert failure(answers[5]).code == "memory_limit"
    assert [a for a in answers if not isinstance(a, Failure)] == [{"v": 3}] * 10


def test_a_large_batch_keeps_its_order_and_its_scopes_apart(evaluator: Evaluator) -> None:
    requests = [
        EvalRequest(
            config={"v": "{{ inputs.n }} of " + str(n)}, scope={**SCOPE, "inputs": {"n": n}}
        )
        for n in range(1500)
    ]

    answers = evaluator.evaluate_batch(requests)

    assert answers == [{"v": f"{n} of {n}"} for n in range(1500)]


def test_a_batch_without_expressions_needs_no_interpreter() -> None:
    evaluator = Evaluator()

    assert evaluator.evaluate_batch([EvalRequest(config={"v": "x"}, scope={})]) == [{"v": "x"}]
    assert not evaluator._expressions.is_started


def test_a_bare_expression_that_fails_leaves_its_failure_in_its_place(evaluator: Evaluator) -> None:
    config = {"cases": [{"when": "inputs.n > 2"}, {"when": "inputs.zz"}, {"when": "1 +"}]}
    request = EvalRequest(config=config, scope=SCOPE, bare=Bare(expressions=("cases[].when",)))

    [answer] = evaluator.evaluate_batch([request])

    assert not isinstance(answer, Failure)
    first, second, third = (case["when"] for case in answer["cases"])
    assert first is True
    assert failure(second).code == "expression_failed"
    assert failure(third).path == "cases[2].when"


def test_code_is_handed_over_as_it_stands(evaluator: Evaluator) -> None:
    request = EvalRequest(config={"code": "1 {{ x }}"}, scope={}, bare=Bare(code=("code",)))

    assert evaluator.evaluate_batch([request]) == [{"code": "1 {{ x }}"}]


def test_the_last_expression_of_code_is_its_result(evaluator: Evaluator) -> None:
    code = "import re\ntotal = 0\nfor x in inputs.list:\n    total += x\n{'total': total}"

    assert evaluator.run_code(code, SCOPE) == {"total": 3}
    assert evaluator.run_code("x = 1", SCOPE) is None


def test_a_failure_in_code_names_the_authors_line(evaluator: Evaluator) -> None:
    answer = failure(evaluator.run_code("# comment\n\nx = (\n  inputs.zz\n)\nx", SCOPE))

    assert answer.message == 'Line 3: inputs.zz: no key "zz"; it has: topic, n, list.'


def test_code_reaches_no_files_network_or_environment(evaluator: Evaluator) -> None:
    for code in (
        "open('/etc/passwd').read()",
        "import os\nos.environ['PATH']",
        "import os\nos.listdir('/')",
        "from pathlib import Path\nPath('/etc/passwd').read_text()",
        "import subprocess",
        "import socket",
    ):
        answer = failure(evaluator.run_code(code, SCOPE))
        assert answer.code in {"expression_failed", "code_name"}


def test_sleeping_in_code_takes_no_time_and_printing_goes_nowhere(
    evaluator: Evaluator, capfd: pytest.CaptureFixture[str]
) -> None:
    assert evaluator.run_code("import time\ntime.sleep(3600)\nprint('x')\n1", SCOPE) == 1
    assert capfd.readouterr().out == ""


def test_code_keeps_nothing_for_the_next_one(evaluator: Evaluator) -> None:
    evaluator.run_code("leftover = 1", SCOPE)

    assert failure(evaluator.run_code("leftover", SCOPE)).code == "code_name"


def test_threads_share_an_evaluator(evaluator: Evaluator) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda n: evaluator.run_code(f"{n} * 2", SCOPE), range(50)))

    assert answers == [n * 2 for n in range(50)]


def test_a_closed_evaluator_says_so() -> None:
    evaluator = Evaluator()
    evaluator.close()

    with pytest.raises(RuntimeError, match="closed"):
        evaluator.run_code("1", {})


def test_code_that_runs_long_holds_up_no_expressions() -> None:
    limits = replace(CODE_LIMITS, seconds=3.0)
    with (
        Evaluator(processes=1, code_limits=limits) as evaluator,
        ThreadPoolExecutor(1) as threads,
    ):
        code = threads.submit(evaluator.run_code, "x = 0\nwhile True:\n    x += 1", SCOPE)

        assert evaluate(evaluator, "{{ inputs.n }}") == 3

        assert not code.done()
        assert failure(code.result()).code == "time_limit"


LOOP = "{{ [0 for a in range(10 ** 6) for b in range(10 ** 6) if a < 0] }}"


def test_expressions_that_loop_share_one_time_however_many_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    programs: list[object] = []
    run = Kept.run

    def counted(self: Kept, calls: Sequence[Call], **more: Any) -> Ran:
        programs.append(calls)
        return run(self, calls, **more)

    monkeypatch.setattr(Kept, "run", counted)
    requests = [EvalRequest(config={"v": LOOP}, scope=SCOPE) for _ in range(60)]
    with Evaluator(processes=1, expression_limits=TIGHT, batch_seconds=2.0) as evaluator:
        answers = evaluator.evaluate_batch(requests)

    assert 0 < len(programs) < 5
    codes = {failure(answer).code for answer in answers}
    assert codes <= {"time_limit", NOT_EVALUATED.code}
    assert NOT_EVALUATED.code in codes


def test_a_condition_that_was_not_evaluated_is_not_taken_for_one_that_failed() -> None:
    branch = EvalRequest(
        config={"cases": [{"port": "p", "when": LOOP.strip("{} ")}]},
        scope=SCOPE,
        bare=Bare(expressions=("cases[].when",)),
    )
    with Evaluator(processes=1, expression_limits=TIGHT, batch_seconds=0.0) as evaluator:
        answers = evaluator.evaluate_batch([branch, branch])

    assert [failure(answer).code for answer in answers] == [NOT_EVALUATED.code] * 2
