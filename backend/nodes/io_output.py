"""io.output: a named result of the run."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from backend.engine.spec import KindSpec
from backend.nodes.base import Kind, Outcome
from backend.nodes.fields import Settings, Static, widget


class Config(Settings):
    """What the result is, and what it is called."""

    value: Any = Field(
        title="Value",
        description="The result, for example {{ nodes.summary.output.text }}.",
        json_schema_extra=widget("template", rows=3),
    )
    name: Annotated[str | None, Static] = Field(
        default=None,
        title="Name",
        description="What the result is called among the run's outputs; else the node's id.",
        min_length=1,
        max_length=100,
        json_schema_extra=widget("text", fixed=True),
    )


def evaluate(config: Config, _inputs: Mapping[str, Any]) -> Outcome:
    """Give the value."""
    return Outcome(output=config.value)


KIND = Kind(
    spec=KindSpec(
        kind="io.output",
        version=1,
        title="Output",
        summary="Names a result of the run.",
        family="in_out",
        icon="output",
        config_model=Config,
        output="The value; the run's outputs map names to values.",
        inline=True,
        deterministic=True,
    ),
    evaluate=evaluate,
)
