"""Interpreters outside this process, started when the first one is needed."""

import importlib.util
import sys
import threading
from typing import Any, cast

from pydantic_monty import Monty, MontySession

from workers.sandbox.limits import OS_POLICY, Limits

#: Seconds past the limit after which an interpreter that hangs is killed.
_BACKSTOP_S = 5.0
#: Seconds that a caller waits for a free interpreter.
QUEUE_S = 60.0
#: Sessions after which an interpreter is replaced.
_SESSIONS = 1000


class Pool:
    """A bounded number of interpreters with the same limits; thread-safe."""

    def __init__(self, *, processes: int, limits: Limits) -> None:
        self.limits = limits
        self._processes = processes
        self._lock = threading.Lock()
        self._monty: Monty | None = None
        self._closed = False

    @property
    def is_started(self) -> bool:
        """Whether an interpreter has been needed yet."""
        return self._monty is not None

    def session(self, limits: Limits | None = None) -> MontySession:
        """Give an interpreter with nothing in it, to be used as a context manager."""
        chosen = limits or self.limits
        return self._started().checkout(limits=chosen.for_monty(), os_policy=OS_POLICY)

    def close(self) -> None:
        """Stop the interpreters."""
        with self._lock:
            monty, self._monty, self._closed = self._monty, None, True
        if monty is not None:
            monty.__exit__(None, None, None)

    def _started(self) -> Monty:
        with self._lock:
            if self._closed:
                raise RuntimeError("The evaluator is closed.")
            if self._monty is None:
                _note_that_telemetry_is_missing()
                monty = Monty(
                    max_processes=self._processes,
                    checkout_timeout=QUEUE_S,
                    request_timeout=self.limits.seconds + _BACKSTOP_S,
                    max_checkouts_per_worker=_SESSIONS,
                )
                self._monty = monty.__enter__()
            return self._monty


def _note_that_telemetry_is_missing() -> None:
    """Note once that a package is not installed, which Monty looks for on every call.

    Looking through all folders for it takes longer than the call itself.
    """
    name = "opentelemetry"
    if name not in sys.modules and importlib.util.find_spec(name) is None:
        cast("dict[str, Any]", sys.modules)[name] = None
