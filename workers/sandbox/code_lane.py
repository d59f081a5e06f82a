"""Runs the code of many steps: what waits at the same time goes into one program."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from pydantic_monty import MontyError, MontyRuntimeError, MontySyntaxError

from backend.engine.evaluation import Failure
from workers.sandbox.avoided import Avoided
from workers.sandbox.checked import checked
from workers.sandbox.code import Code, read_code
from workers.sandbox.copying import Copying
from workers.sandbox.delivery import Piece, deliver, give_up
from workers.sandbox.gathering import Gathering
from workers.sandbox.kept import Bench, Call
from workers.sandbox.limits import Limits

#: Pieces of code in one program, and the seconds after which it begins no further piece.
_PROGRAM_SIZE = 100
_PROGRAM_S = 0.02
#: Seconds and memory for a whole program; what needs more runs alone.
_SHARED_S = 0.5
_SHARED_BYTES = 64 * 1024 * 1024
#: The calls between a shared program and the text of an author.
_OWN_CALLS = 2
#: Characters that one piece may read, and all of a program, to share an interpreter.
_PIECE_CHARS = 200_000
_PROGRAM_CHARS = 2_000_000
#: Seconds after which a piece counts as slow, and for which such code is run alone.
_SLOW_S = 0.1
_AVOIDED_S = 10.0
_LIMITS_BROKEN = frozenset({"time_limit", "memory_limit"})

#: Runs code in an interpreter of its own.
RunAlone = Callable[[Code, Mapping[str, Any]], Any | Failure]


@dataclass(frozen=True)
class _Shared:
    """A piece that goes into a program with others."""

    piece: Piece
    code: Code
    call: Call


class CodeLane:
    """Threads that run code: together what is short and leaves no trace, alone the rest.

    Each piece is a function of its own in a program, and gets a copy of what it reads. If a
    program breaks a limit, or something in it fails, that is run again alone, which has the last
    word: code has no effects, and so may run twice.
    """

    def __init__(self, *, processes: int, limits: Limits, run_alone: RunAlone) -> None:
        self._limits = limits
        self._run_alone = run_alone
        shared = replace(
            limits.deeper(_OWN_CALLS),
            seconds=min(limits.seconds, _SHARED_S),
            memory_bytes=min(limits.memory_bytes, _SHARED_BYTES),
        )
        self._bench = Bench(processes=processes, limits=shared)
        self._gathering = Gathering(threads=processes, most=_PROGRAM_SIZE, run=self._run)
        # Threads of its own, so that code that needs long holds up none that is short.
        self._long = ThreadPoolExecutor(processes, thread_name_prefix="long-code")
        self._avoided = Avoided()

    def put(self, piece: Piece) -> None:
        """Run a piece as soon as can be, and answer it."""
        self._gathering.put(piece)

    def warm_up(self) -> None:
        """Start an interpreter."""
        with self._bench.interpreter():
            pass

    def close(self) -> None:
        """Stop the interpreters; what waits is cancelled."""
        give_up(self._gathering.close())
        self._long.shutdown(wait=False, cancel_futures=True)
        self._bench.close()

    def _run(self, pieces: list[Piece]) -> None:
        try:
            self._run_together(self._choose(pieces))
        except Exception as error:  # noqa: BLE001 - a fault of ours must not leave steps waiting
            give_up(pieces, error)

    def _choose(self, pieces: Sequence[Piece]) -> list[_Shared]:
        """Pick what runs together; send the rest to run alone, or to wait for the next program."""
        chosen: list[_Shared] = []
        left = _PROGRAM_CHARS
        for place, piece in enumerate(pieces):
            if piece.is_given_up:
                continue
            code = read_code(piece.source)
            if isinstance(code, Failure):
                deliver([(piece, code)])
                continue
            copying = Copying(_PIECE_CHARS)
            call = None if piece.source in self._avoided else code.call(piece.scope, copying)
            if call is None:
                self._send_alone(piece, code)
                continue
            chosen.append(_Shared(piece, code, call))
            left -= _PIECE_CHARS - copying.left
            if left < 0:
                self._gathering.put_back(pieces[place + 1 :])
                break
        return chosen

    def _run_together(self, shared: Sequence[_Shared]) -> None:
        if not shared:
            return
        begun = 0
        try:
            with self._bench.interpreter() as interpreter:
                try:
                    ran = interpreter.run([one.call for one in shared], seconds=_PROGRAM_S)
                except MontyError:
                    begun = interpreter.begun
                    raise
        except (MontyError, TimeoutError) as error:
            self._run_apart(shared, error, begun=begun)
            return
        results = ran.results
        if ran.seconds > _SLOW_S:
            # The program ends with the piece that used its time up.
            self._avoid(shared[len(results) - 1])
        self._gathering.put_back(one.piece for one in shared[len(results) :])
        deliver(
            (one.piece, checked(result[1], limits=self._limits))
            for one, result in zip(shared, results, strict=False)
            if result[0]
        )
        for one, result in zip(shared, results, strict=False):
            if not result[0]:
                self._send_alone(one.piece, one.code)

    def _run_apart(self, shared: Sequence[_Shared], error: Exception, *, begun: int) -> None:
        """Take out of the program what broke it; if that is not known, run each alone."""
        if _is_of_syntax(error) and self._find_untaught(shared):
            self._gathering.put_back(one.piece for one in shared)
            return
        if begun and isinstance(error, MontyRuntimeError):
            culprit = shared[begun - 1]
            self._avoid(culprit)
            self._send_alone(culprit.piece, culprit.code)
            self._gathering.put_back(one.piece for one in shared if one is not culprit)
            return
        for one in shared:
            self._send_alone(one.piece, one.code)

    def _find_untaught(self, shared: Sequence[_Shared]) -> bool:
        """Avoid the functions that the interpreter does not know how to read."""
        found = False
        for one in {one.call[0]: one for one in shared}.values():
            try:
                with self._bench.interpreter() as interpreter:
                    interpreter.teach(one.call[0])
            except (MontyError, TimeoutError):
                self._avoid(one)
                found = True
        return found

    def _send_alone(self, piece: Piece, code: Code) -> None:
        try:
            running = self._long.submit(self._answer_alone, piece, code)
        except RuntimeError:
            give_up([piece])
            return
        running.add_done_callback(lambda done: give_up([piece]) if done.cancelled() else None)

    def _answer_alone(self, piece: Piece, code: Code) -> None:
        if piece.is_given_up:
            return
        began = time.monotonic()
        try:
            value = self._run_alone(code, piece.scope)
        except Exception as error:  # noqa: BLE001 - as above
            give_up([piece], error)
            return
        broke = isinstance(value, Failure) and value.code in _LIMITS_BROKEN
        if broke or time.monotonic() - began > _SLOW_S:
            self._avoided.add(piece.source, seconds=_AVOIDED_S)
        deliver([(piece, value)])

    def _avoid(self, shared: _Shared) -> None:
        self._avoided.add(shared.piece.source, seconds=_AVOIDED_S)


def _is_of_syntax(error: Exception) -> bool:
    if isinstance(error, MontySyntaxError):
        return True
    return isinstance(error, MontyError) and isinstance(
        error.exception(), NotImplementedError | SyntaxError
    )
