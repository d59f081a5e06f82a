"""Room on the disk and leave to write: asked before the work, not in its middle."""

import os
import shutil
from pathlib import Path

from heddle_platform.console import Refusal


def require_space(folder: Path, *, mebibytes: int) -> None:
    """Refuse to begin where the work would fill the disk."""
    free = shutil.disk_usage(_nearest_existing(folder)).free // (1024 * 1024)
    if free < mebibytes:
        raise Refusal(
            f"Too little space on the disk of {folder}: {free} MiB free, {mebibytes} MiB needed."
            " Free some and start again."
        )


def require_writable(folder: Path) -> None:
    """Make a folder, or refuse one that may not be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".write-test-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except (FileExistsError, NotADirectoryError) as error:
        raise Refusal(f"{folder} is no folder: choose another with --data.") from error
    except PermissionError as error:
        raise Refusal(
            f"The folder {folder} cannot be written: allow it, or choose another with --data."
        ) from error


def _nearest_existing(folder: Path) -> Path:
    return next(path for path in (folder, *folder.parents) if path.exists())
