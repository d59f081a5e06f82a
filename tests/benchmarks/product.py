"""A product of its own for the benchmarks: bin/up on a fresh folder, durability on."""

import os
import secrets
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from heddle_platform import child
from heddle_platform.places import ROOT
from heddle_platform.ports import free_port
from tests.waiting import wait_until

START_S = 300


@contextmanager
def product() -> Iterator[httpx2.Client]:
    """Start the product as a user would, and give a client of its API."""
    with tempfile.TemporaryDirectory(prefix="heddle-bench-") as folder:
        Path(folder).chmod(0o755)
        port, key = free_port(), f"hdl_{secrets.token_urlsafe(32)}"
        environment = {
            **os.environ,
            "HEDDLE_BOOTSTRAP_API_KEY": key,
            "HEDDLE_ADMIN_EMAIL": "bench@example.org",
            "HEDDLE_ADMIN_PASSWORD": secrets.token_urlsafe(16),
            "HEDDLE_EGRESS_ALLOW": "127.0.0.1",
        }
        command = [str(ROOT / "bin" / "up"), "--port", str(port), "--data", f"{folder}/data"]
        with (Path(folder) / "log").open("wb") as log:
            process = child.spawn(
                [*command, "--no-browser-build"], environment=environment, output=log
            )
        try:
            base = f"http://127.0.0.1:{port}"
            wait_until(lambda: _ready(base, process), what="/readyz", within_s=START_S)
            with httpx2.Client(
                base_url=f"{base}/api/v1/",
                headers={"Authorization": f"Bearer {key}"},
                timeout=120,
                trust_env=False,
                limits=httpx2.Limits(max_connections=None),
            ) as api:
                yield api
        finally:
            child.stop(process, grace_s=60)


def _ready(base: str, process: subprocess.Popen[Any]) -> bool:
    if process.poll() is not None:
        raise SystemExit(f"bin/up ended with {process.returncode}")
    try:
        return httpx2.get(f"{base}/readyz", trust_env=False).status_code == httpx2.codes.OK
    except httpx2.TransportError:
        return False
