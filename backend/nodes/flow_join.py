"""flow.join: brings branches together by a rule."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from backend.engine.spec import KindSpec
from backend.nodes.base import Kind, Outcome
from backend.nodes.fields import Settings, Static, widget


class Config(Settings):
    """Which of the incoming branches to wait for."""

    mode: Annotated[Literal["all", "any", "first", "n"], Static] = Field(
        default="all",
        title="Wait for",
        description=(
            "all: every branch that was not skipped. any: the first, and the others run on. "
            "first: the first, and the others are cancelled. n: as many as given, and the others "
            "are cancelled."
        ),
        json_schema_extra=widget("select", fixed=True),
    )
    n: Annotated[int | None, Static, Field(ge=1)] = Field(
        default=None,
        title="How many",
        description="The number of branches to wait for, with “n”.",
        json_schema_extra=widget("number", fixed=True, shown_if={"mode": "n"}),
    )

    @classmethod
    def cross_check(cls, values: Mapping[str, Any]) -> Iterator[str]:
        """Need a number with “n”."""
        if values.get("mode") == "n" and values.get("n") is None:
            yield "Say how many branches to wait for."


def evaluate(_config: Config, inputs: Mapping[str, Any]) -> Outcome:
    """Give what arrived, by the ids of the nodes it came from."""
    return Outcome(output=dict(inputs))


KIND = Kind(
    spec=KindSpec(
        kind="flow.join",
        version=1,
        title="Join",
        summary="Waits for branches and brings their outputs together.",
        family="control",
        icon="join",
        config_model=Config,
        output="`{<id of a node before>: its output}` of what arrived.",
        inline=True,
        deterministic=True,
        needs_inputs=True,
    ),
    evaluate=evaluate,
)
