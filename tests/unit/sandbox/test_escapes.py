"""Attempts to get out of the language: each gives literal text, a JSON value or an error."""

import json
from collections.abc import Iterator

import pytest

from backend.engine.evaluation import EvalRequest, Failure
from workers.sandbox.evaluator import Evaluator

#: Nothing here is a template of ours: it comes back as it went in.
LITERAL = [
    "{% for x in ().__class__.__base__.__subclasses__() %}{% endfor %}",
    "{% import os %}",
    "{%raw%}",
    "${7*7}",
    "${ {<%[%",
    "#{7*7}",
    "<%= 7*7 %>",
    "<?php phpinfo(); ?>",
    "{0.__class__}",
    "{0.__class__.__mro__[1]}",
    "%(x)s %x %n",
    "$(id)",
    "`id`",
    "{ {7*7} }",
    "\\{{ 7*7 }}",
    "[[${7*7}]]",
    "*{T(java.lang.Runtime)}",
    "@(1+1)",
    "~{7*7}",
    "=cmd|' /C calc'!A0",
    "__import__('os').system('id')",
    "constructor.constructor('return process')()",
    "__proto__",
    "javascript:alert(1)",
    "../../etc/passwd",
]

EXPRESSIONS = [
    "''.__class__",
    "''.__class__.__mro__",
    "().__class__.__bases__[0].__subclasses__()",
    "inputs.__class__",
    "inputs['__class__'].x",
    "inputs.__init__.__globals__",
    "inputs.__proto__",
    "inputs.constructor",
    "inputs.constructor.constructor('return this')()",
    "getattr(inputs, '__class__')",
    "getattr('', 'format')",
    "setattr(inputs, 'a', 1)",
    "hasattr(inputs, '__class__')",
    "__import__('os')",
    "__import__('os').system('id')",
    "__builtins__",
    "__name__",
    "__file__",
    "__loader__",
    "__heddle_scopes__",
    "__heddle_results__",
    "__heddle_functions__[0]",
    "__heddle_get__(inputs, 'a', 'b')",
    "eval('1')",
    "exec('x = 1')",
    "compile('1', '', 'eval')",
    "globals()",
    "locals()",
    "vars()",
    "dir()",
    "open('/etc/passwd')",
    "open('/etc/passwd').read()",
    "input()",
    "breakpoint()",
    "help()",
    "exit()",
    "quit()",
    "print('x')",
    "type(inputs)",
    "type('X', (), {})",
    "object()",
    "super()",
    "memoryview(b'')",
    "id(inputs)",
    "(lambda: 0).__globals__",
    "(lambda: 0).__code__",
    "(lambda: 0).__closure__",
    "(x for x in []).gi_frame",
    "[x for x in (1,)].__iter__",
    "'{0.__class__}'.format(inputs)",
    "'{0.__class__.__init__.__globals__}'.format(inputs)",
    "'{x.__class__}'.format(x=inputs)",
    "'{0[__class__]}'.format(inputs)",
    "f'{inputs.__class__}'",
    "f'{().__class__!r}'",
    "'%s' % inputs.__class__",
    "inputs.list.append(inputs)",
    "inputs.list.clear()",
    "inputs.update({'a': 1})",
    "inputs.pop('list')",
    "inputs.setdefault('z', 1)",
    "list.append(inputs.list, 9)",
    "list(map(list.append, [inputs.list], [9]))",
    "[m for m in [list.clear]][0](inputs.list)",
    "sorted.__self__",
    "len.__self__",
    "abs.__class__",
    "str.join.__class__",
    "str.mro()",
    "int.__subclasses__()",
    "dict.fromkeys",
    "yield_",
    "(yield)",
    "await inputs",
    "os",
    "os.environ",
    "sys.modules",
    "subprocess.run(['id'])",
    "nodes",
    "nodes.__class__",
    "nodes[inputs.list]",
    "list(nodes)",
    "nodes.keys()",
    "run.__class__",
    "ｏｐｅｎ('/etc/passwd')",
    "''.__ｃｌａｓｓ__",
    "inputs.\uff3f\uff3fclass\uff3f\uff3f",
    "e\u0301val('1')",
    "\u202eeval('1')",
    "float('nan')",
    "float('inf')",
    "-1e999",
    "b'bytes'",
    "{1, 2}",
    "{1: 2}",
    "1j",
    "...",
    "lambda: 0",
    "len",
    "inputs.list.sort",
    "'\\x00'",
    "10 ** 5000",
    "[inputs.list.extend(inputs.list) for _ in range(3)]",
    "(inputs := 1)",
    "[nodes := 1]",
]


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    with Evaluator() as evaluator:
        yield evaluator


def evaluate(evaluator: Evaluator, text: str) -> object:
    secret = EvalRequest(config={"text": "{{ inputs.secret }}"}, scope=scope_of(secret="canary"))
    asked = EvalRequest(config={"text": text}, scope=scope_of(list=[1, 2]))
    _, answer, after = evaluator.evaluate_batch(
        [secret, asked, EvalRequest(config={"x": "{{ inputs.list }}"}, scope=asked.scope)]
    )
    assert after == {"x": [1, 2]}
    return answer if isinstance(answer, Failure) else answer["text"]


def scope_of(**inputs: object) -> dict[str, object]:
    return {"inputs": inputs, "nodes": {"a": {"output": 1}}, "run": {"id": "r"}}


@pytest.mark.parametrize("text", LITERAL)
def test_other_template_languages_are_literal_text(evaluator: Evaluator, text: str) -> None:
    assert evaluate(evaluator, text) == text.replace("\\{{", "{{")


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_escape_gives_an_error_or_a_plain_value(evaluator: Evaluator, expression: str) -> None:
    answer = evaluate(evaluator, "{{ " + expression + " }}")

    if isinstance(answer, Failure):
        assert answer.message
        assert "canary" not in answer.message
    else:
        text = json.dumps(answer, allow_nan=False)
        assert "canary" not in text
        assert "__main__" not in text
        assert "<class" not in text
