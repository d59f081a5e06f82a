"""A product of its own for the benchmarks: bin/up as everybody starts it, on a fresh folder."""

import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from heddle_platform import child
from heddle_platform.places import ROOT
from heddle_platform.ports import free_port
from tests.benchmarks.processes import Processes
from tests.waiting import wait_until

START_S = 300
#: On a disk: the folder for temporary files may lie in memory, where nothing is ever written.
ON_DISK = Path("/var/tmp")  # noqa: S108


@dataclass(frozen=True)
class Product:
    """Where it answers, and what it consists of."""

    address: str
    key: str
    processes: Processes
    folder: Path


@contextmanager
def product(*, data: Path | None, port: int | None) -> Iterator[Product]:
    """Start the product with its default settings; without `data` it leaves nothing behind."""
    with tempfile.TemporaryDirectory(prefix="heddle-bench-", dir=ON_DISK) as temporary:
        Path(temporary).chmod(0o755)
        folder = data or Path(temporary) / "data"
        port = port or free_port()
        key = f"hdl_{secrets.token_urlsafe(32)}"
        command = [str(ROOT / "bin" / "up"), "--port", str(port), "--data", str(folder)]
        log = Path(temporary) / "log"
        with log.open("wb") as output:
            process = child.spawn(
                [*command, "--no-browser-build"], environment=_environment(key), output=output
            )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_until(lambda: _ready(address, process, log), what="/readyz", within_s=START_S)
            yield Product(address, key, Processes(process.pid), folder)
        finally:
            child.stop(process, grace_s=60)


@contextmanager
def endpoint() -> Iterator[str]:
    """Run what the workflows call, in a process of its own; gives its address."""
    port = free_port()
    process = child.spawn(
        [sys.executable, "-m", "tests.benchmarks.endpoint", "--port", str(port)],
        environment={**child.clean_environment(), "PYTHONPATH": os.fspath(ROOT)},
        output=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until(lambda: _answers(f"{address}/stats"), what="the endpoint's first answer")
        yield address
    finally:
        child.stop(process)


def _environment(key: str) -> dict[str, str]:
    """The machine's, less what would change the product's settings."""
    given = {name: value for name, value in os.environ.items() if not name.startswith("HEDDLE_")}
    return {
        **given,
        "HEDDLE_BOOTSTRAP_API_KEY": key,
        "HEDDLE_ADMIN_EMAIL": "bench@example.org",
        "HEDDLE_ADMIN_PASSWORD": secrets.token_urlsafe(16),
        "HEDDLE_EGRESS_ALLOW": "127.0.0.1",
    }


def _ready(address: str, process: subprocess.Popen[Any], log: Path) -> bool:
    if process.poll() is not None:
        raise SystemExit(f"bin/up ended:\n{log.read_text(errors='replace')[-2000:]}")
    return _answers(f"{address}/readyz")


def _answers(url: str) -> bool:
    try:
        return httpx2.get(url, trust_env=False).status_code == httpx2.codes.OK
    except httpx2.TransportError:
        return False
