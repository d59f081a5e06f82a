from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.runs.models import Run, Step, WorkerSession
from backend.workflows.models import Workflow
from backend.workflows.services.graphs import runnable_graph
from tests.integration.people import Person, create_workflow

URL = "/api/v1/monitoring/"


@pytest.fixture
def run(alice: Person) -> Run:
    """A run that succeeded but for one node, ten seconds ago."""
    workflow = Workflow.objects.get(id=create_workflow(alice)["id"])
    graph = runnable_graph(workspace_id=alice.workspace.id, document=workflow.document)
    now = timezone.now()
    made = Run.objects.create(
        workspace=alice.workspace,
        workflow=workflow,
        graph=graph,
        trigger="api",
        status="failed",
        created_at=now - timedelta(seconds=10),
        started_at=now - timedelta(seconds=9),
        finished_at=now,
    )
    for no, seconds in enumerate((2, 4)):
        Step.objects.create(
            run=made,
            no=no,
            node=f"n{no}",
            path=f"n{no}",
            kind="http.request",
            lane="io",
            workspace=alice.workspace,
            status="failed",
            error={
                "code": "http_status",
                "message": "500",
                "retryable": False,
                "node_id": f"n{no}",
            },
            ready_at=now - timedelta(seconds=seconds + 1),
            started_at=now - timedelta(seconds=seconds),
            finished_at=now,
        )
    return made


def test_the_panel_of_an_empty_installation(ada: Person) -> None:
    body = ada.browser.get(URL).json()

    assert body["workers"] == []
    assert body["lanes"] == []
    assert set(body["runs"]["by_status"].values()) == {0}
    assert len(body["throughput"]["per_minute"]) == 60
    assert body["latency"]["wait"] == {"p50": None, "p95": None}
    assert body["health"]["postgres"]["ok"] is True
    assert body["health"]["postgres"]["size_bytes"] > 0
    assert body["health"]["redis"]["ok"] is True


def test_the_panel_counts_what_happened(ada: Person, run: Run) -> None:
    body = ada.browser.get(URL).json()

    assert body["runs"]["by_status"]["failed"] == 1
    assert sum(minute["steps"] for minute in body["throughput"]["per_minute"]) == 2
    assert sum(minute["runs"] for minute in body["throughput"]["per_minute"]) == 1
    assert body["latency"]["wait"] == {"p50": pytest.approx(1), "p95": pytest.approx(1)}
    assert body["latency"]["step"]["p50"] == pytest.approx(3)
    assert body["latency"]["run"]["p50"] == pytest.approx(10)
    assert body["failures"] == [
        {
            "kind": "http.request",
            "code": "http_status",
            "count": 2,
            "last_run_id": str(run.id),
            "last_at": body["failures"][0]["last_at"],
        }
    ]


def test_the_panel_shows_workers_and_what_waits(ada: Person, run: Run) -> None:
    now = timezone.now()
    for pid, expires_in in ((1, 10), (2, -10)):
        WorkerSession.objects.create(
            host="box",
            pid=pid,
            lane="io",
            slots=600,
            in_use=3,
            started_at=now,
            heartbeat_at=now,
            expires_at=now + timedelta(seconds=expires_in),
        )
    Step.objects.filter(no=0).update(status="ready", finished_at=None)
    Step.objects.filter(no=1).update(status="running", finished_at=None)

    body = ada.browser.get(URL).json()

    assert {worker["pid"]: worker["state"] for worker in body["workers"]} == {1: "alive", 2: "dead"}
    [lane] = body["lanes"]
    assert (lane["lane"], lane["ready"], lane["running"]) == ("io", 1, 1)
    assert lane["oldest_wait_s"] > 2


def test_the_panel_is_for_administrators_signed_in(
    alice: Person, ada: Person, stranger: APIClient
) -> None:
    assert stranger.get(URL).status_code == 401
    assert alice.browser.get(URL).status_code == 403
    assert ada.program().get(URL).status_code == 403
