"""A PostgreSQL for the time of one command, which leaves nothing behind."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heddle_platform import child
from heddle_platform.places import runtime_base
from heddle_platform.postgres import STOP_SIGNAL, Postgres
from heddle_platform.postgres_binaries import find_binaries
from heddle_platform.service_user import find_service_user

#: Such a server may lose its data at a power cut.
UNSAFE_BUT_FAST = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}


def postgres_in(folder: Path) -> Postgres:
    """Return a server on a new folder, not started yet."""
    user = find_service_user()
    return Postgres(
        home=folder / "postgres",
        socket_folder=runtime_base() / folder.name,
        log=folder / "postgres.log",
        binaries=find_binaries(user),
        user=user,
        settings=UNSAFE_BUT_FAST,
    )


@contextmanager
def throwaway_postgres() -> Iterator[Postgres]:
    """Run a server on a temporary folder."""
    folder = Path(tempfile.mkdtemp(prefix="heddle-check-"))
    folder.chmod(0o711)
    postgres = postgres_in(folder)
    try:
        postgres.prepare()
        process = postgres.start()
        try:
            postgres.wait(process)
            yield postgres
        finally:
            child.stop(process, by=STOP_SIGNAL)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(postgres.socket_folder, ignore_errors=True)
