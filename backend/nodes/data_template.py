"""data.template: text with values written into it."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from backend.engine.spec import KindSpec
from backend.nodes.base import Kind, Outcome
from backend.nodes.fields import Settings, Text, widget


class Config(Settings):
    """The text."""

    text: Text = Field(
        title="Text",
        description="Text with expressions: Dear {{ inputs.name }}. Objects are written as JSON.",
        json_schema_extra=widget("template", rows=8),
    )


def evaluate(config: Config, _inputs: Mapping[str, Any]) -> Outcome:
    """Give the text."""
    return Outcome(output=config.text)


KIND = Kind(
    spec=KindSpec(
        kind="data.template",
        version=1,
        title="Text",
        summary="Writes values into a text.",
        family="data",
        icon="log",
        config_model=Config,
        output="The text.",
        inline=True,
        deterministic=True,
    ),
    evaluate=evaluate,
)
