import asyncio
import copy
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from backend.engine.evaluation import Failure
from tests.unit.sandbox.random_code import RandomCode
from tests.waiting import wait_until
from workers.sandbox.avoided import Avoided
from workers.sandbox.code import read_code
from workers.sandbox.copying import Copying, NotCopied
from workers.sandbox.evaluator import Evaluator
from workers.sandbox.kept import Call, Kept, Ran
from workers.sandbox.limits import CODE_LIMITS, EXPRESSION_LIMITS, Limits

LIMITS = Limits(seconds=1.0, memory_bytes=32 << 20, recursion=100, output_bytes=100_000)
SCOPE = {
    "inputs": {"topic": "tea", "n": 3, "list": [1, 2]},
    "nodes": {"a": {"output": {"text": "hello", "rows": [{"k": 1}]}}},
    "run": {"id": "r1"},
}
SAMPLES = Path(__file__).with_name("code_samples.txt").read_text().split("\n---\n")


@pytest.fixture
def evaluator() -> Iterator[Evaluator]:
    with Evaluator(processes=1, code_limits=LIMITS) as evaluator:
        yield evaluator


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many functions each program called."""
    sizes: list[int] = []
    run = Kept.run

    def counted(self: Kept, calls: list[Call], **more: Any) -> Ran:
        sizes.append(len(calls))
        return run(self, calls, **more)

    monkeypatch.setattr(Kept, "run", counted)
    return sizes


async def run_together(
    evaluator: Evaluator, codes: list[str], scope_of: Callable[[int], Mapping[str, Any]]
) -> list[Any]:
    """Run code while the only thread is held up, so that all of it waits at the same time."""
    gate = threading.Event()
    lane = evaluator._code
    choose = lane._choose

    def held_up(pieces: Any) -> Any:
        assert gate.wait(30)
        return choose(pieces)

    lane._choose = held_up  # type: ignore[method-assign]
    first = asyncio.ensure_future(evaluator.run_code_aside("0", {}))
    rest = [
        asyncio.ensure_future(evaluator.run_code_aside(code, scope_of(number)))
        for number, code in enumerate(codes)
    ]
    await asyncio.sleep(0)
    gate.set()
    assert await first == 0
    return list(await asyncio.gather(*rest))


def failure(answer: Any) -> Failure:
    assert isinstance(answer, Failure), answer
    return answer


async def test_code_that_waits_together_runs_in_few_programs(
    evaluator: Evaluator, programs: list[int]
) -> None:
    answers = await run_together(evaluator, ["inputs.n * 2"] * 500, lambda n: {"inputs": {"n": n}})

    assert answers == [n * 2 for n in range(500)]
    assert len(programs) < 20
    assert max(programs) == 100


async def test_code_that_is_alone_does_not_wait_for_company(
    evaluator: Evaluator, programs: list[int]
) -> None:
    for n in range(5):
        assert await evaluator.run_code_aside("inputs.n", {"inputs": {"n": n}}) == n

    assert programs == [1] * 5


async def test_different_code_runs_together(evaluator: Evaluator, programs: list[int]) -> None:
    codes = [f"x = inputs.n\nx + {n}" for n in range(150)]

    assert await run_together(evaluator, codes, lambda n: {"inputs": {"n": n}}) == [
        n * 2 for n in range(150)
    ]
    assert len(programs) < 10


async def test_code_reads_the_names_of_its_own_scope_whatever_they_are(
    evaluator: Evaluator,
) -> None:
    scopes: list[dict[str, Any]] = [{"item": 1, "index": 2}, {"item": 3}, {"state": 4}]

    answers = await run_together(evaluator, ["item + index", "item", "state"], lambda n: scopes[n])

    assert answers == [3, 3, 4]


@pytest.mark.parametrize("company", [["inputs.n"], SAMPLES], ids=["little", "much"])
async def test_code_gives_the_same_together_as_alone(company: list[str]) -> None:
    with Evaluator(processes=2, code_limits=LIMITS) as evaluator:
        alone = [evaluator.run_code(code, SCOPE) for code in SAMPLES]
        codes = company + SAMPLES

        first = await asyncio.gather(*(evaluator.run_code_aside(c, SCOPE) for c in codes))
        again = await asyncio.gather(*(evaluator.run_code_aside(c, SCOPE) for c in codes))

    for code, expected, one, two in zip(
        SAMPLES, alone, first[len(company) :], again[len(company) :], strict=True
    ):
        assert (code, repr(one), repr(two)) == (code, repr(expected), repr(expected))


@pytest.mark.parametrize("seed", range(4))
async def test_random_code_gives_the_same_together_as_alone(seed: int) -> None:
    dice = RandomCode(seed)
    codes = [dice.program() for _ in range(100)]
    scope = {"inputs": {"topic": "tea", "n": 3, "list": [1, 2], "seen": []}}
    shared = copy.deepcopy(scope)
    with Evaluator(processes=1) as evaluator:
        alone = [evaluator.run_code(code, copy.deepcopy(scope)) for code in codes]

        together = await asyncio.gather(*(evaluator.run_code_aside(c, shared) for c in codes))

    assert shared == scope
    assert sum(not isinstance(answer, Failure) for answer in alone) > 10
    for code, expected, answer in zip(codes, alone, together, strict=True):
        assert (code, repr(answer)) == (code, repr(expected))


def test_most_code_may_run_with_that_of_others() -> None:
    read = [read_code(code) for code in SAMPLES]
    shared = [code for code in read if not isinstance(code, Failure) and code.forms]

    assert len(shared) > len(read) / 2


async def test_a_failure_names_the_authors_line_and_spoils_nothing(evaluator: Evaluator) -> None:
    codes = ["inputs.n", "x = 1\n\ninputs.zz", "raise ValueError('own')", "inputs.n + 1"]

    one, missing, own, two = await run_together(evaluator, codes, lambda _: SCOPE)

    assert (one, two) == (3, 4)
    assert failure(missing).message.startswith('Line 3: inputs.zz: no key "zz"')
    assert failure(own).message == "Line 1: ValueError: own."


@pytest.mark.parametrize(
    ("bomb", "code"),
    [
        ("while True:\n    pass", "time_limit"),
        ("x = []\nwhile True:\n    x.append('y' * 100_000)", "memory_limit"),
        ("def f(n):\n    return f(n + 1)\nf(0)", "recursion_limit"),
        ("'x' * 10**12", "memory_limit"),
        ("'y' * 150_000", "output_limit"),
        ("[{1, 2}]", "not_json"),
        ("raise BaseException('x')", "expression_failed"),
        ("1 +", "code_syntax"),
        ("nosuch", "code_name"),
        ("print('y' * 11_000_000)", "memory_limit"),
    ],
)
async def test_a_bomb_among_others_fails_alone(evaluator: Evaluator, bomb: str, code: str) -> None:
    codes = ["inputs.n"] * 20 + [bomb] + ["inputs.n"] * 20

    answers = await run_together(evaluator, codes, lambda _: SCOPE)

    assert failure(answers.pop(20)).code == code
    assert answers == [3] * 40


async def test_what_the_interpreter_cannot_read_spoils_nothing_and_is_then_left_out(
    evaluator: Evaluator, programs: list[int]
) -> None:
    unread = "x = 1 if inputs else (yield)"
    codes = ["inputs.n"] * 5 + [unread] + [f"inputs.n + {n}" for n in range(5)]

    answers = await run_together(evaluator, codes, lambda _: SCOPE)

    assert isinstance(answers.pop(5), Failure)
    assert answers == [3] * 5 + [3, 4, 5, 6, 7]


async def test_code_that_needs_long_alone_still_has_all_its_time(evaluator: Evaluator) -> None:
    # More than a program of several may take, less than its own limit.
    slow = "import time\nx = time.perf_counter()\nwhile time.perf_counter() - x < 0.7:\n    pass\n1"
    slow_too = slow.replace("import time", "from datetime import datetime").replace(
        "time.perf_counter()", "datetime.now().timestamp()"
    )

    assert await run_together(evaluator, [slow, slow_too, "3"], lambda _: {}) == [1, 1, 3]


async def test_code_that_needs_long_holds_up_no_other_code() -> None:
    limits = replace(CODE_LIMITS, seconds=60.0)
    with Evaluator(processes=1, code_limits=limits) as evaluator:
        endless = asyncio.ensure_future(
            evaluator.run_code_aside("x = 0\nwhile True:\n    x += 1", {})
        )

        async with asyncio.timeout(30):
            for n in range(20):
                assert await evaluator.run_code_aside("inputs.n", {"inputs": {"n": n}}) == n

        assert not endless.done()
        endless.cancel()


async def test_code_that_broke_a_limit_is_kept_from_others_for_a_while(
    evaluator: Evaluator, programs: list[int]
) -> None:
    bomb = "while True:\n    pass"
    await evaluator.run_code_aside(bomb, {})
    programs.clear()

    answers = await run_together(evaluator, ["1", bomb, "2"], lambda _: {})

    assert [answers[0], answers[2]] == [1, 2]
    assert sum(programs) == 3


async def test_a_step_that_gives_up_is_not_run(
    evaluator: Evaluator, programs: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    choose = evaluator._code._choose
    monkeypatch.setattr(
        evaluator._code, "_choose", lambda pieces: choose(pieces) if gate.wait(30) else []
    )
    first = asyncio.ensure_future(evaluator.run_code_aside("0", {}))
    second = asyncio.ensure_future(evaluator.run_code_aside("1", {}))
    await asyncio.sleep(0)
    second.cancel()
    gate.set()

    assert await first == 0
    with pytest.raises(asyncio.CancelledError):
        await second
    assert sum(programs) == 1


async def test_a_fault_of_ours_reaches_those_who_wait(
    evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(Kept, "run", broken)

    with pytest.raises(ZeroDivisionError, match="ours"):
        await evaluator.run_code_aside("1", {})


async def test_closing_ends_the_waiting() -> None:
    evaluator = Evaluator(processes=1, code_limits=LIMITS)
    waiting = [
        asyncio.ensure_future(evaluator.run_code_aside("import random\nwhile True:\n    pass", {}))
        for _ in range(3)
    ]
    await asyncio.to_thread(
        wait_until, lambda: evaluator._alone.is_started, what="code that runs alone"
    )
    evaluator.close()

    answers = await asyncio.gather(*waiting, return_exceptions=True)

    assert all(isinstance(answer, Failure | BaseException) for answer in answers)
    with pytest.raises(RuntimeError, match="closed"):
        await evaluator.run_code_aside("1", {})


async def test_several_loops_share_an_evaluator(evaluator: Evaluator) -> None:
    def in_a_loop(start: int) -> list[Any]:
        async def scene() -> list[Any]:
            waiting = (evaluator.run_code_aside("inputs", {"inputs": start + n}) for n in range(50))
            return list(await asyncio.gather(*waiting))

        return asyncio.run(scene())

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(in_a_loop, [0, 1000, 2000, 3000]))

    assert answers == [[start + n for n in range(50)] for start in (0, 1000, 2000, 3000)]


async def test_an_interpreter_that_was_killed_is_replaced() -> None:
    with Evaluator(processes=1, expression_limits=EXPRESSION_LIMITS) as evaluator:
        evaluator.warm_up()
        for child in psutil.Process().children():
            child.kill()
            child.wait()

        assert await evaluator.run_code_aside("inputs.n", SCOPE) == 3
        assert evaluator.run_code("inputs.n", SCOPE) == 3


async def test_large_values_and_what_is_no_json_run_alone(
    evaluator: Evaluator, programs: list[int]
) -> None:
    scopes: list[dict[str, Any]] = [{"inputs": ["x" * 300_000]}, {"inputs": (1, 2)}]

    answers = await run_together(evaluator, ["len(inputs)"] * 2, lambda n: scopes[n])

    assert answers == [1, 2]
    assert sum(programs) == 1


def test_a_copy_shares_no_list_or_object_with_what_it_was_made_of() -> None:
    value: dict[str, Any] = {"a": [{"b": []}], "c": {}}

    copied = Copying(1000).copy(value)

    assert copied == value
    copied["a"][0]["b"].append(1)
    copied["c"]["x"] = 1
    copied["a"].append(2)
    assert value == {"a": [{"b": []}], "c": {}}


@pytest.mark.parametrize("value", [[1] * 100, ["x" * 2000], {"a": (1,)}, {1}, object(), [b"x"]])
def test_only_plain_json_of_a_certain_size_is_copied(value: Any) -> None:
    with pytest.raises(NotCopied):
        Copying(1000).copy([value, []])


def test_code_is_avoided_for_a_while_and_in_bounds() -> None:
    now = [0.0]
    avoided = Avoided(clock=lambda: now[0])

    avoided.add("slow", seconds=10)
    assert "slow" in avoided
    assert "other" not in avoided
    now[0] = 11
    assert "slow" not in avoided

    for n in range(5000):
        avoided.add(str(n), seconds=10)
    assert len(avoided._until) <= 1000
