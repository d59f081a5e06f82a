"""The product under measurement: makes workflows, runs them by the clock, checks the results."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.benchmarks.processes import Processes
from tests.benchmarks.wire import Api, Reply

WAIT_S = 60
PATIENCE_S = 600
POLL_S = 0.1
PAGE = 1000
UNDER_WAY = ("queued", "running", "paused")

Step = dict[str, Any]


@dataclass(frozen=True)
class Workflow:
    """A saved workflow, and the request that runs it and waits for the end."""

    id: str
    document: dict[str, Any]
    request: bytes


@dataclass(frozen=True)
class Ran:
    """A run that has ended, and the seconds from the request to the result."""

    seconds: float
    run: dict[str, Any]

    @property
    def engine_s(self) -> float:
        """Seconds from the first step's start to the end, as the product tells them."""
        return float(self.run["timings"]["wall_s"])


class Wrong(SystemExit):
    """A result is not what it has to be: what was measured is worth nothing."""


@dataclass(frozen=True)
class Bench:
    """The API, the endpoint that workflows call, and the processes."""

    api: Api
    #: The same API's counterpart: what the endpoint has seen.
    endpoint_api: Api
    endpoint: str
    processes: Processes
    repeat: int

    async def workflow(self, document: dict[str, Any]) -> Workflow:
        """Save a workflow."""
        made = await self.api.call("POST", "workflows/", {"document": document})
        if errors := [issue for issue in made["issues"] if issue["severity"] == "error"]:
            raise Wrong(f"{document['name']}: {errors[0]['message']}")
        request = self.api.request("POST", f"workflows/{made['id']}/runs/?wait={WAIT_S}", {})
        return Workflow(made["id"], document, request)

    async def run(self, workflow: Workflow) -> Ran:
        """Run a workflow to its end, by the clock."""
        await self.api.connect()
        began = time.perf_counter()
        reply = await self.api.send(workflow.request)
        while reply.json()["status"] in UNDER_WAY and reply.at - began < PATIENCE_S:
            # On a busy machine a run may take longer than an answer is held.
            await asyncio.sleep(POLL_S)
            await self.api.connect()
            request = self.api.request("GET", f"runs/{reply.json()['id']}/")
            reply = await self.api.send(request)
        return ran(workflow, reply, began)

    async def run_at_once(self, workflow: Workflow, count: int) -> list[Ran]:
        """Start so many runs at the same time, and wait for all of them."""
        await self.api.connect(count)
        began = time.perf_counter()
        replies = await self.api.at_once(workflow.request, count)
        return [ran(workflow, reply, began) for reply in replies]

    async def steps_of(self, one: Ran) -> list[Step]:
        """Every step of a run."""
        path: str | None = f"runs/{one.run['id']}/steps/?limit={PAGE}"
        steps: list[Step] = []
        while path is not None:
            page = await self.api.call("GET", path)
            steps.extend(page["results"])
            path = page["next"] and page["next"].partition("/api/v1/")[2]
        return steps

    async def output_of(self, one: Ran, node: str) -> Any:
        """What a step gave."""
        page = await self.api.call("GET", f"runs/{one.run['id']}/steps/?node={node}")
        path = f"runs/{one.run['id']}/steps/{page['results'][0]['id']}/"
        return (await self.api.call("GET", path))["output"]

    async def calls_since_reset(self) -> dict[str, int]:
        """What the endpoint has seen."""
        await self.endpoint_api.connect()
        reply = await self.endpoint_api.send(b"GET /stats HTTP/1.1\r\nHost: endpoint\r\n\r\n")
        return dict(reply.json())

    async def reset_calls(self) -> None:
        """Let the endpoint forget what it has seen."""
        await self.endpoint_api.connect()
        await self.endpoint_api.send(b"GET /reset HTTP/1.1\r\nHost: endpoint\r\n\r\n")


def ran(workflow: Workflow, reply: Reply, began: float) -> Ran:
    """Read an answer, and make sure that all of the run succeeded."""
    run = reply.json()
    name = workflow.document["name"]
    if run["status"] != "succeeded":
        raise Wrong(f"{name}: {run['status']} {run['error']}")
    return Ran(reply.at - began, run)


def check_count(one: Ran, count: int) -> None:
    """Make sure that so many steps succeeded, and that there were no others."""
    steps = one.run["steps"]
    if steps["succeeded"] != count or steps["total"] != count:
        raise Wrong(f"{steps} instead of {count} steps that succeeded")


def check_each(steps: list[Step], expected: Callable[[int], Any]) -> None:
    """Make sure that every numbered node gave what it has to."""
    for step, number in _numbered(steps):
        given = json.loads(step["output_preview"])
        if given != expected(number):
            raise Wrong(f"{step['path']} gave {given}, not {expected(number)}")


def check_say(steps: list[Step], words: str) -> None:
    """Make sure that every numbered node's output begins with, or holds, these words."""
    for step, _ in _numbered(steps):
        if words not in step["output_preview"]:
            raise Wrong(f"{step['path']} gave {step['output_preview']}")


def _numbered(steps: list[Step]) -> Iterator[tuple[Step, int]]:
    return ((s, int(s["node"][1:])) for s in steps if s["node"][1:].isdigit())
