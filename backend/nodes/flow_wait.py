"""flow.wait: goes on later: after a time, or when it is told to."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import AwareDatetime, BeforeValidator, Field

from backend.engine.spec import KindSpec
from backend.nodes.base import Kind, NodeContext, WaitForSignal, WaitUntil
from backend.nodes.fields import Settings, widget

_MAX_SECONDS = 366 * 24 * 3600
#: The end of the calendar, less a margin for zones: later times cannot be written in all of them.
_LAST_DAY = datetime(9999, 12, 30, tzinfo=UTC)
_WAYS = ("seconds", "until", "signal")

Duration = Annotated[float, Field(ge=0, le=_MAX_SECONDS, allow_inf_nan=False)]


class Signal(Settings):
    """A call to the address of the wait, from outside."""

    timeout_s: Duration | None = Field(
        default=None,
        title="Time limit",
        description="Seconds after which the wait fails if no signal has come.",
        json_schema_extra=widget("number"),
    )


def _write_out(value: Any) -> Any:
    """Let `true` and `false` stand for a signal without settings, and for none."""
    if isinstance(value, bool):
        return {} if value else None
    if value is not None and not isinstance(value, Mapping | Signal):
        raise ValueError('Write true, or an object such as {"timeout_s": 3600}.')
    return value


class Config(Settings):
    """For how long, until when, or for which signal."""

    seconds: Duration | None = Field(
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
    signal: Annotated[
        Signal | None, BeforeValidator(_write_out, json_schema_input_type=Signal | bool | None)
    ] = Field(
        default=None,
        title="Signal",
        description=(
            "true: until its address is called, which is {{ run.signals.<id of this node> }}; with "
            '{"timeout_s": 3600} it fails if nothing has come by then.'
        ),
        json_schema_extra=widget("json"),
    )

    @classmethod
    def cross_check(cls, values: Mapping[str, Any]) -> Iterator[str]:
        """Need one of the ways to wait."""
        # Compared by identity: to wait for 0 seconds is to wait.
        given = [n for n in _WAYS if values.get(n) is not None and values.get(n) is not False]
        if not given:
            yield "Say how many seconds to wait, until when, or that it waits for a signal."
        if len(given) > 1:
            yield f"Give one of {', '.join(_WAYS)}, not {' and '.join(given)}."


async def run(
    context: NodeContext, config: Config, _inputs: Mapping[str, Any]
) -> WaitUntil | WaitForSignal:
    """Say when to go on; a time that has passed is at once."""
    if config.signal is not None:
        limit = config.signal.timeout_s
        return WaitForSignal(None if limit is None else context.now + timedelta(seconds=limit))
    if config.seconds is not None:
        return WaitUntil(context.now + timedelta(seconds=config.seconds))
    return WaitUntil(_within(config.until or context.now, earliest=context.now))


def _within(time: datetime, *, earliest: datetime) -> datetime:
    # Compared first: at the ends of the calendar a change of zone overflows.
    if time <= earliest:
        return earliest
    return _LAST_DAY if time >= _LAST_DAY else time.astimezone(UTC)


KIND = Kind(
    spec=KindSpec(
        kind="flow.wait",
        version=1,
        title="Wait",
        summary="Goes on after some time or at a signal, without holding a worker.",
        family="control",
        icon="wait",
        config_model=Config,
        output="None; of a signal, what was sent with it.",
    ),
    run=run,
)
