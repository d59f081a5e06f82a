"""data.set: an object of named values."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from backend.engine.spec import KindSpec
from backend.nodes.base import Kind, Outcome
from backend.nodes.fields import Settings, widget


class Config(Settings):
    """The values and their names."""

    values: dict[str, Any] = Field(
        default_factory=dict,
        title="Values",
        description="Names with values, which may be expressions: {{ inputs.price * 2 }}.",
        json_schema_extra=widget("key-values"),
    )


def evaluate(config: Config, _inputs: Mapping[str, Any]) -> Outcome:
    """Give the values as one object."""
    return Outcome(output=config.values)


KIND = Kind(
    spec=KindSpec(
        kind="data.set",
        version=1,
        title="Set values",
        summary="Puts values together in one object.",
        family="data",
        icon="set",
        config_model=Config,
        output="The object.",
        inline=True,
        deterministic=True,
    ),
    evaluate=evaluate,
)
