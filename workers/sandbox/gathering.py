"""Threads that take together what waits at the same time."""

import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from workers.sandbox.delivery import Piece


class Gathering:
    """Pieces that wait for one of some threads.

    A piece alone is taken at once. While all threads are busy others gather, and the next free
    thread takes them together, up to `most`.
    """

    def __init__(self, *, threads: int, most: int, run: Callable[[list[Piece]], None]) -> None:
        self._run = run
        self._most = most
        self._free = threads
        self._waiting: deque[Piece] = deque()
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="code")
        self._closed = False

    def put(self, piece: Piece) -> None:
        """Let a piece wait behind the others.

        Raises:
            RuntimeError: It is closed.
        """
        with self._lock:
            if self._closed:
                raise RuntimeError("The evaluator is closed.")
            self._waiting.append(piece)
            self._start()

    def put_back(self, pieces: Iterable[Piece]) -> None:
        """Let pieces that were taken wait again, before the others and in their order."""
        with self._lock:
            self._waiting.extendleft(reversed(list(pieces)))
            self._start()

    def close(self) -> list[Piece]:
        """Take no more; gives what still waits."""
        with self._lock:
            self._closed = True
            left = list(self._waiting)
            self._waiting.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)
        return left

    def _start(self) -> None:
        if self._waiting and self._free and not self._closed:
            self._free -= 1
            self._threads.submit(self._work)

    def _work(self) -> None:
        while pieces := self._take():
            self._run(pieces)

    def _take(self) -> list[Piece]:
        with self._lock:
            count = min(len(self._waiting), self._most)
            if not count:
                self._free += 1
            return [self._waiting.popleft() for _ in range(count)]
