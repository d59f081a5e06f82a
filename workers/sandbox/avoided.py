"""Remembers for a while which code not to run together with that of others."""

import threading
import time
from collections.abc import Callable

_MOST = 1000


class Avoided:
    """A bounded memory; thread-safe. Being in it for no reason costs a little time, no more."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: dict[int, float] = {}
        self._lock = threading.Lock()

    def add(self, source: str, *, seconds: float) -> None:
        """Avoid the code for so long."""
        now = self._clock()
        with self._lock:
            if len(self._until) >= _MOST:
                self._until = {key: until for key, until in self._until.items() if until > now}
            if len(self._until) < _MOST:
                self._until[hash(source)] = now + seconds

    def __contains__(self, source: str) -> bool:
        until = self._until.get(hash(source))
        return until is not None and self._clock() < until
