"""The installation's own secrets: made once, kept in the data folder, for its owner only."""

import base64
import json
import os
import secrets
from pathlib import Path

from heddle_platform.console import Refusal

_NAMES = ("HEDDLE_SECRET_KEY", "HEDDLE_CREDENTIAL_KEYS", "REDIS_PASSWORD")


def read_or_make(path: Path) -> dict[str, str]:
    """Return the secrets, making the file at the first start."""
    if not path.exists():
        _write(path, _make())
    try:
        found = json.loads(path.read_text())
    except ValueError:
        found = None
    if not isinstance(found, dict) or any(not found.get(name) for name in _NAMES):
        raise Refusal(
            f"{path} is damaged: put its backup in its place. Without it stored credentials cannot"
            " be decrypted; if there are none to keep, delete the file."
        )
    return {name: str(found[name]) for name in _NAMES}


def write_private(path: Path, text: str) -> None:
    """Write a file whole or not at all, for its owner only."""
    unfinished = path.with_name(path.name + ".new")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(path)


def _write(path: Path, values: dict[str, str]) -> None:
    write_private(path, json.dumps(values, indent=2) + "\n")


def _make() -> dict[str, str]:
    return {
        "HEDDLE_SECRET_KEY": secrets.token_urlsafe(48),
        "HEDDLE_CREDENTIAL_KEYS": "k1:" + base64.b64encode(secrets.token_bytes(32)).decode(),
        "REDIS_PASSWORD": secrets.token_hex(24),
    }
