"""How a node's settings become values: what has to be evaluated, and where the answers go."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backend.engine.evaluation import NOT_EVALUATED, EvalRequest, Failure, Resolved
from backend.engine.expressions import Bare, Found, find_texts
from backend.engine.python_text import ExpressionInvalid, parse_expression
from backend.engine.templates import Template, parse_template
from workers.sandbox.expression import Expression, compile_expression

Location = tuple[str | int, ...]
_Build = Callable[[Sequence[Any]], Any]

#: About what a recipe, and one value in it, take of memory beside their characters.
_RECIPE_BYTES = 2000
_VALUE_BYTES = 200


@dataclass(frozen=True)
class _Text:
    """A text in the settings, taken apart; or what is wrong with it."""

    path: str
    parsed: Template | Failure
    #: Whether its failure is a value, for the node to judge.
    is_bare: bool

    def fill(self, values: Sequence[Any | Failure]) -> Any | Failure:
        """Put the values of its expressions in."""
        if isinstance(self.parsed, Failure):
            return self.parsed
        for value in values:
            if isinstance(value, Failure):
                return Failure(
                    code=value.code,
                    message=value.message,
                    path=self.path,
                    retryable=value.retryable,
                )
        return self.parsed.fill(values)


@dataclass(frozen=True)
class Recipe:
    """What one node's settings ask for, whatever the scope."""

    expressions: tuple[Expression, ...]
    #: Each text with the number of its expressions.
    _texts: tuple[tuple[_Text, int], ...]
    _build: _Build
    weight: int

    def fill(self, values: Sequence[Any | Failure]) -> Resolved | Failure:
        """Put the values of the expressions in their places."""
        filled: list[Any] = []
        start = 0
        for text, count in self._texts:
            value = text.fill(values[start : start + count])
            start += count
            if isinstance(value, Failure) and not (
                text.is_bare and value.code != NOT_EVALUATED.code
            ):
                return value
            filled.append(value)
        resolved: Resolved = self._build(filled)
        return resolved


def write_recipe(config: Mapping[str, Any], *, bare: Bare) -> Recipe:
    """Find what has to be evaluated in the settings."""
    founds = [found for found in find_texts(config, bare=bare) if found.how != "code"]
    texts = [(found, _parse(found)) for found in founds]
    pythons = [parsed.expressions if isinstance(parsed, Template) else () for _, parsed in texts]
    places = {found.location: place for place, found in enumerate(founds)}
    return Recipe(
        tuple(
            compile_expression(python.code, python.names.scope)
            for of_text in pythons
            for python in of_text
        ),
        tuple(
            (_Text(found.path, parsed, found.how == "bare"), len(of_text))
            for (found, parsed), of_text in zip(texts, pythons, strict=True)
        ),
        _builder(dict(config), (), places),
        _RECIPE_BYTES + _weight(config),
    )


class Recipes:
    """The recipes of settings that were asked about before, as far as they fit.

    A plan's settings are one object for all steps of a node, and nobody changes them.
    """

    def __init__(self, *, max_weight: int = 16_000_000) -> None:
        self._max_weight = max_weight
        self._weight = 0
        #: By the identity of the settings, which the entry itself keeps from being given away.
        self._known: dict[int, tuple[Mapping[str, Any], Bare, Recipe]] = {}

    def of(self, request: EvalRequest) -> Recipe:
        """Give the recipe for the request's settings."""
        known = self._known.get(id(request.config))
        if known is not None and (known[1] is request.bare or known[1] == request.bare):
            return known[2]
        recipe = write_recipe(request.config, bare=request.bare)
        if recipe.weight > self._max_weight // 16:
            return recipe
        if self._weight + recipe.weight > self._max_weight:
            self._known, self._weight = {}, 0
        self._weight += recipe.weight
        self._known[id(request.config)] = (request.config, request.bare, recipe)
        return recipe


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


def _builder(value: Any, location: Location, places: Mapping[Location, int]) -> _Build:
    """Prepare copying the settings with filled texts; every copy belongs to its step."""
    if location in places:
        place = places[location]
        return lambda filled: filled[place]
    if isinstance(value, dict):
        fields = [(key, _builder(item, (*location, key), places)) for key, item in value.items()]
        return lambda filled: {key: build(filled) for key, build in fields}
    if isinstance(value, list):
        items = [_builder(item, (*location, place), places) for place, item in enumerate(value)]
        return lambda filled: [build(filled) for build in items]
    return lambda _filled: value


def _weight(value: Any) -> int:
    if isinstance(value, str):
        return _VALUE_BYTES + len(value)
    if isinstance(value, Mapping):
        return _VALUE_BYTES + sum(_weight(key) + _weight(item) for key, item in value.items())
    if isinstance(value, list):
        return _VALUE_BYTES + sum(map(_weight, value))
    return _VALUE_BYTES
