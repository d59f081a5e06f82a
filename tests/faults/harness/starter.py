"""Starts runs over the API, through restarts of everything, and remembers what was started."""

import threading
import uuid
from dataclasses import dataclass, field
from typing import Any

import httpx2

from tests.faults.graph import Graph
from tests.faults.harness.cluster import Cluster
from tests.waiting import wait_until


@dataclass
class Book:
    """The runs that a test started, by id."""

    graphs: dict[str, Graph] = field(default_factory=dict)
    #: Runs that may end otherwise than by success, because the test ends them.
    endings: dict[str, set[str]] = field(default_factory=dict)
    #: Who may read them.
    starters: dict[str, "Starter"] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, run_id: str, graph: Graph, endings: set[str], starter: "Starter") -> None:
        """Note a run."""
        with self._lock:
            self.graphs[run_id] = graph
            self.endings[run_id] = endings
            self.starters[run_id] = starter

    def ids(self) -> list[str]:
        """Every run so far."""
        with self._lock:
            return list(self.graphs)


class Starter:
    """A program that repeats what failed, under the same key."""

    def __init__(self, cluster: Cluster, book: Book, *, api_key: str | None = None) -> None:
        self._cluster = cluster
        self._book = book
        self._api = cluster.product.api(timeout_s=15)
        self.repeated = 0
        if api_key is not None:
            self._api.headers["Authorization"] = f"Bearer {api_key}"

    def close(self) -> None:
        """Close the connections."""
        self._api.close()

    def workflow(self, document: dict[str, Any]) -> str:
        """Save a workflow."""
        answer = self._insist("POST", "workflows/", json={"document": document})
        errors = [i for i in answer["issues"] if i["severity"] == "error"]
        assert not errors, errors
        return str(answer["id"])

    def start(self, document: dict[str, Any], **options: Any) -> str:
        """Save a workflow and run it."""
        return self.run(self.workflow(document), document, **options)

    def run(
        self,
        workflow: str,
        document: dict[str, Any],
        *,
        deadline_s: float | None = None,
        endings: tuple[str, ...] = ("succeeded",),
    ) -> str:
        """Run a workflow that was saved before."""
        body = {} if deadline_s is None else {"deadline_s": deadline_s}
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        answer = self._insist("POST", f"workflows/{workflow}/runs/", json=body, headers=headers)
        self._book.add(answer["id"], Graph(document), set(endings), self)
        return str(answer["id"])

    def cancel(self, run_id: str) -> bool:
        """Cancel a run; tells whether it was the last answer that did it."""
        accepted = (httpx2.codes.CONFLICT,)
        return "status" in self._insist("POST", f"runs/{run_id}/cancel/", accepted=accepted)

    def get(self, path: str, **parameters: Any) -> dict[str, Any]:
        """Read something."""
        return self._insist("GET", path, params=parameters)

    def _insist(
        self, method: str, path: str, *, accepted: tuple[int, ...] = (), **request: Any
    ) -> dict[str, Any]:
        def asked() -> dict[str, Any] | None:
            try:
                answer = self._api.request(method, path, **request)
            except httpx2.TransportError:
                self.repeated += 1
                return None
            if answer.status_code >= httpx2.codes.INTERNAL_SERVER_ERROR:
                self.repeated += 1
                return None
            is_good = answer.is_success or answer.status_code in accepted
            assert is_good, f"{method} {path}: {answer.status_code} {answer.text}"
            return dict(answer.json())

        return wait_until(asked, what=f"an answer to {method} {path}", within_s=60, every_s=0.2)
