"""What the scheduler decides: values that a shell carries out."""

from dataclasses import dataclass

from backend.engine.plan import Key
from backend.engine.state import StepStatus


@dataclass(frozen=True, slots=True)
class Settled:
    """A step that reached a final state, and the out ports it took."""

    key: Key
    status: StepStatus
    ports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Counters:
    """What is known of a step that may be unlocked.

    `pending` counts incoming edges that are not settled, `taken` those that were taken.
    """

    status: StepStatus
    pending: int
    taken: int


@dataclass(frozen=True, slots=True)
class SetCounters:
    """Store a step's new counters."""

    key: Key
    pending: int
    taken: int


@dataclass(frozen=True, slots=True)
class MakeReady:
    """Offer the step to workers."""

    key: Key


@dataclass(frozen=True, slots=True)
class Evaluate:
    """Compute an inline step in this pass."""

    key: Key


@dataclass(frozen=True, slots=True)
class Skip:
    """End the step without running it."""

    key: Key
    reason: str


@dataclass(frozen=True, slots=True)
class Cancel:
    """End steps that nobody needs any more, where they are not final yet."""

    keys: tuple[Key, ...]
    reason: str


Command = SetCounters | MakeReady | Evaluate | Skip | Cancel
