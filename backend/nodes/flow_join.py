"""flow.join: brings branches together by a rule."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

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

    @model_validator(mode="before")
    @classmethod
    def _check_number(cls, values: Any) -> Any:
        if isinstance(values, Mapping):
            counts, number = values.get("mode") == "n", values.get("n")
            if counts and number is None:
                raise ValueError("Say how many branches to wait for.")
            if not counts and number is not None:
                raise ValueError("A number of branches goes with the mode “n” only.")
        return values


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
