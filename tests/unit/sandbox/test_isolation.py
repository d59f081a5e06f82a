"""Code that shares an interpreter with that of others: nothing it does reaches them."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from backend.engine.evaluation import EvalRequest, Failure
from backend.engine.names import CODE_BUILTINS
from workers.sandbox import sharing
from workers.sandbox.code import read_code
from workers.sandbox.evaluator import Evaluator
from workers.sandbox.kept import FUNCTION, Bench
from workers.sandbox.limits import CODE_LIMITS, EXPRESSION_LIMITS

SECRET = "canary-of-another-workspace"

#: What leaves something behind, or tries to.
POLLUTERS = [
    "inputs.list.append(99)\ninputs.new = 1\ninputs['secret'] = 'mine'\ninputs",
    "inputs.list += [99]\ninputs.deep.a.b.append(7)",
    "leftover = 1\ninputs.n",
    "def leftover():\n    return 1\nleftover()",
    "global leftover\nleftover = 1",
    "def f():\n    global leftover\n    leftover = 1\nf()",
    "def f():\n    global __heddle_functions__\n    __heddle_functions__ = []\nf()",
    "import json\njson.dumps = lambda value: 'mine'",
    "import json\nsetattr(json, 'dumps', lambda value: 'mine')",
    "import math\nsetattr(math, 'pi', 3)",
    "import hashlib\nhashlib.algorithms_available.clear()",
    "import random\nrandom.seed(1)",
    "import decimal\ndecimal.getcontext().prec = 2",
    "import sys\nsys.argv.append('mine')",
    "import os\nos.chdir('/tmp')",
    "import re\nre.compile('x').leftover = 1",
    "import functools\n@functools.lru_cache\ndef f(x=[]):\n    x.append(1)\n    return x\nf()",
    "import collections\nsetattr(collections.Counter, 'leftover', 1)",
    "import datetime\nsetattr(datetime.datetime, 'leftover', 1)",
    "setattr(str, 'leftover', 1)",
    "setattr(dict, 'leftover', 1)",
    "setattr(Exception, 'leftover', 1)",
    "len = lambda value: 'mine'\nlen(inputs)",
    "str = dict = list = isinstance = None\n1",
    "KeyError = ValueError = 1\n1",
    "import json as __heddle_get__\n1",
    "import json as __heddle_result__\n1",
    "def __heddle_run__(*a):\n    return []\n1",
    "def f(__heddle_functions__):\n    return 1\nf(1)",
    "exec('leftover = 1')\ndef f():\n    exec = 1",
    "eval('__heddle_functions__').clear()\ndef f():\n    eval = 1",
    "def f():\n    eval = 1\nexec('global leftover; leftover = 1')\nexec = 1",
    "type('X', (), {'leftover': 1})().leftover",
    "class A:\n    leftover = 1\nA.leftover",
    "try:\n    1 / 0\nexcept ZeroDivisionError as leftover:\n    pass",
    "[leftover := 1]",
    "for leftover in [1]:\n    pass",
    "match 1:\n    case leftover:\n        pass",
    "raise BaseException('x')",
    "x = []\nx.append(x)\nx",
    "print('leftover')",
]

#: What would show it.
PROBES = [
    "inputs",
    "inputs.list",
    "inputs.secret",
    "try:\n    r = leftover\nexcept NameError:\n    r = 'none'\nif False:\n    leftover = 1\nr",
    "import json\njson.dumps({'a': 1})",
    "import math\nmath.pi",
    "import hashlib\nlen(sorted(hashlib.algorithms_available)) > 5",
    "import decimal\nstr(decimal.Decimal(1) / 3)",
    "import sys\nlen(sys.argv)",
    "import functools\n@functools.lru_cache\ndef f(x=[]):\n    x.append(1)\n    return x\nf()",
    "hasattr('', 'leftover') or hasattr({}, 'leftover')",
    "len(inputs.list) + max(inputs.list)",
    "[str(1), dict(a=1), list((1,)), isinstance(1, int)]",
    "try:\n    r = inputs.nosuch\nexcept KeyError:\n    r = 'caught'\nr",
]

#: What would read of others: it may give nothing of theirs, or fail.
SPIES = [
    "eval('__heddle_calls__')\ndef f():\n    eval = 1",
    "x = eval('locals()')\ndef f():\n    eval = 1\nstr(x)",
    "x = locals()\ndef f():\n    locals = 1\nstr(x)",
    "x = [eval]\ndef f():\n    eval = 1\nx[0]('str(__heddle_calls__)')",
    "def f(eval=0):\n    return eval\nf(eval)('str(__heddle_calls__)')",
    "exec('x = str(__heddle_calls__)')\ndef f():\n    exec = 1\nx",
    "__heddle_calls__",
    "'{0.__globals__}'.format(lambda: 0)",
    "getattr(lambda: 0, '__globals__')",
    "getattr(lambda: 0, '__closure__')",
    "try:\n    1 / 0\nexcept TypeError as e:\n    r = getattr(e, '__traceback__')\nr.tb_frame",
    "import sys\nsys._getframe(1).f_locals",
    "import sys\nsys.modules['__main__'].__heddle_calls__",
    "import gc\ngc.get_objects()",
    "import __main__\n__main__.__heddle_calls__",
    "import builtins\nbuiltins.eval('__heddle_calls__')",
    "inputs.__class__",
    "().__class__.__base__.__subclasses__()",
]

#: Expressions that reach for more than what they are given.
SPYING_EXPRESSIONS = [
    "(lambda eval: 1)(0) and str(eval('__heddle_calls__'))",
    "[str(eval('__heddle_calls__')) for x in [1] if (lambda eval: 1)(0)]",
    "[exec for exec in [1]] and exec('__heddle_functions__.clear()')",
    "(lambda locals: 1)(0) and str(locals())",
    "(lambda getattr: 1)(0) and str(getattr(inputs, 'a'))",
    "(lambda __heddle_calls__: __heddle_calls__)(1)",
]


#: Functions that Pythons of all ages have had, of which some reach for more than their arguments.
CANDIDATES = frozenset(
    [
        *("apply", "breakpoint", "buffer", "callable", "classmethod", "compile", "copyright"),
        *("delattr", "dir", "eval", "exec", "execfile", "exit", "file", "globals", "help"),
        *("input", "intern", "issubclass", "license", "locals", "memoryview", "open", "quit"),
        *("raw_input", "reduce", "reload", "reveal_type", "staticmethod", "super", "vars"),
    ]
)


def scope() -> dict[str, Any]:
    deep = {"a": {"b": [1]}}
    return {"inputs": {"n": 3, "list": [1, 2], "secret": "own", "deep": deep}, "run": {"id": "r"}}


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    limits = replace(CODE_LIMITS, seconds=1.0)
    with Evaluator(processes=1, code_limits=limits) as evaluator:
        yield evaluator


async def together(evaluator: Evaluator, *codes: str, scope: dict[str, Any]) -> list[Any]:
    answers = await asyncio.gather(*(evaluator.run_code_aside(code, scope) for code in codes))
    return list(answers)


@pytest.mark.parametrize("polluter", POLLUTERS)
async def test_nothing_that_code_does_reaches_other_code(
    evaluator: Evaluator, polluter: str
) -> None:
    clean = [evaluator.run_code(probe, scope()) for probe in PROBES]
    shared = scope()

    # All of them read the very same objects, as the steps of one run do.
    before_and_after = [polluter, *PROBES, polluter, *PROBES]
    answers = await together(evaluator, *before_and_after, scope=shared)
    later = await together(evaluator, *PROBES, scope=shared)

    count = len(PROBES)
    assert answers[1 : 1 + count] == clean
    assert answers[2 + count :] == clean
    assert later == clean
    assert shared == scope()


@pytest.mark.parametrize("spy", SPIES)
async def test_no_code_reads_what_other_code_is_given(evaluator: Evaluator, spy: str) -> None:
    victim = {"inputs": {"secret": SECRET}}

    answers = await asyncio.gather(
        *(evaluator.run_code_aside("inputs.secret", victim) for _ in range(3)),
        evaluator.run_code_aside(spy, {"inputs": {"a": 1}}),
        *(evaluator.run_code_aside("inputs.secret", victim) for _ in range(3)),
    )

    spied = answers.pop(3)
    assert answers == [SECRET] * 6
    assert SECRET not in str(spied)
    assert "canary" not in str(spied)


@pytest.mark.parametrize("expression", SPYING_EXPRESSIONS)
def test_no_expression_reads_what_others_are_given(evaluator: Evaluator, expression: str) -> None:
    victim = EvalRequest(
        config={"v": "{{ inputs.secret + '' }}"}, scope={"inputs": {"secret": SECRET}}
    )
    spy = EvalRequest(config={"v": "{{ " + expression + " }}"}, scope={"inputs": {"a": 1}})

    first, spied, second = evaluator.evaluate_batch([victim, spy, victim])
    [after] = evaluator.evaluate_batch([victim])

    assert first == second == after == {"v": SECRET}
    assert "canary" not in str(spied)


def test_shared_code_names_no_function_of_the_sandbox_but_its_own() -> None:
    for code in (*POLLUTERS, *SPIES):
        read = read_code(code)
        for form in () if isinstance(read, Failure) else read.forms:
            for name in ("__heddle_calls__", "__heddle_functions__", "__heddle_run__", FUNCTION):
                assert name not in form.body.replace(f"({name})", "").replace(f"def {name}", "")


def test_the_interpreter_knows_no_function_that_is_not_judged_here() -> None:
    """What Python's own names an author reaches by mistake of ours: all are harmless or closed."""
    with Bench(processes=1, limits=EXPRESSION_LIMITS).interpreter() as interpreter:
        known = []
        for name in sorted(CANDIDATES - CODE_BUILTINS - sharing._CLOSED_NAMES):
            ran = interpreter.run([(f"def {FUNCTION}():\n    return {name}\n", [])])
            known += [name] if ran.results[0][0] or ran.results[0][1] != "NameError" else []

    assert known == []
