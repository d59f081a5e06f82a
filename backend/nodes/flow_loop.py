"""flow.loop: runs the nodes inside it round after round, carrying a state."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from backend.engine.expressions import Bare
from backend.engine.items import items_of, written_count
from backend.engine.spec import KindSpec
from backend.nodes.base import InRounds, Kind
from backend.nodes.fields import Expression, Items, Settings, Static, widget

_DEFAULT_ROUNDS = 100
_ENDS = ("while", "times", "over")


class Config(Settings):
    """What is carried from round to round, and when it ends."""

    state: Any = Field(
        default=None,
        title="First state",
        description="What the first round finds in state.",
        json_schema_extra=widget("template", rows=2),
    )
    while_: Expression = Field(
        default=None,
        alias="while",
        title="While",
        description="Checked before each round, for example state.score < 0.9 and round < 5.",
        json_schema_extra=widget("expression"),
    )
    times: Annotated[int, Field(ge=0)] | None = Field(
        default=None,
        title="Times",
        description="How many rounds to go at most.",
        json_schema_extra=widget("number"),
    )
    over: Items = Field(
        default=None,
        title="Go over",
        description=(
            "A list, a whole number, or a range, as of a map: one round for each item, in order."
        ),
        json_schema_extra=widget("template", rows=2),
    )
    next: Any = Field(
        default=None,
        title="Next state",
        description=(
            "Computed at the end of each round from the outputs of the nodes inside, state and "
            "round; else the output of the only last node inside, or the state as it was."
        ),
        json_schema_extra=widget("template", rows=2),
    )
    max_iterations: Annotated[int, Static, Field(ge=1)] = Field(
        default=_DEFAULT_ROUNDS,
        title="Rounds at most",
        description="A loop that would go on after so many rounds fails.",
        json_schema_extra=widget("number", fixed=True),
    )
    result: Any = Field(
        default=None,
        title="Result",
        description="Computed after the last round, from state, round and the nodes inside; else "
        "the last state.",
        json_schema_extra=widget("template", rows=2),
    )

    @classmethod
    def check_written(cls, values: Mapping[str, Any]) -> Iterator[str]:
        """Need an end, within the rounds that are allowed."""
        if all(values.get(name) is None for name in _ENDS):
            yield "Say when it ends: by times, by a list to go over, or by a condition in while."
        if values.get("while") is None:
            yield from _more_rounds_than_allowed(values)


def _more_rounds_than_allowed(values: Mapping[str, Any]) -> Iterator[str]:
    times, most = values.get("times"), values.get("max_iterations", _DEFAULT_ROUNDS)
    counts = [times if isinstance(times, int) else None, written_count(values.get("over"))]
    rounds = min((count for count in counts if count is not None), default=0)
    if (
        isinstance(most, int)
        and rounds > most
        and all(
            count is not None or values.get(name) is None
            for name, count in zip(("times", "over"), counts, strict=True)
        )
    ):
        yield f"It is to go {rounds} rounds, and max_iterations allows {most}; raise it."


def evaluate(config: Config, _inputs: Mapping[str, Any]) -> InRounds:
    """Say with what to begin, and how many rounds there are."""
    items = items_of(config.over) if config.over is not None else None
    return InRounds(state=config.state, times=config.times, items=items)


KIND = Kind(
    spec=KindSpec(
        kind="flow.loop",
        version=1,
        title="Loop",
        summary="Runs what is inside it round after round, carrying a state.",
        family="control",
        icon="loop",
        config_model=Config,
        output="The result, or else the last state.",
        inline=True,
        bare=Bare(expressions=("while",)),
        container="loop",
        deferred=("while", "next", "result"),
    ),
    evaluate=evaluate,
)
