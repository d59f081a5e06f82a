"""What is remembered about drafts and versions that may run, and when it counts no more."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from backend.runs.creation import graph_to_run
from backend.workflows.models import Graph, Workflow
from backend.workflows.services import runnable
from backend.workflows.services.drafts import VersionUnknown
from backend.workflows.services.graphs import DocumentNotRunnable
from backend.workflows.services.runnable import workflow_to_run
from tests.integration.people import ABSENT, Person, create_workflow, some_document

pytestmark = pytest.mark.django_db(transaction=True)


def find(person: Person, id: str) -> Workflow:
    workflow = workflow_to_run(person.principal, id)  # type: ignore[arg-type]
    assert workflow is not None
    return workflow


def save(person: Person, body: dict[str, Any], document: dict[str, Any]) -> None:
    answer = person.browser.put(
        f"/api/v1/workflows/{body['id']}/",
        {"document": document, "revision": body["revision"]},
        format="json",
    )
    assert answer.status_code == 200, answer.content


def asking(credential: str) -> dict[str, Any]:
    """A document that needs a model endpoint."""
    config = {"credential": credential, "model": "m", "prompt": "Hello"}
    chat = {"id": "ask", "kind": "llm.chat", "config": config}
    return some_document(nodes=[chat], edges=[])


def test_a_draft_that_was_run_before_is_not_read_again(
    alice: Person, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    made = create_workflow(alice)
    first, _ = graph_to_run(find(alice, made["id"]), version=None)

    with django_assert_max_num_queries(2):
        again, version = graph_to_run(find(alice, made["id"]), version="draft")

    assert (again.id, version) == (first.id, None)


def test_a_changed_draft_is_another_graph(alice: Person) -> None:
    made = create_workflow(alice)
    first, _ = graph_to_run(find(alice, made["id"]), version=None)

    save(alice, made, some_document("Other"))

    changed, _ = graph_to_run(find(alice, made["id"]), version=None)
    assert changed.id != first.id
    assert changed.document["name"] == "Other"


def test_a_version_stays_what_it_is_when_the_draft_goes_on(alice: Person) -> None:
    made = create_workflow(alice)
    alice.browser.post(f"/api/v1/workflows/{made['id']}/publish/", {}, format="json")
    first, number = graph_to_run(find(alice, made["id"]), version=None)
    save(alice, made, some_document("Other"))

    again, _ = graph_to_run(find(alice, made["id"]), version=None)

    assert (number, again.id) == (1, first.id)
    with pytest.raises(VersionUnknown):
        graph_to_run(find(alice, made["id"]), version=2)


def test_a_draft_whose_credential_was_deleted_is_refused(alice: Person) -> None:
    body = {"kind": "openai", "name": "M", "base_url": "https://example.org/v1", "api_key": "x"}
    key = alice.browser.post(
        "/api/v1/credentials/", {**body, "default": True, "models": ["m"]}, format="json"
    ).json()
    made = create_workflow(alice, asking(key["id"]))
    graph_to_run(find(alice, made["id"]), version=None)

    alice.browser.delete(f"/api/v1/credentials/{key['id']}/")

    with pytest.raises(DocumentNotRunnable):
        graph_to_run(find(alice, made["id"]), version=None)


def test_many_graphs_are_not_kept_for_ever(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runnable, "MAX_NODES", 10)

    for _ in range(5):
        made = create_workflow(alice)
        graph_to_run(find(alice, made["id"]), version=None)

    assert len(runnable._known) == 2
    assert Graph.objects.count() == 1


def test_a_workflow_of_others_or_a_deleted_one_cannot_be_run(
    alice: Person, charlie: Person
) -> None:
    made = create_workflow(alice)
    id = find(alice, made["id"]).id

    assert workflow_to_run(charlie.principal, id) is None
    assert workflow_to_run(alice.principal, ABSENT) is None
    alice.browser.delete(f"/api/v1/workflows/{made['id']}/")
    assert workflow_to_run(alice.principal, id) is None
