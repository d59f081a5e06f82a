"""Checks that what comes out of the sandbox can be kept."""

from typing import Any

from backend.engine.evaluation import Failure
from backend.engine.json_values import NotJson, TooLarge, to_json
from workers.sandbox.limits import Limits


def checked(value: Any, *, limits: Limits) -> Any | Failure:
    """Copy a result as JSON, or say why it is none."""
    try:
        return to_json(value, max_bytes=limits.output_bytes)
    except TooLarge as error:
        return Failure(code="output_limit", message=_sentence(error))
    except NotJson as error:
        return Failure(code="not_json", message=_sentence(error))


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
