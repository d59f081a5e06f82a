"""Lets a run go on that waits for a signal, at the moment that a test chooses."""

from typing import Any

from tests.acceptance.documents import Program


def signal(program: Program, run_id: str, path: str, body: Any = None) -> None:
    """Send what the step at this path waits for."""
    step = program.steps(run_id)[path]
    address = program.api.get(f"runs/{run_id}/steps/{step['id']}/").json()["signal_url"]
    answer = program.api.post(address, json=body)
    assert answer.status_code == 202, answer.text
