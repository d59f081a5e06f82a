"""One installation: its data folder, its secrets, and the environment that its processes see."""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from heddle_platform.child import clean_environment
from heddle_platform.console import Refusal
from heddle_platform.disk import require_space, require_writable
from heddle_platform.places import SHARED_STATE, runtime_base, short_name
from heddle_platform.ports import free_port
from heddle_platform.postgres import Postgres
from heddle_platform.postgres_binaries import find_binaries
from heddle_platform.redis_server import RedisServer, find_redis
from heddle_platform.secrets_file import read_or_make, write_private
from heddle_platform.service_user import ServiceUser, find_service_user


@dataclass
class Installation:
    """A data folder and what is reached through it."""

    data: Path
    port: int

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Hold the data folder: one product at a time runs on it."""
        require_writable(self.data)
        require_space(self.data, mebibytes=200)
        for folder in (self.logs, self.data / "static"):
            folder.mkdir(exist_ok=True)
        descriptor = os.open(self.data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(descriptor, 20, 0).decode().strip()
            os.close(descriptor)
            raise Refusal(
                f"Heddle already runs on {self.data} (process {holder}): stop it first, or choose"
                " another folder with --data."
            ) from error
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        try:
            yield
        finally:
            self.running_file.unlink(missing_ok=True)
            os.close(descriptor)

    @property
    def logs(self) -> Path:
        """The folder of the services' own logs."""
        return self.data / "logs"

    @property
    def running_file(self) -> Path:
        """What other commands need to reach the running product."""
        return self.data / "running.json"

    @cached_property
    def secrets(self) -> dict[str, str]:
        """The installation's own secrets."""
        return read_or_make(self.data / "secrets.json")

    @cached_property
    def postgres(self) -> Postgres | None:
        """The private database server, unless DATABASE_URL names another."""
        if os.environ.get("DATABASE_URL"):
            return None
        return Postgres(
            home=self._services_folder / "postgres",
            socket_folder=self._runtime_folder("pg"),
            log=self._fresh_log("postgres"),
            binaries=find_binaries(self._user),
            user=self._user,
        )

    @cached_property
    def redis(self) -> RedisServer | None:
        """The private Redis, unless REDIS_URL names another."""
        if os.environ.get("REDIS_URL"):
            return None
        return RedisServer(
            binary=find_redis(self._user),
            folder=self._runtime_folder("redis"),
            log=self._fresh_log("redis"),
            port=free_port(),
            password=self.secrets["REDIS_PASSWORD"],
            user=self._user,
        )

    @cached_property
    def environment(self) -> dict[str, str]:
        """The variables of the product's processes; what the person set stays as it is."""
        own = {
            "HEDDLE_SECRET_KEY": self.secrets["HEDDLE_SECRET_KEY"],
            "HEDDLE_CREDENTIAL_KEYS": self.secrets["HEDDLE_CREDENTIAL_KEYS"],
            "HEDDLE_PUBLIC_URL": f"http://127.0.0.1:{self.port}",
        }
        if self.postgres:
            own["DATABASE_URL"] = self.postgres.url()
        if self.redis:
            own["REDIS_URL"] = self.redis.url
        given = {key: value for key, value in clean_environment().items() if value}
        return {**own, **given, "HEDDLE_DATA": str(self.data), "PYTHONUNBUFFERED": "1"}

    def announce(self) -> None:
        """Leave for other commands on this machine how the running product is reached."""
        ours = ("DATABASE_URL", "REDIS_URL")
        variables = {
            key: value
            for key, value in self.environment.items()
            if key in ours or key.startswith("HEDDLE_")
        }
        write_private(self.running_file, json.dumps({"environment": variables}, indent=2))

    @cached_property
    def _user(self) -> ServiceUser:
        return find_service_user()

    @cached_property
    def _services_folder(self) -> Path:
        """Where the services' files lie: in the data folder, if their account can enter it."""
        note = self.data / "services-folder"
        if note.exists():
            return Path(note.read_text().strip())
        if self._user.is_other:
            self.data.chmod(self.data.stat().st_mode | 0o111)
        if self._user.can_enter(self.data):
            return self.data
        folder = SHARED_STATE / f"{short_name(self.data)}-{os.urandom(4).hex()}"
        folder.mkdir(mode=0o711, parents=True)
        for place in (folder, SHARED_STATE):
            place.chmod(0o711)
        note.write_text(f"{folder}\n")
        return folder

    def clear_runtime_folders(self) -> None:
        """Remove the sockets and what Redis was configured with."""
        for service in ("pg", "redis"):
            shutil.rmtree(self._runtime_folder(service), ignore_errors=True)

    def _runtime_folder(self, service: str) -> Path:
        return runtime_base() / f"heddle-{os.geteuid()}-{short_name(self.data)}-{service}"

    def _fresh_log(self, service: str) -> Path:
        log = self.logs / f"{service}.log"
        if log.exists() and log.stat().st_size > 10_000_000:
            log.replace(log.with_suffix(".log.1"))
        return log
