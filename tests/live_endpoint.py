"""The mock endpoint as a process of its own, for tests that run the whole product."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2

from heddle_platform import child
from heddle_platform.places import ROOT
from heddle_platform.ports import free_port
from tests.waiting import wait_until


@dataclass(frozen=True)
class LiveEndpoint:
    """Its address, and what it can be told and asked."""

    port: int

    @property
    def url(self) -> str:
        """The address of its pages."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        """The address of its models."""
        return f"{self.url}/v1"

    def stats(self) -> dict[str, Any]:
        """Return what it has seen since the last reset."""
        return dict(self._ask("GET", "/stats"))

    def requests(self) -> list[dict[str, Any]]:
        """Return the requests since the last reset."""
        return list(self._ask("GET", "/requests"))

    def script(self, answers: Sequence[dict[str, Any]]) -> None:
        """Give the next answers, in their order."""
        self._ask("POST", "/script", body={"answers": list(answers)})

    def reset(self) -> None:
        """Forget everything."""
        self._ask("POST", "/reset")

    def _ask(self, method: str, path: str, *, body: Any = None) -> Any:
        answer = httpx2.request(method, self.url + path, json=body, trust_env=False)
        answer.raise_for_status()
        return answer.json() if answer.content else None


@contextmanager
def live_endpoint() -> Iterator[LiveEndpoint]:
    """Run the mock endpoint on a free port."""
    endpoint = LiveEndpoint(free_port())
    process = child.spawn(
        [sys.executable, "-m", "tests.mock_endpoint", "--port", str(endpoint.port)],
        environment={**child.clean_environment(), "PYTHONPATH": os.fspath(ROOT)},
        output=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: _answers(endpoint), what="the mock endpoint's first answer")
        yield endpoint
    finally:
        child.stop(process)


def _answers(endpoint: LiveEndpoint) -> bool:
    try:
        endpoint.stats()
    except httpx2.TransportError:
        return False
    return True
