"""Processes that are started here, and that never outlive this one."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from heddle_platform.places import ROOT
from heddle_platform.service_user import ServiceUser

_PR_SET_PDEATHSIG = 1
#: Loaded before any fork: after one, only async-signal-safe work is allowed.
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def spawn(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    output: int | IO[bytes],
    user: ServiceUser | None = None,
    last_words: signal.Signals = signal.SIGKILL,
    folder: Path = ROOT,
) -> subprocess.Popen[bytes]:
    """Start a program in its own session; it gets `last_words` when this process dies.

    Call it from a thread that lives as long as the process: Linux counts the death of the
    starting thread as the parent's.
    """
    other = user is not None and user.is_other
    return subprocess.Popen(
        list(command),
        env=dict(environment),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        user=user.uid if user and other else None,
        group=user.gid if user and other else None,
        extra_groups=[] if other else None,
        preexec_fn=_die_with_parent(last_words, parent=os.getpid()),  # noqa: PLW1509
    )


def run_as(
    user: ServiceUser, command: Sequence[str], *, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end as the service user and return what it said."""
    return subprocess.run(
        list(command),
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env=clean_environment(),
        user=user.uid if user.is_other else None,
        group=user.gid if user.is_other else None,
        extra_groups=[] if user.is_other else None,
        preexec_fn=_die_with_parent(signal.SIGKILL, parent=os.getpid()),
    )


def clean_environment() -> dict[str, str]:
    """Return the machine's environment without what would lead Python or PostgreSQL astray."""
    astray = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV", "DJANGO_SETTINGS_MODULE")
    return {
        key: value
        for key, value in os.environ.items()
        if key not in astray and not key.startswith("PG")
    }


def stop(
    process: subprocess.Popen[bytes], *, by: signal.Signals = signal.SIGTERM, grace_s: float = 10
) -> None:
    """Ask a process to end, and end its whole group by force when it does not."""
    if process.poll() is None:
        process.send_signal(by)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=grace_s)
    end_group(process)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill whatever is left of a process and of those that it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _die_with_parent(last_words: signal.Signals, *, parent: int) -> Callable[[], None] | None:
    if _LIBC is None:
        return None
    prctl = _LIBC.prctl

    def ask_the_kernel() -> None:
        prctl(_PR_SET_PDEATHSIG, int(last_words))
        if os.getppid() != parent:  # it died before we could ask
            os.kill(os.getpid(), signal.SIGKILL)

    return ask_the_kernel
