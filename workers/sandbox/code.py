"""A piece of code, read once and ready to run with any scope."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from backend.engine.evaluation import Failure
from backend.engine.names import bound_names
from backend.engine.python_text import ExpressionInvalid, Python, parse_code
from workers.sandbox.kept import FUNCTION
from workers.sandbox.prelude import prelude_of
from workers.sandbox.sharing import body_of

#: Code that is longer is not kept in memory.
_KEPT_CHARS = 20_000


@dataclass(frozen=True)
class Code:
    """Code as its author wrote it, and as the sandbox runs it."""

    python: Python
    #: What it needs of the sandbox's own functions.
    prelude: str
    _names: tuple[str, ...]
    #: The text as the body of a function, if it may run with the code of others.
    body: str | None
    #: The texts of functions, by their parameters.
    _functions: dict[tuple[str, ...], str] = field(default_factory=dict, compare=False)

    def inputs(self, scope: Mapping[str, Any]) -> dict[str, Any]:
        """Pick what the code can read of the scope."""
        return {name: scope[name] for name in self._names if name in scope}

    def function(self, parameters: Sequence[str]) -> str:
        """Write the text as a function with these parameters."""
        key = tuple(parameters)
        if key not in self._functions:
            self._functions[key] = f"def {FUNCTION}({', '.join(key)}):\n{self.body}"
        return self._functions[key]


def read_code(source: str) -> Code | Failure:
    """Read a piece of code, or say why it cannot run."""
    return _read_again(source) if len(source) <= _KEPT_CHARS else _read(source)


def _read(source: str) -> Code | Failure:
    try:
        python = parse_code(source)
    except ExpressionInvalid as error:
        return Failure(code="code_syntax", message=f"This is no Python: {error}.")
    if python.names.problems:
        return Failure(code="code_name", message=f"{'; '.join(python.names.problems)}.")
    tree = ast.parse(python.code)
    prelude = prelude_of(python.code, bound=bound_names(tree))
    names = dict.fromkeys(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    return Code(python, prelude, tuple(names), body_of(tree))


_read_again = lru_cache(maxsize=512)(_read)
