"""A copy of the checkout in a folder whose name has spaces, and bin/up started in it."""

import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import psutil

from heddle_platform import child
from heddle_platform.places import ROOT
from heddle_platform.ports import free_port
from tests.waiting import wait_until

_LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", ".data", "node_modules", "dist", "test-results", "__pycache__", ".*_cache"
)
#: What the session's own servers are reached by must not reach the product under test.
_OF_THE_SESSION = ("DATABASE_URL", "REDIS_URL")


@dataclass
class Started:
    """One bin/up and what it has said so far."""

    process: subprocess.Popen[bytes]
    output: Path
    port: int
    family: list[psutil.Process] = field(default_factory=list)

    def said(self) -> str:
        """Return everything printed so far."""
        return self.output.read_text(errors="replace")

    def wait_until_ready(self) -> None:
        """Return when /readyz answers, and note every process of the product."""
        wait_until(self._is_ready, what=f"/readyz of {self.said()}", within_s=180)
        wait_until(lambda: "Heddle is ready" in self.said(), what="the address in the terminal")
        self.family = psutil.Process(self.process.pid).children(recursive=True)

    def wait_for(self, words: str) -> None:
        """Return when the terminal shows some words."""
        wait_until(lambda: words in self.said(), what=f"{words!r} in {self.said()}", within_s=60)

    def survivors(self) -> list[str]:
        """Return the product's processes that still run."""
        return [found for one in self.family if (found := _command_of(one))]

    def end(self) -> int:
        """Ask it to stop, and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=90)

    def _is_ready(self) -> bool:
        assert self.process.poll() is None, self.said()
        try:
            answer = httpx2.get(f"http://127.0.0.1:{self.port}/readyz", trust_env=False)
        except httpx2.TransportError:
            return False
        return answer.status_code == httpx2.codes.OK


@dataclass
class Checkout:
    """The copy; its environment is the real one, by a link."""

    root: Path
    starts: int = 0

    @property
    def data(self) -> Path:
        """Its data folder."""
        return self.root / ".data"

    @property
    def database(self) -> Path:
        """Its database folder."""
        note = self.data / "services-folder"
        place = Path(note.read_text().strip()) if note.exists() else self.data
        return place / "postgres"

    def run(self, *options: str, extra: dict[str, str] | None = None) -> tuple[int, str]:
        """Run bin/up to its end; return its exit code and all that it printed."""
        answer = subprocess.run(
            self._command(options),
            env={**self._environment(), **(extra or {})},
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        return answer.returncode, answer.stdout + answer.stderr

    @contextmanager
    def started(self, *options: str) -> Iterator[Started]:
        """Start bin/up, hand it over when it is ready, and stop it if the test has not."""
        self.starts += 1
        port = free_port()
        output = self.root.parent / f"start-{self.starts}.log"
        with output.open("wb") as file:
            process = child.spawn(
                self._command(("--port", str(port), *options)),
                environment=self._environment(),
                output=file,
                folder=Path("/"),
            )
        running = Started(process, output, port)
        try:
            running.wait_until_ready()
            yield running
        finally:
            child.stop(process, grace_s=90)

    def remove(self) -> None:
        """Remove the copy and the data that it keeps elsewhere."""
        shutil.rmtree(self.database.parent, ignore_errors=True)
        shutil.rmtree(self.root, ignore_errors=True)

    def _command(self, options: Sequence[str]) -> list[str]:
        return [str(self.root / "bin" / "up"), "--no-browser-build", *options]

    def _environment(self) -> dict[str, str]:
        inherited = child.clean_environment()
        return {
            key: value
            for key, value in inherited.items()
            if key not in _OF_THE_SESSION and not key.startswith("HEDDLE_")
        }


def _command_of(process: psutil.Process) -> str:
    """Return a running process's command line; nothing of one that has ended."""
    try:
        return " ".join(process.cmdline()) if process.is_running() else ""
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return ""


def copy_checkout(folder: Path, *, with_environment: bool = True) -> Checkout:
    """Copy what a clone would have."""
    root = folder / "a checkout with spaces"
    shutil.copytree(ROOT, root, ignore=_LEFT_OUT, symlinks=True)
    if with_environment:
        (root / ".venv").symlink_to(ROOT / ".venv")
    return Checkout(root)
