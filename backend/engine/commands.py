"""What the scheduler decides: values that a shell carries out."""

from dataclasses import dataclass

from backend.engine.state import StepStatus


@dataclass(frozen=True)
class Settled:
    """A step that reached a final state, and the out ports it took."""

    no: int
    status: StepStatus
    ports: tuple[str, ...] = ()


@dataclass(frozen=True)
class Counters:
    """What is known of a step that may be unlocked.

    `pending` counts incoming edges that are not settled, `taken` those that were taken.
    """

    status: StepStatus
    pending: int
    taken: int


@dataclass(frozen=True)
class SetCounters:
    """Store a step's new counters."""

    no: int
    pending: int
    taken: int


@dataclass(frozen=True)
class MakeReady:
    """Offer the step to workers."""

    no: int


@dataclass(frozen=True)
class Evaluate:
    """Compute an inline step in this pass."""

    no: int


@dataclass(frozen=True)
class Skip:
    """End the step without running it."""

    no: int
    reason: str


@dataclass(frozen=True)
class Cancel:
    """End steps that nobody needs any more, where they are not final yet."""

    numbers: tuple[int, ...]
    reason: str


Command = SetCounters | MakeReady | Evaluate | Skip | Cancel
