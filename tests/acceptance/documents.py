"""Documents that the acceptance tests run, and a program that runs them."""

from dataclasses import dataclass
from typing import Any

import httpx2

from tests.waiting import wait_until

FINAL = ("succeeded", "failed", "cancelled")


@dataclass
class Program:
    """What a program does over the API."""

    api: httpx2.Client

    def workflow(self, document: dict[str, Any]) -> str:
        answer = self.api.post("workflows/", json={"document": document})
        assert answer.status_code == 201, answer.text
        errors = [i for i in answer.json()["issues"] if i["severity"] == "error"]
        assert not errors, errors
        return str(answer.json()["id"])

    def start(self, document: dict[str, Any], inputs: dict[str, Any] | None = None) -> str:
        workflow = self.workflow(document)
        answer = self.api.post(f"workflows/{workflow}/runs/", json={"inputs": inputs or {}})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def run(self, run_id: str) -> dict[str, Any]:
        return dict(self.api.get(f"runs/{run_id}/").json())

    def steps(self, run_id: str) -> dict[str, dict[str, Any]]:
        answer = self.api.get(f"runs/{run_id}/steps/", params={"limit": 1000})
        return {step["path"]: step for step in answer.json()["results"]}

    def events(self, run_id: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        while True:
            after = found[-1]["seq"] if found else 0
            page = self.api.get(f"runs/{run_id}/events/", params={"after": after}).json()
            found += page["results"]
            if page["next"] is None:
                return found

    def finished(self, run_id: str, *, within_s: float = 60) -> dict[str, Any]:
        """The run when it has ended."""
        return wait_until(
            lambda: run if (run := self.run(run_id))["status"] in FINAL else None,
            what=f"the end of run {run_id}",
            within_s=within_s,
        )

    def model_endpoint(self, base_url: str) -> None:
        """Make the endpoint the workspace's default, unless it is there already."""
        for row in self.api.get("credentials/").json()["results"]:
            self.api.delete(f"credentials/{row['id']}/")
        body = {
            "kind": "openai",
            "name": "Mock",
            "base_url": base_url,
            "api_key": "none",
            "models": ["sleep-1000ms"],
            "default_model": "sleep-0ms",
            "default": True,
        }
        answer = self.api.post("credentials/", json=body)
        assert answer.status_code == 201, answer.text


def document(name: str, nodes: list[dict[str, Any]], edges: list[str]) -> dict[str, Any]:
    pairs = [edge.split(" -> ") for edge in edges]
    return {
        "schema": "heddle/1",
        "name": name,
        "nodes": nodes,
        "edges": [{"from": source, "to": target} for source, target in pairs],
    }


def http(name: str, url: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "kind": "http.request", "config": {"method": "GET", "url": url}, **fields}


def fan(url: str, width: int) -> dict[str, Any]:
    """One input, `width` calls of an address at once, one join, one output that counts them."""
    calls = [f"n{i}" for i in range(width)]
    return document(
        f"Fan of {width}",
        [
            {"id": "start", "kind": "io.input"},
            *(http(name, f"{url}&key={name}") for name in calls),
            {"id": "join", "kind": "flow.join"},
            {"id": "end", "kind": "io.output", "config": {"value": "{{ len(nodes.join.output) }}"}},
        ],
        [
            *(f"start -> {name}" for name in calls),
            *(f"{name} -> join" for name in calls),
            "join -> end",
        ],
    )


def assert_sound(events: list[dict[str, Any]]) -> None:
    """What must hold of every finished run's log: gapless, each success once, one end."""
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    done = [event["path"] for event in events if event["type"] == "step.succeeded"]
    assert len(done) == len(set(done))
    ends = [e["type"] for e in events if e["type"] in {f"run.{status}" for status in FINAL}]
    assert len(ends) == 1
    assert events[-1]["type"] == ends[0]
