"""One expression as a function of what it looks up."""

import ast
import builtins
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from backend.engine.names import EXPRESSION_BUILTINS, bound_names
from workers.sandbox.kept import FUNCTION, Call
from workers.sandbox.references import MISSING, Literal, Reference, read_literal, read_reference
from workers.sandbox.shortening import OWN_PREFIX, Shortening, names_in

#: Python's functions that no expression may call. One that gives such a name to a value of its own
#: may reach the function all the same where the value is not known: `(lambda eval: 0, eval)`.
_CLOSED = frozenset(dir(builtins)) - EXPRESSION_BUILTINS


@dataclass(frozen=True)
class Expression:
    """An expression, rewritten for the sandbox, and the ways to its value."""

    code: str
    #: Every name in it, for the way that always works: to hand over all that these hold.
    names: tuple[str, ...]
    #: The names that it gives values itself, as `x` in `[x for x in inputs.list]`.
    bound: frozenset[str] = frozenset()
    #: If it is nothing but a look-up or a literal.
    at_once: Reference | Literal | None = None
    #: A function of no more than what is looked up, if there is one.
    text: str = ""
    references: tuple[Reference, ...] = ()

    @property
    def is_private(self) -> bool:
        """Whether it must share its interpreter with no other."""
        return not _CLOSED.isdisjoint(self.bound)

    def call(self, scope: Mapping[str, Any]) -> Call:
        """Say which function of the sandbox gives the value, and what it is called with."""
        if self.text and not any(name in scope for name in self.bound):
            arguments = [reference.read(scope) for reference in self.references]
            # A look-up that fails here may be one that is not reached, or whose failure matters.
            if not any(argument is MISSING for argument in arguments):
                return self.text, arguments
        names = [name for name in self.names if name in scope]
        return _function(names, self.code), [scope[name] for name in names]


@lru_cache(maxsize=8192)
def compile_expression(code: str, scope_names: frozenset[str]) -> Expression:
    """Find the ways to the value of a rewritten expression that reads names of the scope."""
    tree = ast.parse(code, mode="eval")
    names = names_in(tree)
    bound = frozenset(bound_names(tree))
    reference = read_reference(tree.body)
    if reference is not None and reference.name in scope_names:
        return Expression(code, names, at_once=reference)
    if literal := read_literal(tree.body):
        return Expression(code, names, at_once=literal)
    text, references = _shortened(tree, bound=bound, scope_names=scope_names - bound)
    return Expression(code, names, bound, text=text, references=references)


def _shortened(
    tree: ast.Expression, *, bound: Set[str], scope_names: Set[str]
) -> tuple[str, tuple[Reference, ...]]:
    shortening = Shortening(lambda reference: reference.name in scope_names)
    try:
        short = shortening.visit(tree)
        code = ast.unparse(short)
    except (ValueError, RecursionError):
        return "", ()
    known = bound | EXPRESSION_BUILTINS
    if any(name not in known and not name.startswith(OWN_PREFIX) for name in names_in(short)):
        return "", ()
    parameters = shortening.parameters
    return _function(list(parameters.values()), code), tuple(parameters)


def _function(parameters: Sequence[str], code: str) -> str:
    return f"def {FUNCTION}({', '.join(parameters)}):\n    return {code}\n"
