"""Files that are there whole or not at all, and on the disk before anybody is told of them."""

import os
import tempfile
from pathlib import Path

from django.core.files import File
from django.core.files.storage import FileSystemStorage


class WholeFileStorage(FileSystemStorage):
    """Writes beside the file's place and moves it there: who dies in between leaves no half."""

    def _save(self, name: str, content: "File[bytes]") -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
            try:
                for chunk in content.chunks():
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink()
                raise
        _sync_folder(path.parent)
        return name


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
