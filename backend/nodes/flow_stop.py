"""flow.stop: ends the run, from wherever it stands."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from backend.engine.spec import KindSpec
from backend.nodes.base import Kind, StopRun
from backend.nodes.fields import Settings, Static, Text, widget


class Config(Settings):
    """With what the run ends: a result, or an error."""

    value: Any = Field(
        default=None,
        title="Value",
        description="The result, for example {{ nodes.check.output }}.",
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
    fail: Annotated[bool, Static] = Field(
        default=False,
        title="End as failed",
        description="The run fails with the message below.",
        json_schema_extra=widget("switch", fixed=True),
    )
    message: Text | None = Field(
        default=None,
        title="Message",
        description="Why the run fails.",
        json_schema_extra=widget("template", rows=2, shown_if={"fail": True}),
    )

    @classmethod
    def check_written(cls, values: Mapping[str, Any]) -> Iterator[str]:
        """Refuse what the other choice would leave unused."""
        if values.get("fail") is True:
            if values.get("value") is not None or values.get("name") is not None:
                yield "A run that fails has no result: remove value and name, or switch fail off."
        elif values.get("message") is not None:
            yield "Only a run that fails has a message: switch fail on, or remove it."


def evaluate(config: Config, _inputs: Mapping[str, Any]) -> StopRun:
    """End the run."""
    if config.fail:
        return StopRun(error=config.message or "The workflow ended the run as failed.")
    return StopRun(output=config.value)


KIND = Kind(
    spec=KindSpec(
        kind="flow.stop",
        version=1,
        title="Stop",
        summary="Ends the run at once, with a result or an error, and cancels the rest.",
        family="control",
        icon="stop",
        config_model=Config,
        output="The value; it is one of the run's outputs.",
        inline=True,
        out_ports=(),
    ),
    evaluate=evaluate,
)
