"""The whole product as real processes: web, an io worker and beat, on a free port."""

import secrets
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from heddle_platform import child
from heddle_platform.parts import beat_command, io_worker_command, manage_command, web_command
from heddle_platform.places import ROOT
from heddle_platform.ports import free_port
from tests.services import TestServices
from tests.waiting import wait_until

#: Lost workers are noticed sooner than in production, so that tests do not wait for nothing.
QUICK_ENGINE = {"HEDDLE_HEARTBEAT_S": "1", "HEDDLE_LEASE_TTL_S": "4", "HEDDLE_SWEEP_S": "1"}
WORKER_APP = "workers.app"


@dataclass
class LiveProduct:
    """Its addresses, its administrator, and its processes by name: web, io-1, io-2 …, beat."""

    services: TestServices
    database: str = "heddle_live"
    #: Variables of every process, beside those that lead to the services.
    settings: Mapping[str, str] = field(default_factory=lambda: QUICK_ENGINE)
    port: int = field(default_factory=free_port)
    admin_email: str = "admin@example.org"
    admin_password: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    api_key: str = field(default_factory=lambda: f"hdl_{secrets.token_urlsafe(32)}")
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The address of the web process."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """The variables of every process."""
        return {
            **child.clean_environment(),
            **self.services.environment(),
            **self.settings,
            "DATABASE_URL": self.services.postgres.url(self.database),
            "HEDDLE_DATA": str(self.folder),
            "HEDDLE_PUBLIC_URL": self.url,
            "HEDDLE_ALLOWED_HOSTS": "127.0.0.1,localhost",
            "HEDDLE_EGRESS_ALLOW": "127.0.0.1",
            "HEDDLE_ADMIN_EMAIL": self.admin_email,
            "HEDDLE_ADMIN_PASSWORD": self.admin_password,
            "HEDDLE_BOOTSTRAP_API_KEY": self.api_key,
            "PYTHONUNBUFFERED": "1",
        }

    @property
    def folder(self) -> Path:
        """The data folder; the processes' logs lie in it too."""
        return self.services.folder / self.database

    def api(self, *, timeout_s: float = 60) -> httpx2.Client:
        """Return a client that carries the API key."""
        return httpx2.Client(
            base_url=f"{self.url}/api/v1/",
            headers={"Authorization": f"Bearer {self.api_key}"},
            timeout=timeout_s,
            trust_env=False,
        )

    def set_up(self) -> None:
        """Make the database, the administrator and the samples."""
        self.folder.mkdir()
        self.services.postgres.create_database(self.database)
        self.manage("migrate", "--noinput", "--verbosity", "0")
        self.manage("setup_installation")

    def manage(self, *arguments: str) -> str:
        """Run one of Django's commands on this product and return what it printed."""
        answer = subprocess.run(
            manage_command(*arguments),
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert answer.returncode == 0, f"manage.py {arguments[0]}: {answer.stdout}{answer.stderr}"
        return answer.stdout

    def start_all(self) -> None:
        """Start web, one io worker and beat, and wait until they are ready."""
        for name in ("web", "io-1", "beat"):
            self.start(name)
        self.wait_until_ready()

    def start(
        self, name: str, *, settings: Mapping[str, str] | None = None, app: str = WORKER_APP
    ) -> subprocess.Popen[bytes]:
        """Start one process: web, beat, or io-N; with variables and a Celery app of its own."""
        command = [app if word == WORKER_APP else word for word in self._command(name)]
        environment = {**self.environment, **(settings or {})}
        with self.log(name).open("ab") as log:
            process = child.spawn(command, environment=environment, output=log)
        self.processes[name] = process
        return process

    def kill(self, name: str, *, by: signal.Signals = signal.SIGKILL) -> None:
        """Send a signal to one process and wait for its end."""
        process = self.processes.pop(name)
        child.stop(process, by=by, grace_s=40)

    def wait_until_ready(self) -> None:
        """Return when the web process and all that it needs answer."""
        wait_until(self._is_ready, what=f"/readyz; web said: {self.log_tail('web')}", within_s=120)

    def stop(self) -> None:
        """Stop every process."""
        for name in list(self.processes):
            self.kill(name, by=signal.SIGTERM)

    def log(self, name: str) -> Path:
        """Return the file that holds what a process printed."""
        return self.folder / f"{name}.log"

    def log_tail(self, name: str, *, lines: int = 40) -> str:
        """Return the last lines that a process printed."""
        path = self.log(name)
        return (
            "\n".join(path.read_text(errors="replace").splitlines()[-lines:])
            if path.exists()
            else ""
        )

    def _command(self, name: str) -> list[str]:
        if name == "web":
            return web_command(port=self.port)
        if name == "beat":
            return beat_command()
        return io_worker_command(number=int(name.removeprefix("io-")))

    def _is_ready(self) -> bool:
        ended = [name for name, process in self.processes.items() if process.poll() is not None]
        assert not ended, f"{ended[0]} ended: {self.log_tail(ended[0])}"
        try:
            return httpx2.get(f"{self.url}/readyz", trust_env=False).status_code == httpx2.codes.OK
        except httpx2.TransportError:
            return False
