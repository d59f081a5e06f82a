"""How an attempt ended, as the engine takes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from backend.engine.json_values import storable_text

#: It is in the step, in its events, in the run and in every list of runs.
MAX_MESSAGE_CHARS = 4000


@dataclass(frozen=True)
class Succeeded:
    """The attempt gave an output and took `ports`."""

    output: Any
    ports: tuple[str, ...] = ("out",)
    usage: Mapping[str, Any] | None = None
    #: Operations by which the step changes the graph of its run.
    patch: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class Failed:
    """The attempt failed; `message` is written for the author of the graph."""

    code: str
    message: str
    retryable: bool = False
    retry_after_s: float | None = None

    def to_json(self, node_id: str) -> dict[str, Any]:
        """The error as steps and runs show it."""
        return {
            "code": self.code,
            "message": _shown(self.message),
            "retryable": self.retryable,
            "node_id": node_id,
        }


@dataclass(frozen=True)
class Parked:
    """The step waits without holding a slot: until a time, for a signal, or for whichever is first.

    At the time it succeeds with no output, or fails if it was a signal that did not come.
    """

    until: datetime | None = None
    signal: bool = False


@dataclass(frozen=True)
class Called:
    """The step waits, without holding a slot, for another workflow that is to run for it."""

    workflow_id: str
    #: A published number; none is the latest, else the draft.
    version: int | None
    inputs: Mapping[str, Any]
    #: The graph that was found for it, and checked.
    graph_id: str | None = None


@dataclass(frozen=True)
class Opened:
    """A container starts: what it goes over. A loop has a state, and may be counted or listed."""

    #: What a map goes over, or a loop that goes over a list.
    items: Sequence[Any] | None = None
    #: Rounds of a loop that is counted.
    times: int | None = None
    #: What a loop carries into its first round.
    state: Any = None


@dataclass(frozen=True)
class Stopped:
    """The run ends here: with an output, or with an error."""

    output: Any = None
    error: str | None = None


Outcome = Succeeded | Failed | Parked | Called | Opened | Stopped


def _shown(message: str) -> str:
    # Servers answer anything, and authors raise what they like.
    if len(message) > MAX_MESSAGE_CHARS:
        message = message[: MAX_MESSAGE_CHARS - 1] + "…"
    return storable_text(message)
