"""flow.wait: goes on later."""

from collections.abc import Iterator, Mapping
from datetime import UTC, timedelta
from typing import Annotated, Any

from pydantic import AwareDatetime, Field

from backend.engine.spec import KindSpec
from backend.nodes.base import Kind, NodeContext, WaitUntil
from backend.nodes.fields import Settings, widget

_MAX_SECONDS = 366 * 24 * 3600


class Config(Settings):
    """For how long, or until when."""

    seconds: Annotated[float, Field(ge=0, le=_MAX_SECONDS, allow_inf_nan=False)] | None = Field(
        default=None,
        title="Seconds",
        description="How long to wait.",
        json_schema_extra=widget("number"),
    )
    until: AwareDatetime | None = Field(
        default=None,
        title="Until",
        description="A time with its zone, for example 2027-01-31T08:00:00+01:00.",
        json_schema_extra=widget("text", placeholder="2027-01-31T08:00:00Z"),
    )

    @classmethod
    def cross_check(cls, values: Mapping[str, Any]) -> Iterator[str]:
        """Need one of the two."""
        given = [name for name in ("seconds", "until") if values.get(name) is not None]
        if not given:
            yield "Say how many seconds to wait, or until when."
        if len(given) > 1:
            yield "Give seconds or a time, not both."


async def run(context: NodeContext, config: Config, _inputs: Mapping[str, Any]) -> WaitUntil:
    """Say when to go on; a time that has passed is at once."""
    if config.seconds is not None:
        return WaitUntil(context.now + timedelta(seconds=config.seconds))
    until = config.until or context.now
    return WaitUntil(max(until.astimezone(UTC), context.now))


KIND = Kind(
    spec=KindSpec(
        kind="flow.wait",
        version=1,
        title="Wait",
        summary="Goes on after some time, without holding a worker.",
        family="control",
        icon="wait",
        config_model=Config,
        output="None.",
    ),
    run=run,
)
