"""What proxies look for: answers to COMMIT, which they lose, and doorbells, which they multiply."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.faults.harness.proxy import Cut, Watch

#: PostgreSQL's word that a COMMIT is done.
COMMITTED = b"C\x00\x00\x00\x0bCOMMIT\x00"
ROLLED_BACK = b"C\x00\x00\x00\rROLLBACK\x00"


#: What is in every transaction that stores a step's success.
SUCCESS = b"succeeded"


@dataclass
class CommitAnswers:
    """Harms transactions that store a success: loses the answer to COMMIT, or hangs before it."""

    #: How many answers are still to be lost, and how many were.
    left: int = 0
    lost: int = 0
    #: How many transactions are to hang, and how many did.
    hangs_left: int = 0
    hung: int = 0

    def connection(self) -> Watch:
        """Watch one connection."""
        return _CommitWatch(self)


@dataclass
class _CommitWatch:
    answers: CommitAnswers
    is_stuck: bool = False
    _stores: bool = False
    _before: dict[str, bytes] = field(default_factory=dict)

    def to_server(self, piece: bytes) -> Iterable[bytes]:
        if SUCCESS in self._with_tail("server", piece):
            self._stores = True
            if self.answers.hangs_left:
                self.answers.hangs_left -= 1
                self.answers.hung += 1
                self.is_stuck = True
        return (piece,)

    def to_client(self, piece: bytes) -> Iterable[bytes]:
        seen = self._with_tail("client", piece)
        if COMMITTED in seen:
            if self._stores and self.answers.left:
                self.answers.left -= 1
                self.answers.lost += 1
                raise Cut
            self._stores = False
        if ROLLED_BACK in seen:
            self._stores = False
        return (piece,)

    def _with_tail(self, side: str, piece: bytes) -> bytes:
        """Also find what is cut in two."""
        seen = self._before.get(side, b"") + piece
        self._before[side] = piece[-len(COMMITTED) + 1 :]
        return seen


@dataclass
class Doorbells:
    """Decides how often a doorbell is heard that rang once: not at all, once, or many times."""

    copies: int = 1
    dropped: int = 0
    added: int = 0

    def connection(self) -> Watch:
        """Watch one connection."""
        return _BellWatch(self)

    def heard(self, frame: bytes) -> bytes:
        """Give a frame as often as it shall be heard."""
        if not _BELL.match(frame):
            return frame
        self.dropped += self.copies == 0
        self.added += max(0, self.copies - 1)
        return frame * self.copies


_BELL = re.compile(rb"[*>]3\r\n\$7\r\nmessage\r\n\$\d+\r\nheddle:bell:")


@dataclass
class _BellWatch:
    bells: Doorbells
    is_stuck: bool = False
    _rest: bytes = b""

    def to_server(self, piece: bytes) -> Iterable[bytes]:
        return (piece,)

    def to_client(self, piece: bytes) -> Iterable[bytes]:
        frames, self._rest = split_frames(self._rest + piece)
        return [self.bells.heard(frame) for frame in frames]


def split_frames(stream: bytes) -> tuple[list[bytes], bytes]:
    """Cut a stream of Redis' protocol into whole answers, and what is not whole yet."""
    frames: list[bytes] = []
    at = 0
    while (end := _end_of_frame(stream, at)) is not None:
        frames.append(stream[at:end])
        at = end
    return frames, stream[at:]


def _end_of_frame(stream: bytes, at: int) -> int | None:
    line_end = stream.find(b"\r\n", at)
    if line_end < 0:
        return None
    kind, after = stream[at : at + 1], line_end + 2
    if kind in (b"$", b"!", b"="):
        length = int(stream[at + 1 : line_end])
        end = after if length < 0 else after + length + 2
        return end if len(stream) >= end else None
    if kind in (b"*", b">", b"~", b"%"):
        parts = int(stream[at + 1 : line_end]) * (2 if kind == b"%" else 1)
        return _end_of_parts(stream, after, parts)
    return after


def _end_of_parts(stream: bytes, at: int, parts: int) -> int | None:
    end: int | None = at
    for _ in range(parts):
        if end is None or (end := _end_of_frame(stream, end)) is None:
            return None
    return end
