"""data.transform: a piece of Python in the sandbox."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from backend.engine.expressions import Bare
from backend.engine.spec import KindSpec
from backend.nodes.base import Kind, NodeContext, Outcome
from backend.nodes.fields import Settings, widget


class Config(Settings):
    """The code."""

    code: Annotated[str, Field(min_length=1)] = Field(
        title="Code",
        description=(
            "Python that reads inputs and nodes.<id>.output; the last expression is the result. "
            "It runs in a sandbox without files, network and packages."
        ),
        json_schema_extra=widget("code", language="python", rows=12),
    )


async def run(context: NodeContext, config: Config, _inputs: Mapping[str, Any]) -> Outcome:
    """Run the code and give the value of its last expression."""
    return Outcome(output=await context.evaluate(config.code))


KIND = Kind(
    spec=KindSpec(
        kind="data.transform",
        version=1,
        title="Transform",
        summary="Computes a value with a few lines of Python.",
        family="data",
        icon="fx",
        config_model=Config,
        output="The value of the last expression.",
        bare=Bare(code=("code",)),
    ),
    run=run,
)
