"""Waiting for a condition, with a deadline instead of a fixed pause."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def wait_until(
    condition: Callable[[], Found | None], *, what: str, within_s: float = 60, every_s: float = 0.05
) -> Found:
    """Return the condition's first truthy value; fail, naming what never came, at the deadline."""
    deadline = time.monotonic() + within_s
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"never came within {within_s:g} s: {what}")
        time.sleep(every_s)
    return found
