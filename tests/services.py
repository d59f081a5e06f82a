"""The private PostgreSQL and Redis of one test session, and the environment that leads to them."""

import base64
import secrets
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from heddle_platform import child
from heddle_platform.ports import free_port
from heddle_platform.postgres import STOP_SIGNAL, Postgres
from heddle_platform.redis_server import RedisServer, find_redis
from heddle_platform.service_user import find_service_user
from heddle_platform.throwaway import postgres_in


@dataclass
class TestServices:
    """Both servers; their addresses are known before they are started."""

    __test__ = False

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="heddle-tests-")))
    _processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.folder.chmod(0o711)

    @cached_property
    def postgres(self) -> Postgres:
        """The database server."""
        return postgres_in(self.folder)

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
        key = base64.b64encode(secrets.token_bytes(32)).decode()
        return {
            "DATABASE_URL": self.postgres.url(),
            "REDIS_URL": self.redis.url,
            "HEDDLE_SECRET_KEY": secrets.token_hex(32),
            "HEDDLE_CREDENTIAL_KEYS": f"test:{key}",
            "HEDDLE_DATA": str(self.folder / "data"),
            "HEDDLE_ALLOWED_HOSTS": "127.0.0.1,localhost,testserver",
        }

    def start_postgres(self) -> None:
        """Make and start the database server."""
        self.postgres.prepare()
        process = self.postgres.start()
        self._processes.append(process)
        self.postgres.wait(process)

    def start_redis(self) -> None:
        """Start Redis."""
        process = self.redis.start()
        self._processes.append(process)
        self.redis.wait(process)

    def stop(self) -> None:
        """Stop what was started and remove every file."""
        for process in reversed(self._processes):
            child.stop(process, by=STOP_SIGNAL)
        self._processes.clear()
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.postgres.socket_folder, ignore_errors=True)
