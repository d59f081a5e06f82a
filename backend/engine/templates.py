"""Text with expressions in it: `Dear {{ inputs.name }}`."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from backend.engine.python_text import ExpressionInvalid, Python, parse_expression

_OPENING = re.compile(r"\\?\{\{")
_UNESCAPED_OPENING = re.compile(r"(?<!\\)\{\{")
#: How many `}}` are tried as the end of one expression.
_MAX_TRIES = 100


@dataclass(frozen=True, kw_only=True)
class Template:
    """A string taken apart: what stands as it is, and what is computed."""

    parts: tuple[str | Python, ...]

    @cached_property
    def expressions(self) -> tuple[Python, ...]:
        """The expressions, in the order of the text."""
        return tuple(part for part in self.parts if isinstance(part, Python))

    def fill(self, values: Sequence[Any]) -> Any:
        """Put the values of the expressions in; one expression alone keeps its type."""
        if len(self.parts) == 1 and isinstance(self.parts[0], Python):
            return values[0]
        remaining = iter(values)
        return "".join(
            part if isinstance(part, str) else as_text(next(remaining)) for part in self.parts
        )


def as_text(value: Any) -> str:
    """Write a value inside text: strings as they are, None as nothing, the rest as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def holds_template(text: str) -> bool:
    """Tell whether a string has an expression, or the start of one, in it."""
    return _UNESCAPED_OPENING.search(text) is not None


@lru_cache(maxsize=8192)
def parse_template(text: str) -> Template:
    r"""Take a string apart at `{{ … }}`; `\{{` stands for two literal braces.

    Raises:
        ExpressionInvalid: An expression is not closed, or is no Python.
    """
    parts: list[str | Python] = []
    literal = ""
    position = 0
    while opening := _OPENING.search(text, position):
        literal += text[position : opening.start()]
        if opening.group().startswith("\\"):
            literal += "{{"
            position = opening.end()
            continue
        expression, position = _read_expression(text, opening.end())
        parts.extend([literal, expression] if literal else [expression])
        literal = ""
    literal += text[position:]
    return Template(parts=tuple([*parts, literal] if literal or not parts else parts))


def _read_expression(text: str, start: int) -> tuple[Python, int]:
    """Read up to the first `}}` before which the text is an expression."""
    first_failure: ExpressionInvalid | None = None
    end = start
    for _ in range(_MAX_TRIES):
        end = text.find("}}", end)
        if end < 0:
            break
        try:
            return parse_expression(text[start:end]), end + 2
        except ExpressionInvalid as error:
            first_failure = first_failure or error
            end += 1
    shown = text[start - 2 : start + 40].replace("\n", " ")
    if first_failure is None:
        raise ExpressionInvalid(f'"{shown}": the closing braces }}}} are missing')
    raise ExpressionInvalid(f'"{shown}": {first_failure}') from first_failure
