"""Brings the database to the present code: migrations, first administrator, samples."""

import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

from heddle_platform.child import clean_environment
from heddle_platform.console import Refusal, progress, say
from heddle_platform.installation import Installation
from heddle_platform.parts import manage_command
from heddle_platform.places import ROOT
from heddle_platform.secrets_file import write_private

_BOOTSTRAP = ("HEDDLE_ADMIN_EMAIL", "HEDDLE_ADMIN_PASSWORD", "HEDDLE_BOOTSTRAP_API_KEY")


def ensure_set_up(installation: Installation) -> None:
    """Migrate and fill the database unless that was done with exactly this code."""
    digest = setup_digest()
    stamp = _stamp(installation)
    if stamp and stamp.exists() and stamp.read_text() == digest:
        return
    with progress("Setting up the database"):
        _manage(installation, "migrate", "--noinput", "--verbosity", "0")
        answer = _manage(installation, "setup_installation", "--json")
        _keep_login(installation, answer)
    if stamp:
        stamp.write_text(digest)


def setup_digest() -> str:
    """Return a digest over all that setting up depends on."""
    digest = hashlib.sha256()
    for path in _files_that_matter():
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    for name in _BOOTSTRAP:
        digest.update(os.environ.get(name, "").encode() + b"\0")
    return digest.hexdigest()


def show_login_once(installation: Installation) -> None:
    """Print the first administrator's login, and forget it."""
    file = _login_file(installation)
    if not file.exists():
        return
    login = json.loads(file.read_text())
    say("  This is shown once; write it down:")
    for title, value in login.items():
        say(f"    {title:<9} {value}")
    file.unlink()


def _files_that_matter() -> list[Path]:
    return [
        ROOT / "requirements" / "base.txt",
        *sorted(ROOT.glob("backend/*/migrations/*.py")),
        *sorted(ROOT.glob("backend/*/management/commands/setup_installation.py")),
        *sorted(path for path in (ROOT / "gallery").rglob("*") if path.is_file()),
    ]


def _stamp(installation: Installation) -> Path | None:
    """Lie inside the database folder, so that a new or restored one is set up again."""
    return installation.postgres.home / "heddle-set-up" if installation.postgres else None


def _manage(installation: Installation, *arguments: str) -> str:
    answer = subprocess.run(
        manage_command(*arguments),
        env={**clean_environment(), **installation.environment},
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if answer.returncode:
        log = installation.logs / "setup.log"
        log.write_text(answer.stdout + answer.stderr)
        lines = [line for line in answer.stderr.splitlines() if line.strip()]
        raise Refusal(
            f"Setting up the database failed ({lines[-1].strip() if lines else 'no message'}):"
            f" see {log}."
        )
    return answer.stdout


def _keep_login(installation: Installation, answer: str) -> None:
    login = login_in(answer)
    if login:
        write_private(_login_file(installation), json.dumps(login))


def login_in(answer: str) -> dict[str, Any]:
    """Return what the setup command made, under the words shown to the person."""
    lines = [line for line in answer.splitlines() if line.startswith("{")]
    found = json.loads(lines[-1]) if lines else {}
    titles = {"email": "e-mail", "password": "password", "api_key": "API key"}
    return {title: found[key] for key, title in titles.items() if found.get(key)}


def _login_file(installation: Installation) -> Path:
    return installation.data / "first-login.json"
