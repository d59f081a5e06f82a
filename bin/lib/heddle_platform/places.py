"""Where things lie: the checkout, its environment, its front end, its data."""

import hashlib
import os
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
FRONTEND = ROOT / "frontend"
DEFAULT_DATA = ROOT / ".data"

#: Where a service user's data goes when the checkout lies in a folder that it cannot enter.
SHARED_STATE = Path("/var/lib/heddle")


def site_packages() -> Path:
    """Return the folder of the environment's installed packages."""
    found = sorted(VENV.resolve().glob("lib/python3*/site-packages"))
    return found[-1] if found else VENV / "lib" / "site-packages"


def short_name(path: Path) -> str:
    """Return a short, stable name for a folder, fit for a socket's path."""
    return hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:10]


def runtime_base() -> Path:
    """Return the folder for sockets: short enough for the 107 bytes of a socket's address."""
    if os.geteuid() == 0 and os.access("/run", os.W_OK):
        return Path("/run")
    own = os.environ.get("XDG_RUNTIME_DIR", "")
    if own and len(own) < 60 and os.access(own, os.W_OK):
        return Path(own)
    return Path(tempfile.gettempdir()) if len(tempfile.gettempdir()) < 60 else Path("/tmp")  # noqa: S108
