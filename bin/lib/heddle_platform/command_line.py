"""Finds the command that bin/ asked for, and turns its failures into one line."""

import errno
import signal
from collections.abc import Callable, Sequence
from types import FrameType

from heddle_platform.benchmarks import bench
from heddle_platform.chaos import chaos
from heddle_platform.checks import check
from heddle_platform.console import Refusal, complain
from heddle_platform.running import manage
from heddle_platform.suites import test
from heddle_platform.up import up

_COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "up": up,
    "test": test,
    "check": check,
    "bench": bench,
    "chaos": chaos,
    "manage": manage,
}


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    name, *rest = arguments
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _as_interrupt)
    try:
        return _COMMANDS[name](rest)
    except Refusal as refusal:
        complain(f"bin/{name}: {refusal}")
    except KeyboardInterrupt:
        complain(f"bin/{name}: interrupted")
        return 130
    except OSError as error:
        complain(f"bin/{name}: {_explain(error)}")
    return 1


def _as_interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _explain(error: OSError) -> str:
    where = f" ({error.filename})" if error.filename else ""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return f"No space left on the disk{where}: free some and start again."
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return f"Not allowed to write or run{where}: check the permissions and start again."
    return f"The system refused{where}: {error.strerror or error}."
