"""How other commands reach the product that runs on a data folder of this machine."""

import fcntl
import json
import os
from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path

from heddle_platform.child import clean_environment
from heddle_platform.console import Refusal
from heddle_platform.parts import manage_command
from heddle_platform.places import DEFAULT_DATA, PYTHON


def join_running_installation(environment: MutableMapping[str, str]) -> bool:
    """Add the running product's variables, unless the caller names a database itself."""
    if environment.get("DATABASE_URL"):
        return True
    found = _read(Path(environment.get("HEDDLE_DATA") or DEFAULT_DATA))
    for key, value in found.items():
        environment.setdefault(key, value)
    return bool(found)


def manage(arguments: Sequence[str]) -> int:
    """Run one of Django's commands on the running product, in place of this process."""
    environment = clean_environment()
    if not join_running_installation(environment):
        raise Refusal(
            "Heddle does not run here: start it with bin/up, or name its folder in HEDDLE_DATA."
        )
    # The caller's folder stays: a file is named from there.
    os.execve(PYTHON, manage_command(*arguments), environment)  # noqa: S606


def _read(data: Path) -> Mapping[str, str]:
    if not _is_held(data / "lock"):
        return {}
    try:
        return dict(json.loads((data / "running.json").read_text())["environment"])
    except FileNotFoundError:
        return {}


def _is_held(lock: Path) -> bool:
    try:
        descriptor = os.open(lock, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(descriptor)
