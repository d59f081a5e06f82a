"""Takes a node's settings apart into questions and puts the answers back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backend.engine.evaluation import NOT_EVALUATED, EvalRequest, Failure, Resolved
from backend.engine.expressions import Found, find_texts
from backend.engine.python_text import ExpressionInvalid, Python, parse_expression
from backend.engine.templates import Template, parse_template


@dataclass(frozen=True)
class Question:
    """One expression with the names that it may read."""

    python: Python
    scope: Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """The questions of one request, and where their answers go."""

    request: EvalRequest
    texts: tuple[tuple[Found, Template | Failure], ...]
    questions: tuple[Question, ...]


def ask(request: EvalRequest) -> Asked:
    """Find what has to be evaluated in the settings."""
    texts = tuple(
        (found, _parse(found))
        for found in find_texts(request.config, bare=request.bare)
        if found.how != "code"
    )
    questions = tuple(
        Question(python, request.scope)
        for _, parsed in texts
        if isinstance(parsed, Template)
        for python in parsed.expressions
    )
    return Asked(request, texts, questions)


def answer(asked: Asked, values: Sequence[Any | Failure]) -> Resolved | Failure:
    """Put the values in the places of their expressions."""
    remaining = iter(values)
    filled: dict[tuple[str | int, ...], Any] = {}
    for found, parsed in asked.texts:
        value = parsed
        if isinstance(parsed, Template):
            value = _fill(found, parsed, [next(remaining) for _ in parsed.expressions])
        if isinstance(value, Failure) and (found.how != "bare" or value.code == NOT_EVALUATED.code):
            return value
        filled[found.location] = value
    resolved: Resolved = _copy(dict(asked.request.config), (), filled)
    return resolved


def _parse(found: Found) -> Template | Failure:
    try:
        if found.how == "bare":
            template = Template(parts=(parse_expression(found.text),))
        else:
            template = parse_template(found.text)
    except ExpressionInvalid as error:
        return Failure(code="expression_syntax", message=f"{error}.", path=found.path)
    problems = [text for python in template.expressions for text in python.names.problems]
    if problems:
        return Failure(code="expression_name", message=f"{problems[0]}.", path=found.path)
    return template


def _fill(found: Found, template: Template, values: list[Any | Failure]) -> Any | Failure:
    for value in values:
        if isinstance(value, Failure):
            return Failure(
                code=value.code,
                message=value.message,
                path=found.path,
                retryable=value.retryable,
            )
    return template.fill(values)


def _copy(
    value: Any, location: tuple[str | int, ...], filled: Mapping[tuple[str | int, ...], Any]
) -> Any:
    if location in filled:
        return filled[location]
    if isinstance(value, dict):
        return {key: _copy(item, (*location, key), filled) for key, item in value.items()}
    if isinstance(value, list):
        return [_copy(item, (*location, index), filled) for index, item in enumerate(value)]
    return value
