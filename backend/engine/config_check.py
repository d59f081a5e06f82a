"""Checks a node's settings against its kind's model, leaving templates for later."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from backend.engine.templates import holds_template

#: Marks, in pydantic's validation context, settings whose templates were evaluated.
RESOLVED = {"resolved": True}
#: The type of the error for a setting that must not be computed.
STATIC_ERROR = "static"


class Settings(BaseModel, extra="forbid"):
    """The base of a kind's settings."""

    @classmethod
    def cross_check(cls, values: Mapping[str, Any]) -> Iterable[str]:
        """Say what is wrong with settings that depend on each other."""
        del values
        return ()

    @classmethod
    def check_written(cls, values: Mapping[str, Any]) -> Iterable[str]:
        """Say what is wrong with settings as they are written, before anything is evaluated."""
        del values
        return ()


@dataclass(frozen=True, kw_only=True)
class ConfigProblem:
    """One thing wrong with a node's settings; `path` is relative to the settings."""

    path: str
    message: str
    code: str


class ConfigInvalid(ValueError):
    """Settings that do not fit their kind after their templates were evaluated."""

    def __init__(self, problems: Sequence[ConfigProblem]) -> None:
        super().__init__("; ".join(_sentence(problem) for problem in problems))
        self.problems = tuple(problems)


def find_problems(
    model: type[BaseModel], config: Mapping[str, Any], *, resolved: bool = False
) -> list[ConfigProblem]:
    """List what is wrong with `config`; a string with a template fits any setting."""
    problems = _cross_problems(model, config, resolved=resolved)
    try:
        model.model_validate(config, context=RESOLVED if resolved else None)
    except ValidationError as error:
        details = error.errors(include_url=False)
        if not resolved:
            details = [one for one in details if not _is_template(one)]
        return [_problem(one, model) for one in details] + problems
    return problems


def load(model: type[BaseModel], config: Mapping[str, Any]) -> BaseModel:
    """Build the settings from values whose templates were evaluated.

    Raises:
        ConfigInvalid: The values do not fit the kind.
    """
    if problems := find_problems(model, config, resolved=True):
        raise ConfigInvalid(problems)
    return model.model_validate(config, context=RESOLVED)


def path_text(location: Sequence[str | int]) -> str:
    """Write a location as it reads in a document: `cases[0].when`."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


def _cross_problems(
    model: type[BaseModel], config: Mapping[str, Any], *, resolved: bool
) -> list[ConfigProblem]:
    if not issubclass(model, Settings):
        return []
    messages = [*model.cross_check(config), *(() if resolved else model.check_written(config))]
    return [ConfigProblem(path="", message=text, code="config_invalid") for text in messages]


def _is_template(detail: ErrorDetails) -> bool:
    if detail["type"] in (STATIC_ERROR, "extra_forbidden"):
        return False
    value = detail["input"]
    return isinstance(value, str) and holds_template(value)


def _problem(detail: ErrorDetails, model: type[BaseModel]) -> ConfigProblem:
    path = path_text(detail["loc"])
    if detail["type"] == "missing":
        return ConfigProblem(path=path, message="A value is needed here.", code="config_missing")
    if detail["type"] == "extra_forbidden":
        message = "There is no such setting."
        if len(detail["loc"]) == 1:
            names = ", ".join(field.alias or name for name, field in model.model_fields.items())
            message = f"There is no such setting; this kind has: {names or 'none'}."
        return ConfigProblem(path=path, message=message, code="config_unknown")
    message = detail["msg"].removeprefix("Value error, ")
    return ConfigProblem(path=path, message=_closed(message), code="config_invalid")


def _closed(message: str) -> str:
    return message if message.endswith((".", "!", "?")) else f"{message}."


def _sentence(problem: ConfigProblem) -> str:
    return f"{problem.path}: {problem.message}" if problem.path else problem.message
