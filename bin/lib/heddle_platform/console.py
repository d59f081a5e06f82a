"""What the commands say in the terminal, and how they refuse to go on."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

_lock = threading.Lock()
_COLOURS = ("36", "33", "35", "32", "34", "31")


class Refusal(Exception):
    """The command cannot go on; the message is one line that says what to do."""


def say(text: str = "") -> None:
    """Print one line at once, whole, whichever thread calls."""
    with _lock:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def complain(text: str) -> None:
    """Print one line to the error stream."""
    with _lock:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


@contextmanager
def progress(title: str) -> Iterator[None]:
    """Announce a step that takes time, and say how long it took."""
    say(f"• {title} …")
    started = monotonic()
    yield
    say(f"  done in {monotonic() - started:.0f} s")


def prefix_for(name: str, *, index: int) -> str:
    """Return the start of each log line of a part, coloured on a terminal."""
    label = f"{name:<11} │ "
    if not sys.stdout.isatty():
        return label
    return f"\x1b[{_COLOURS[index % len(_COLOURS)]}m{label}\x1b[0m"
