"""Keeps the product's parts running: starts them, shows their lines, restarts what crashed."""

import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import IO

from heddle_platform import child
from heddle_platform.console import Refusal, prefix_for, say

#: A part that ran this long has recovered: its next crash counts as the first.
STEADY_S = 60
LONGEST_PAUSE_S = 30
#: A part that crashes this often before the product was ever ready will not get better.
HOPELESS = 5
_TICK_S = 0.1
_ASK_AGAIN_S = 0.4


@dataclass(kw_only=True)
class Part:
    """One supervised process."""

    name: str
    start: Callable[[], subprocess.Popen[bytes]]
    stop_signal: signal.Signals = signal.SIGTERM
    grace_s: float = 10
    process: subprocess.Popen[bytes] | None = None
    crashes: int = 0
    started_at: float = 0
    restart_at: float = 0
    #: Services end after the parts that use them.
    is_service: bool = False
    reader: threading.Thread | None = None


def pause_before_restart(crashes: int) -> float:
    """Return the seconds to wait after the n-th crash in a row."""
    return min(0.5 * 2.0 ** max(0, crashes - 1), LONGEST_PAUSE_S)


class Supervisor:
    """Runs services and the parts above them until it is told to stop."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._stopping = threading.Event()
        self._was_ready = False

    def stop(self) -> None:
        """Ask for the end; safe in a signal handler."""
        self._stopping.set()

    def adopt(self, part: Part) -> None:
        """Supervise a part that already runs."""
        part.started_at = monotonic()
        self._parts.append(part)

    def launch(self, part: Part) -> None:
        """Start a part and supervise it."""
        self._parts.append(part)
        self._start(part)

    def watch(self, *, is_ready: Callable[[], bool], when_ready: Callable[[], None]) -> None:
        """Restart what crashes until `stop` is called; tell once when the product is ready.

        Raises:
            Refusal: A part crashed again and again before the product was ever ready.
        """
        ask_at = 0.0
        while not self._stopping.wait(_TICK_S):
            for part in self._parts:
                self._look_after(part)
            if not self._was_ready and monotonic() >= ask_at:
                ask_at = monotonic() + _ASK_AGAIN_S
                self._was_ready = is_ready()
                if self._was_ready:
                    when_ready()

    def stop_all(self) -> None:
        """Stop every part: the services after those that use them."""
        for service in (False, True):
            _stop_together([part for part in self._parts if part.is_service == service])
        self._parts.clear()

    def _look_after(self, part: Part) -> None:
        if part.process is None:
            if monotonic() >= part.restart_at:
                self._start(part)
            return
        status = part.process.poll()
        if status is None:
            return
        child.end_group(part.process)
        part.process = None
        _read_to_the_end(part)
        part.crashes = 1 if monotonic() - part.started_at > STEADY_S else part.crashes + 1
        if part.crashes >= HOPELESS and not self._was_ready:
            raise Refusal(f"{part.name} ended {HOPELESS} times in a row: the lines above say why.")
        pause = pause_before_restart(part.crashes)
        part.restart_at = monotonic() + pause
        say(f"! {part.name} ended ({_describe(status)}); starting it again in {pause:g} s")

    def _start(self, part: Part) -> None:
        part.process = part.start()
        part.started_at = monotonic()
        if part.process.stdout:
            prefix = prefix_for(part.name, index=self._parts.index(part))
            part.reader = _show(part.process.stdout, prefix)
        if part.crashes:
            say(f"! {part.name} started again")


def _stop_together(parts: Sequence[Part]) -> None:
    running = [part for part in parts if part.process]
    for part in running:
        if part.process and part.process.poll() is None:
            part.process.send_signal(part.stop_signal)
    for part in running:
        if part.process:
            _await_end(part.process, part.grace_s)
            child.end_group(part.process)
        _read_to_the_end(part)


def _read_to_the_end(part: Part) -> None:
    """Let the last words be shown before what follows."""
    if part.reader:
        part.reader.join(timeout=1)


def _await_end(process: subprocess.Popen[bytes], grace_s: float) -> None:
    try:
        process.wait(timeout=grace_s)
    except subprocess.TimeoutExpired:
        return


def _describe(status: int) -> str:
    if status >= 0:
        return f"exit code {status}"
    return f"signal {signal.Signals(-status).name}"


def _show(stream: IO[bytes], prefix: str) -> threading.Thread:
    def copy() -> None:
        with stream:
            for raw in stream:
                say(prefix + raw.decode(errors="replace").rstrip())

    reader = threading.Thread(target=copy, daemon=True)
    reader.start()
    return reader
