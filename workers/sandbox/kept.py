"""Interpreters that are kept between programs, with the functions that they were taught."""

import contextlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_monty import CollectStreams, MontyError, MontySession

from workers.sandbox.limits import Limits
from workers.sandbox.pool import QUEUE_S, Pool
from workers.sandbox.prelude import CALLS, FULL, FUNCTIONS, RUN, SECONDS

#: What the text of a function names it.
FUNCTION = "__heddle_function__"
#: Programs, or functions, after which an interpreter starts afresh: it holds on to all it was told.
_PROGRAMS = 1000

#: The text of a function named `FUNCTION`, and what it is called with.
Call = tuple[str, Sequence[Any]]


@dataclass(frozen=True)
class Ran:
    """What came of a program."""

    #: `[True, value]` or `[False, kind, message]` for each function that was called.
    results: Sequence[Any]
    #: As the interpreter measured it.
    seconds: float


class Kept:
    """One interpreter. Whoever runs functions in it answers for it that they leave no trace."""

    def __init__(self, session: MontySession) -> None:
        self._session = session
        self._numbers: dict[str, int] = {}
        self._programs = 0
        self._written = CollectStreams()
        self._session.__enter__()
        try:
            self._session.feed_run(FULL)
        except BaseException:
            self.close()
            raise

    @property
    def is_worn(self) -> bool:
        """Whether it has run enough."""
        return self._programs >= _PROGRAMS or len(self._numbers) >= _PROGRAMS

    @property
    def begun(self) -> int:
        """How many calls of the last program were begun, as far as is known."""
        return sum(len(text) for stream, text in self._written.output if stream == "stderr")

    def run(self, calls: Sequence[Call], *, seconds: float = 1e9) -> Ran:
        """Call functions in one program; after `seconds` no further one is called.

        Raises:
            MontyError: The program broke a limit, or the interpreter died or knows no such text.
        """
        new = self._untaught(calls)
        numbers = self._numbers | new
        self._programs += 1
        self._written = CollectStreams()
        results, taken = self._session.feed_run(
            f"{_lesson(new)}{RUN}({CALLS}, {SECONDS})\n",
            inputs={
                CALLS: [(numbers[function], arguments) for function, arguments in calls],
                SECONDS: seconds,
            },
            print_callback=self._written,
        )
        self._numbers = numbers
        return Ran(results, taken)

    def teach(self, function: str) -> None:
        """Define a function, without calling it.

        Raises:
            MontyError: It knows no such text.
        """
        new = self._untaught([(function, ())])
        self._session.feed_run(_lesson(new))
        self._numbers |= new

    def close(self) -> None:
        """Give the process back to its pool."""
        with contextlib.suppress(MontyError):
            self._session.__exit__(None, None, None)

    def _untaught(self, calls: Sequence[Call]) -> dict[str, int]:
        new = dict.fromkeys(text for text, _ in calls if text not in self._numbers)
        return {text: len(self._numbers) + place for place, text in enumerate(new)}


class Bench:
    """A bounded number of kept interpreters with the same limits; thread-safe."""

    def __init__(self, *, processes: int, limits: Limits) -> None:
        self.limits = limits
        self._pool = Pool(processes=processes, limits=limits)
        self._seats = threading.BoundedSemaphore(processes)
        self._idle: list[Kept] = []
        self._lock = threading.Lock()

    @property
    def is_started(self) -> bool:
        """Whether an interpreter has been needed yet."""
        return self._pool.is_started

    @contextlib.contextmanager
    def interpreter(self, *, alone: bool = False) -> Iterator[Kept]:
        """Lend an interpreter; one with which anything went wrong is not used again.

        `alone` is for what no program before or after it may have to do with.

        Raises:
            TimeoutError: None became free.
        """
        if not self._seats.acquire(timeout=QUEUE_S):
            raise TimeoutError("no interpreter became free")
        try:
            kept = self._take(used=not alone)
            try:
                yield kept
            except BaseException:
                kept.close()
                raise
            if alone or kept.is_worn:
                kept.close()
            else:
                self._put_back(kept)
        finally:
            self._seats.release()

    def close(self) -> None:
        """Stop the interpreters."""
        with self._lock:
            idle, self._idle = self._idle, []
        for kept in idle:
            kept.close()
        self._pool.close()

    def _take(self, *, used: bool) -> Kept:
        # The last one used: the others' processes may then rest.
        with self._lock:
            kept = self._idle.pop() if self._idle else None
        if kept is not None and used:
            return kept
        if kept is not None:
            kept.close()
        return Kept(self._pool.session())

    def _put_back(self, kept: Kept) -> None:
        with self._lock:
            self._idle.append(kept)


def _lesson(functions: dict[str, int]) -> str:
    """Write the definitions of functions that the interpreter does not know yet."""
    return "".join(f"{text}{FUNCTIONS}.append({FUNCTION})\n" for text in functions)
