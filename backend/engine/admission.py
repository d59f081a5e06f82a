"""Which steps may start under limits: seats are held while a step runs, tokens are used up."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Id = TypeVar("Id", bound=Hashable)
Key = TypeVar("Key", bound=Hashable)

#: The key of the limit that every step falls under.
WORKSPACE_KEY = "workspace"


@dataclass(frozen=True)
class Room:
    """What a limit has left. What is none has no bound."""

    #: Steps that may still be started.
    seats: int | None = None
    #: Tokens in the bucket: below 0 after a penalty. One more comes in every `every_s` seconds.
    tokens: float | None = None
    every_s: float = 0.0
    #: Seconds for which the bucket cannot be asked.
    shut_s: float | None = None


@dataclass(frozen=True)
class Wanted(Generic[Id, Key]):
    """A step that could start, with the limits that it falls under."""

    id: Id
    keys: Sequence[Key]


@dataclass(frozen=True)
class Refusal(Generic[Key]):
    """Why a step may not start now; `retry_in_s` is none where it waits for another to end."""

    key: Key
    retry_in_s: float | None


@dataclass(frozen=True)
class Decision(Generic[Id, Key]):
    """Who may start, in the order in which they were offered, and who may not."""

    granted: list[Id] = field(default_factory=list)
    refused: dict[Id, Refusal[Key]] = field(default_factory=dict)


def decide(wanted: Iterable[Wanted[Id, Key]], rooms: Mapping[Key, Room]) -> Decision[Id, Key]:
    """Let steps start in their order while every limit of theirs has room.

    A step that has no room does not keep those behind it back: they may fall under other limits.
    Keys without a room are not limited.
    """
    left = {key: _Left(room) for key, room in rooms.items()}
    decision: Decision[Id, Key] = Decision()
    for one in wanted:
        keys = [key for key in dict.fromkeys(one.keys) if key in left]
        refusal = _refusal(keys, left)
        if refusal is not None:
            left[refusal.key].queued += 1
            decision.refused[one.id] = refusal
            continue
        for key in keys:
            left[key].taken += 1
        decision.granted.append(one.id)
    return decision


@dataclass
class _Left:
    """What is left of a room while steps are let in one by one."""

    room: Room
    taken: int = 0
    #: Refused so far: each will want a token of its own.
    queued: int = 0

    @property
    def has_seat(self) -> bool:
        return self.room.seats is None or self.taken < self.room.seats

    @property
    def wait_s(self) -> float:
        """Seconds until the next one may start, as far as the rate goes; 0 is now."""
        if self.room.shut_s is not None:
            return self.room.shut_s
        if self.room.tokens is None or self.room.tokens - self.taken >= 1:
            return 0.0
        return (1 + self.taken + self.queued - self.room.tokens) * self.room.every_s


def _refusal(keys: Sequence[Key], left: Mapping[Key, _Left]) -> Refusal[Key] | None:
    for key in keys:
        if not left[key].has_seat:
            return Refusal(key, None)
    waits = {key: left[key].wait_s for key in keys}
    longest = max(waits, key=waits.__getitem__, default=None)
    if longest is None or not waits[longest]:
        return None
    return Refusal(longest, waits[longest])
