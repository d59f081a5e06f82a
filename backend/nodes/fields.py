"""Types of settings: how they are checked, and how the editor shows them."""

from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo
from pydantic_core import PydanticCustomError

from backend.engine.config_check import STATIC_ERROR, Settings
from backend.engine.items import is_computed, items_of
from backend.engine.templates import as_text, holds_template


def widget(name: str, **more: Any) -> dict[str, Any]:
    """Say which control of the editor a setting gets."""
    return {"x-heddle": {"widget": name, **more}}


def _write_out(value: Any, info: ValidationInfo) -> Any:
    """Once evaluated, a text may be any value: it is written as it would be inside a text."""
    resolved = bool(info.context and info.context.get("resolved"))
    return as_text(value) if resolved and not isinstance(value, str) else value


def _refuse_template(value: Any) -> Any:
    if isinstance(value, str) and holds_template(value):
        raise PydanticCustomError(STATIC_ERROR, "This cannot be computed; write it as it is.")
    return value


def _accept_evaluated(value: Any, info: ValidationInfo) -> Any:
    if not (info.context and info.context.get("resolved")) and not isinstance(value, str):
        raise PydanticCustomError("expression_type", "An expression is written as a text.")
    return value


def _check_items(value: Any, info: ValidationInfo) -> Any:
    resolved = bool(info.context and info.context.get("resolved"))
    if resolved or not is_computed(value):
        items_of(value)
    return value


#: Text that may hold expressions.
Text = Annotated[str, BeforeValidator(_write_out)]
#: Marks a setting that must be known before the run: no expressions.
Static = BeforeValidator(_refuse_template)
#: A bare expression: a text in the document, its value once evaluated.
Expression = Annotated[Any, BeforeValidator(_accept_evaluated, json_schema_input_type=str)]
#: What is gone over: a list, a count or a range; `items_of` gives its items once it is evaluated.
Items = Annotated[Any, BeforeValidator(_check_items)]

__all__ = ["Expression", "Items", "Settings", "Static", "Text", "widget"]
