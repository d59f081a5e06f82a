"""A piece of code, read once and ready to run with any scope."""

import ast
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from backend.engine.evaluation import Failure
from backend.engine.names import bound_names
from backend.engine.python_text import ExpressionInvalid, Python, parse_code
from workers.sandbox.copying import Copying, NotCopied
from workers.sandbox.kept import FUNCTION, Call
from workers.sandbox.prelude import prelude_of
from workers.sandbox.references import MISSING, Reference
from workers.sandbox.sharing import body_of, is_shareable
from workers.sandbox.shortening import Shortening, find_references, names_in

#: Code that is longer is not kept in memory.
_KEPT_CHARS = 20_000


@dataclass(frozen=True)
class Form:
    """Code as a function: of look-ups, and of names with all that they hold."""

    body: str
    names: tuple[str, ...]
    parameters: Mapping[Reference, str] = field(default_factory=dict)
    #: The texts of functions, by the names that are there.
    _texts: dict[tuple[str, ...], str] = field(default_factory=dict, compare=False)

    def call(self, scope: Mapping[str, Any], copying: Copying) -> Call | None:
        """Write the call of the function; None if something is not there to be looked up.

        Raises:
            NotCopied: What it reads is too much, or no plain JSON.
        """
        values = [reference.read(scope) for reference in self.parameters]
        if any(value is MISSING for value in values):
            return None
        names = tuple(name for name in self.names if name in scope)
        values += [scope[name] for name in names]
        return self._text(names), [copying.copy(value) for value in values]

    def _text(self, names: tuple[str, ...]) -> str:
        if names not in self._texts:
            parameters = ", ".join([*self.parameters.values(), *names])
            self._texts[names] = f"def {FUNCTION}({parameters}):\n{self.body}"
        return self._texts[names]


@dataclass(frozen=True)
class Code:
    """Code as its author wrote it, and as the sandbox runs it."""

    python: Python
    #: What it needs of the sandbox's own functions.
    prelude: str
    _names: tuple[str, ...]
    #: The code as functions, the one that is handed less first; none if it has to run alone.
    forms: tuple[Form, ...]

    def inputs(self, scope: Mapping[str, Any]) -> dict[str, Any]:
        """Pick what the code can read of the scope."""
        return {name: scope[name] for name in self._names if name in scope}

    def call(self, scope: Mapping[str, Any], copying: Copying) -> Call | None:
        """Write the call of the code as a function; None if it has to run alone."""
        try:
            calls = (form.call(scope, copying) for form in self.forms)
            return next((call for call in calls if call is not None), None)
        except (NotCopied, RecursionError):
            return None


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
    return Code(python, prelude, names_in(tree), tuple(_forms(tree, python.names.scope)))


_read_again = lru_cache(maxsize=512)(_read)


def _forms(tree: ast.Module, scope_names: Set[str]) -> list[Form]:
    try:
        if not is_shareable(tree):
            return []
        whole = Form(body_of(tree), names_in(tree))
        wanted = find_references(tree, names=scope_names - bound_names(tree))
        if not wanted:
            return [whole]
        shortening = Shortening(wanted.__contains__)
        short = shortening.visit(tree)
        looked_up = {reference.name for reference in wanted}
        names = tuple(name for name in names_in(short) if name not in looked_up)
        return [Form(body_of(short), names, shortening.parameters), whole]
    except (ValueError, RecursionError):
        # What Python cannot write back, or not walk through.
        return []
