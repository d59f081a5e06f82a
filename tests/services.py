"""A private PostgreSQL and Redis for tests, and the environment that leads to them."""

import base64
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import psutil

from heddle_platform import child
from heddle_platform.ports import free_port
from heddle_platform.postgres import STOP_SIGNAL, Postgres
from heddle_platform.redis_server import RedisServer, find_redis
from heddle_platform.service_user import find_service_user
from heddle_platform.throwaway import postgres_in

POSTGRES = "postgres"
REDIS = "redis"


@dataclass
class TestServices:
    """Both servers; their addresses are known before they are started."""

    __test__ = False

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="heddle-tests-")))
    #: What is set on PostgreSQL beyond what makes it fast.
    postgres_settings: Mapping[str, str] = field(default_factory=dict)
    secret_key: str = field(default_factory=lambda: secrets.token_hex(32))
    credential_key: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    _processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.chmod(0o711)

    @cached_property
    def postgres(self) -> Postgres:
        """The database server."""
        server = postgres_in(self.folder)
        return replace(server, settings={**server.settings, **self.postgres_settings})

    @cached_property
    def redis(self) -> RedisServer:
        """The Redis server."""
        user = find_service_user()
        return RedisServer(
            binary=find_redis(user),
            folder=self.folder / "redis",
            log=self.folder / "redis.log",
            port=free_port(),
            password=secrets.token_hex(16),
            user=user,
        )

    def environment(self) -> dict[str, str]:
        """Return the variables that lead Heddle's processes to these services."""
        key = base64.b64encode(self.credential_key).decode()
        return {
            "DATABASE_URL": self.postgres.url(),
            "REDIS_URL": self.redis.url,
            "HEDDLE_SECRET_KEY": self.secret_key,
            "HEDDLE_CREDENTIAL_KEYS": f"test:{key}",
            "HEDDLE_DATA": str(self.folder / "data"),
            "HEDDLE_ALLOWED_HOSTS": "127.0.0.1,localhost,testserver",
        }

    def start_postgres(self) -> None:
        """Start the database server, on a new folder or on the one that it left."""
        self.postgres.prepare()
        self._processes[POSTGRES] = process = self.postgres.start()
        self.postgres.wait(process)

    def start_redis(self) -> None:
        """Start Redis, which knows nothing of what it knew before."""
        self._processes[REDIS] = process = self.redis.start()
        self.redis.wait(process)

    def runs(self, name: str) -> bool:
        """Tell whether a server runs that was started here."""
        process = self._processes.get(name)
        return process is not None and process.poll() is None

    def end(self, name: str, *, by: signal.Signals = STOP_SIGNAL) -> None:
        """End a server by a signal; SIGKILL goes to its own processes too."""
        process = self._processes.pop(name)
        family = psutil.Process(process.pid).children(recursive=True)
        if by is signal.SIGKILL:
            for member in family:
                with suppress(ProcessLookupError):
                    os.kill(member.pid, by)
        child.stop(process, by=by)
        # A server's own processes hold its memory and its folder until they are gone.
        psutil.wait_procs(family, timeout=10)

    def stop(self) -> None:
        """Stop what was started and remove every file."""
        for name in reversed(list(self._processes)):
            child.stop(self._processes.pop(name), by=STOP_SIGNAL)
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.postgres.socket_folder, ignore_errors=True)
