"""Finds a Chromium for the browser tests, installing Debian's as root when there is none."""

import os
import shutil
import subprocess
from pathlib import Path

from heddle_platform.console import Refusal, progress

#: No sandbox as root, and none of the calls that a browser makes on its own behalf.
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
_PACKAGES = ("chromium", "fonts-dejavu-core", "fonts-liberation")
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def flags() -> list[str]:
    """Return the command line flags under which tests start the browser."""
    return [*FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]


def find_chromium() -> Path:
    """Return a browser: the one named, Playwright's own, the system's, or one just installed."""
    found = _named() or _of_playwright() or _of_system() or _from_packages()
    if not found:
        raise Refusal(
            "No Chromium for the browser tests: install it (Debian: apt-get install chromium;"
            " elsewhere: .venv/bin/playwright install chromium) or name one in HEDDLE_CHROMIUM."
        )
    return found


def _named() -> Path | None:
    name = os.environ.get("HEDDLE_CHROMIUM", "")
    if name and not Path(name).is_file():
        raise Refusal(f"HEDDLE_CHROMIUM names {name}, which is no file: correct or unset it.")
    return Path(name) if name else None


def _of_playwright() -> Path | None:
    place = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright"
    found = sorted(Path(place).glob("chromium-*/chrome-linux*/chrome"))
    return found[-1] if found else None


def _of_system() -> Path | None:
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    return Path(found) if found else None


def _from_packages() -> Path | None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with progress("Installing Chromium from the system's packages"):
        for command in (
            ["apt-get", "update", "-qq"],
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *_PACKAGES],
        ):
            subprocess.run(
                command,
                env=environment,
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
    return _of_system()
