"""The virtual environment: made from a lock file, and again only when that file changes."""

import fcntl
import hashlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from heddle_platform.child import clean_environment
from heddle_platform.console import Refusal, progress
from heddle_platform.disk import require_space
from heddle_platform.installing import install
from heddle_platform.places import PYTHON, ROOT, VENV, site_packages

Profile = Literal["base", "dev", "node"]

_STAMP = VENV / "heddle-locks"
_NEEDED_MIB: dict[Profile, int] = {"base": 900, "dev": 1500, "node": 400}
_WHAT: dict[Profile, str] = {
    "base": "the Python packages",
    "dev": "the Python packages of product and tests",
    "node": "Node.js",
}


def ensure_environment(profile: Profile) -> None:
    """Install a lock file into the environment if that has not been done yet."""
    if is_current(profile):
        return
    with _only_one_installs():
        if is_current(profile):
            return
        require_space(ROOT, mebibytes=_NEEDED_MIB[profile])
        with progress(f"Installing {_WHAT[profile]} into {VENV}"):
            if not _python_works():
                _make_environment()
            _install_lock(profile)
        _remember(profile)


def is_current(profile: Profile) -> bool:
    """Tell whether the environment holds what the lock file says; `dev` contains `base`."""
    if not _python_works():
        return False
    installed = _stamps()
    if profile == "base" and installed.get("dev") == _digest("dev"):
        return True
    return installed.get(profile) == _digest(profile)


def lock_file(profile: Profile) -> Path:
    """Return the path of a lock file."""
    return ROOT / "requirements" / f"{profile}.txt"


def _install_lock(profile: Profile) -> None:
    lock = str(lock_file(profile))
    uv = shutil.which("uv") or shutil.which(str(VENV / "bin" / "uv"))
    if uv:
        # Compiled now: whoever may not write here would compile everything at each start.
        command = [uv, "pip", "install", "--compile-bytecode", "--python", str(PYTHON)]
        command += ["--require-hashes", "-r", lock]
    else:
        _ensure_pip()
        command = [str(PYTHON), "-m", "pip", "install", "--no-input", "--progress-bar", "off"]
        command += ["--disable-pip-version-check", "--require-hashes", "-r", lock]
    install(command, what=_WHAT[profile], environment=clean_environment(), folder=ROOT)


def _ensure_pip() -> None:
    """Give pip to an environment that uv made, on a machine that has no uv any more."""
    if not any(site_packages().glob("pip-*.dist-info")):
        command = [str(PYTHON), "-m", "ensurepip", "--upgrade"]
        install(command, what="pip", environment=clean_environment(), folder=ROOT)


def _make_environment() -> None:
    shutil.rmtree(VENV, ignore_errors=True)
    uv = shutil.which("uv")
    if uv:
        command = [uv, "venv", "--python", sys.executable, str(VENV)]
    elif importlib.util.find_spec("ensurepip") and importlib.util.find_spec("venv"):
        command = [sys.executable, "-m", "venv", str(VENV)]
    else:
        raise Refusal(
            "This Python cannot make virtual environments: install its venv package"
            " (Debian and Ubuntu: apt-get install python3-venv) or uv, and start again."
        )
    install(command, what="the environment", environment=clean_environment(), folder=ROOT)


def _python_works() -> bool:
    # A link to an interpreter that is gone does not exist.
    return PYTHON.exists() and os.access(PYTHON, os.X_OK)


def _digest(profile: Profile) -> str:
    return hashlib.sha256(lock_file(profile).read_bytes()).hexdigest()


def _stamps() -> dict[str, str]:
    try:
        lines = _STAMP.read_text().splitlines()
    except OSError:
        return {}
    return dict(line.split(" ", 1) for line in lines if " " in line)


def _remember(profile: Profile) -> None:
    stamps = {**_stamps(), profile: _digest(profile)}
    unfinished = _STAMP.with_suffix(".new")
    unfinished.write_text("".join(f"{name} {digest}\n" for name, digest in stamps.items()))
    unfinished.rename(_STAMP)


@contextmanager
def _only_one_installs() -> Iterator[None]:
    """Hold the checkout's lock: two commands at once install one after the other."""
    descriptor = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
