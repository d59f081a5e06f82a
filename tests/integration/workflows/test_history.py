from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backend.runs.models import Run
from backend.workflows.models import Workflow
from backend.workflows.services.graphs import runnable_graph
from tests.integration.people import Person, create_workflow, some_document

URL = "/api/v1/workflows/"
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def add_run(workflow: Workflow, *, minute: int, seconds: float | None, status: str) -> Run:
    started = NOON + timedelta(minutes=minute)
    return Run.objects.create(
        workspace_id=workflow.workspace_id,
        workflow=workflow,
        graph=runnable_graph(workspace_id=workflow.workspace_id, document=workflow.document),
        trigger="api",
        status=status,
        created_at=started,
        started_at=started,
        finished_at=None if seconds is None else started + timedelta(seconds=seconds),
    )


@pytest.fixture
def workflow(alice: Person) -> Workflow:
    return Workflow.objects.get(id=create_workflow(alice)["id"])


def test_a_row_shows_the_latest_runs_the_oldest_first(alice: Person, workflow: Workflow) -> None:
    add_run(workflow, minute=1, seconds=2, status="succeeded")
    add_run(workflow, minute=2, seconds=9, status="failed")
    add_run(workflow, minute=3, seconds=4, status="succeeded")
    last = add_run(workflow, minute=4, seconds=None, status="running")

    [row] = alice.browser.get(URL).json()["results"]

    shown = [(run["status"], run["wall_s"]) for run in row["recent_runs"]]
    assert shown == [("succeeded", 2), ("failed", 9), ("succeeded", 4), ("running", None)]
    assert row["last_run"] == {
        "id": str(last.id),
        "status": "running",
        "created_at": "2026-01-01T12:04:00Z",
        "finished_at": None,
    }
    assert row["median_s"] == 3


def test_a_row_shows_sixteen_runs_at_most(alice: Person, workflow: Workflow) -> None:
    for minute in range(20):
        add_run(workflow, minute=minute, seconds=minute, status="succeeded")

    [row] = alice.browser.get(URL).json()["results"]

    assert [run["wall_s"] for run in row["recent_runs"]] == list(range(4, 20))


def test_a_longer_list_asks_no_more_questions(alice: Person, workflow: Workflow) -> None:
    add_run(workflow, minute=1, seconds=1, status="succeeded")
    with CaptureQueriesContext(connection) as few:
        alice.browser.get(URL)
    for number in range(5):
        create_workflow(alice, some_document(f"Another {number}"))

    with CaptureQueriesContext(connection) as many:
        alice.browser.get(URL)

    assert len(many) == len(few)
