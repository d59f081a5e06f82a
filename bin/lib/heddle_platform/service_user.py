"""Whom PostgreSQL and Redis run as: oneself, or, for root, an account without rights."""

import hashlib
import os
import pwd
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

from heddle_platform.console import Refusal
from heddle_platform.places import SHARED_STATE

_ACCOUNT = "heddle"


@dataclass(frozen=True, kw_only=True)
class ServiceUser:
    """An account that services run as."""

    uid: int
    gid: int

    @property
    def is_other(self) -> bool:
        """Tell whether this is someone else than the person who runs the command."""
        return self.uid != os.geteuid()

    def can_enter(self, folder: Path) -> bool:
        """Tell whether the account may enter a folder and everything above it."""
        if not self.is_other:
            return True
        resolved = folder.resolve()
        existing = [path for path in (resolved, *resolved.parents) if path.exists()]
        return all(self._may_pass(path.stat()) for path in existing)

    def own(self, folder: Path) -> None:
        """Make a private folder that belongs to the account."""
        if folder.is_symlink():
            raise Refusal(f"{folder} is a link, which someone else may have laid: remove it.")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.is_other:
            os.chown(folder, self.uid, self.gid)
        folder.chmod(0o700)

    def give(self, path: Path) -> None:
        """Hand a file to the account."""
        if self.is_other:
            os.chown(path, self.uid, self.gid)

    def reachable_copy(self, program: Path) -> Path:
        """Return the program itself, or a copy where the account can run it."""
        if self.can_enter(program.parent):
            return program
        SHARED_STATE.mkdir(mode=0o755, parents=True, exist_ok=True)
        digest = hashlib.sha256(program.read_bytes()).hexdigest()[:10]
        target = SHARED_STATE / f"{program.name}-{digest}"
        if not target.exists():
            unfinished = target.with_suffix(".new")
            shutil.copy(program, unfinished)
            unfinished.chmod(0o755)
            unfinished.rename(target)
        return target

    def _may_pass(self, status: os.stat_result) -> bool:
        if status.st_uid == self.uid:
            return bool(status.st_mode & stat.S_IXUSR)
        if status.st_gid == self.gid:
            return bool(status.st_mode & stat.S_IXGRP)
        return bool(status.st_mode & stat.S_IXOTH)


def find_service_user() -> ServiceUser:
    """Return the account for the services; as root, make one if there is none."""
    if os.geteuid() != 0:
        return ServiceUser(uid=os.geteuid(), gid=os.getegid())
    for name in (_ACCOUNT, _make_account(), "nobody"):
        entry = _look_up(name)
        if entry and entry.pw_uid != 0:
            return ServiceUser(uid=entry.pw_uid, gid=entry.pw_gid)
    raise Refusal(
        "PostgreSQL does not run as root, and there is no other account for it:"
        " create one (useradd --system heddle) and start again."
    )


def _make_account() -> str:
    useradd = shutil.which("useradd")
    if useradd and not _look_up(_ACCOUNT):
        subprocess.run(
            [useradd, "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", _ACCOUNT],
            check=False,
            capture_output=True,
        )
    return _ACCOUNT


def _look_up(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None
