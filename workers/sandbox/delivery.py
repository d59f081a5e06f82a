"""Pieces of code on behalf of steps on an event loop, and how answers get back to them."""

import asyncio
import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from backend.engine.evaluation import Failure


@dataclass(frozen=True, eq=False)
class Piece:
    """Code that a step waits for."""

    source: str
    scope: Mapping[str, Any]
    answer: "asyncio.Future[Any | Failure]"

    @property
    def is_given_up(self) -> bool:
        """Whether the step does not wait any more."""
        return self.answer.done()


def deliver(answers: Iterable[tuple[Piece, Any | Failure]]) -> None:
    """Hand answers over to the loops that wait for them, all of a loop at once."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Piece, Any | Failure]]] = {}
    for piece, value in answers:
        by_loop.setdefault(piece.answer.get_loop(), []).append((piece, value))
    for loop, of_loop in by_loop.items():
        # A loop that has ended waits for nothing.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_answer, of_loop)


def give_up(pieces: Iterable[Piece], error: Exception | None = None) -> None:
    """End the waiting for pieces that will not be run: cancelled, or for a fault of our own."""
    for piece in pieces:
        with contextlib.suppress(RuntimeError):
            piece.answer.get_loop().call_soon_threadsafe(partial(_end, piece, error))


def _answer(answers: Iterable[tuple[Piece, Any | Failure]]) -> None:
    for piece, value in answers:
        if not piece.answer.done():
            piece.answer.set_result(value)


def _end(piece: Piece, error: Exception | None) -> None:
    if piece.answer.done():
        return
    if error is None:
        piece.answer.cancel()
    else:
        piece.answer.set_exception(error)
