"""Reads what is only looked up, as `nodes.a.output.text` is, without an interpreter."""

import ast
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from backend.engine.json_values import NotJson, to_json
from backend.engine.python_text import ITEM, LOOKUP


class Missing:
    """Says that a value cannot be read here: the interpreter has to, and says what is wrong."""


MISSING: Final = Missing()

_PLAIN_TEXT_CHARS = 1000
_PLAIN_INT = 2**63
_EXACT = frozenset([dict, list, str, int, float])


@dataclass(frozen=True)
class Reference:
    """A name with the keys and indices that follow it."""

    name: str
    keys: tuple[str | int, ...] = ()

    def read(self, scope: Mapping[str, Any]) -> Any | Missing:
        """Follow the keys through objects and lists; anything else is `MISSING`."""
        value = scope.get(self.name, MISSING)
        for key in self.keys:
            # Exact types only: what a subclass makes of a key is its own affair.
            if type(value) is dict:
                value = value.get(key, MISSING) if type(key) is str else MISSING
            elif type(value) is list and type(key) is int and key < len(value):
                value = value[key]
            else:
                return MISSING
        return value

    def starts(self) -> Iterator["Reference"]:
        """Give the look-ups that this one goes on from."""
        return (Reference(self.name, self.keys[:count]) for count in range(1, len(self.keys)))


@dataclass(frozen=True)
class Literal:
    """A value that stands in the text."""

    value: Any

    def read(self, scope: Mapping[str, Any]) -> Any:
        """Give the value."""
        del scope
        return self.value


def read_reference(node: ast.expr) -> Reference | None:
    """Recognise a rewritten chain of names, keys and indices."""
    keys: list[str | int] = []
    while (step := _last_step(node)) is not None:
        node, key = step
        keys.append(key)
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return None
    return Reference(node.id, tuple(reversed(keys)))


def _last_step(node: ast.expr) -> tuple[ast.expr, str | int] | None:
    match node:
        case ast.Call(
            func=ast.Name(id=name), args=[inner, ast.Constant(value=key), ast.Constant()]
        ) if name in {LOOKUP, ITEM}:
            pass
        case ast.Subscript(value=inner, slice=ast.Constant(value=key), ctx=ast.Load()):
            pass
        case _:
            return None
    return (inner, key) if type(key) is str or type(key) is int else None


def read_literal(node: ast.expr) -> Literal | None:
    """Recognise a JSON value that stands in the text."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return Literal(value) if _is_json(value) else None


def as_result(value: Any, *, max_bytes: int) -> Any | Missing:
    """Copy a value that was read, as it would come out of the interpreter."""
    kind = type(value)
    if kind is str and len(value) < _PLAIN_TEXT_CHARS and value.isascii() and "\0" not in value:
        return value
    if value is None or kind is bool or (kind is int and -_PLAIN_INT <= value < _PLAIN_INT):
        return value
    if kind is float and math.isfinite(value):
        return value
    if kind not in _EXACT:
        return MISSING
    try:
        return to_json(value, max_bytes=max_bytes)
    except NotJson:
        return MISSING


def _is_json(value: Any) -> bool:
    """Tell whether a literal is JSON as it stands: a tuple or a set is for the interpreter."""
    if isinstance(value, dict):
        return all(type(key) is str for key in value) and all(map(_is_json, value.values()))
    if isinstance(value, list):
        return all(map(_is_json, value))
    return value is None or isinstance(value, str | int | float)
