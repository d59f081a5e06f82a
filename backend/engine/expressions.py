"""Finds the expressions in a node's settings: where they stand and what they read."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from backend.engine.config_check import ConfigProblem, path_text
from backend.engine.python_text import ExpressionInvalid, Python, parse_code, parse_expression
from backend.engine.templates import Template, holds_template, parse_template

TextKind = Literal["template", "bare", "code"]

_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True, kw_only=True)
class Bare:
    """Settings that are Python without braces, as patterns: `code`, `cases[].when`."""

    #: One expression, evaluated with the rest of the settings.
    expressions: tuple[str, ...] = ()
    #: Code that the node itself runs: handed over as it stands.
    code: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Found:
    """A string in the settings that is Python or holds some."""

    location: tuple[str | int, ...]
    text: str
    how: TextKind

    @property
    def path(self) -> str:
        """The place in the settings, as it reads in a document."""
        return path_text(self.location)


@dataclass(frozen=True, kw_only=True)
class FoundExpression:
    """One expression with the place of the string that holds it."""

    path: str
    python: Python


def find_texts(config: Mapping[str, Any], *, bare: Bare = Bare()) -> Iterator[Found]:
    """Walk the settings and yield every string that is or holds Python."""
    for location, text in _strings(config):
        if how := _how(location, text, bare):
            yield Found(location=location, text=text, how=how)


def parse_found(found: Found) -> tuple[Python, ...]:
    """Parse what was found into its expressions.

    Raises:
        ExpressionInvalid: It is no Python.
    """
    match found.how:
        case "code":
            return (parse_code(found.text),)
        case "bare":
            return (parse_expression(found.text),)
        case "template":
            return parse_template(found.text).expressions


def config_expressions(config: Mapping[str, Any], *, bare: Bare = Bare()) -> list[FoundExpression]:
    """List every expression that parses, with the path of the string that holds it."""
    expressions = []
    for found in find_texts(config, bare=bare):
        try:
            parsed = parse_found(found)
        except ExpressionInvalid:
            continue
        expressions += [FoundExpression(path=found.path, python=one) for one in parsed]
    return expressions


def references(config: Mapping[str, Any], *, bare: Bare = Bare()) -> set[str]:
    """Name the nodes whose outputs the settings read."""
    return {
        node_id
        for expression in config_expressions(config, bare=bare)
        for node_id in expression.python.names.nodes
    }


def syntax_problems(config: Mapping[str, Any], *, bare: Bare = Bare()) -> list[ConfigProblem]:
    """List the expressions that do not parse or use names that are not there."""
    problems = []
    for found in find_texts(config, bare=bare):
        try:
            parsed = parse_found(found)
        except ExpressionInvalid as error:
            problems.append(_problem(found, "expression_syntax", str(error)))
            continue
        for expression in parsed:
            problems += [
                _problem(found, "expression_name", f"“{expression.source}”: {text}")
                if found.how != "code"
                else _problem(found, "expression_name", text)
                for text in expression.names.problems
            ]
    return problems


def _how(location: tuple[str | int, ...], text: str, bare: Bare) -> TextKind | None:
    if bare.code or bare.expressions:
        pattern = _INDEX.sub("[]", path_text(location))
        if pattern in bare.code:
            return "code"
        if pattern in bare.expressions:
            return "bare"
    return "template" if "{{" in text else None


def _problem(found: Found, code: str, message: str) -> ConfigProblem:
    return ConfigProblem(path=found.path, code=code, message=f"{message[:1].upper()}{message[1:]}.")


def _strings(config: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Walk all strings in their order; without recursion, for settings may be deep."""
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), dict(config))]
    while waiting:
        location, value = waiting.pop()
        if isinstance(value, str):
            yield location, value
        elif isinstance(value, dict):
            waiting += [((*location, key), item) for key, item in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [((*location, index), value[index]) for index in reversed(range(len(value)))]


__all__ = [
    "Bare",
    "Found",
    "FoundExpression",
    "Python",
    "Template",
    "config_expressions",
    "find_texts",
    "holds_template",
    "parse_found",
    "parse_template",
    "references",
    "syntax_problems",
]
