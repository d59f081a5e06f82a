"""How an attempt ended, as the engine takes it."""

from collections.abc import Mapping
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
    """The step waits until a time without holding a slot, and then succeeds with no output."""

    until: datetime


Outcome = Succeeded | Failed | Parked


def _shown(message: str) -> str:
    # Servers answer anything, and authors raise what they like.
    if len(message) > MAX_MESSAGE_CHARS:
        message = message[: MAX_MESSAGE_CHARS - 1] + "…"
    return storable_text(message)
