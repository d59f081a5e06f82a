import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.workflows.models import Workflow
from tests.integration.people import (
    ABSENT,
    Person,
    broken_document,
    create_workflow,
    some_document,
)

URL = "/api/v1/workflows/"


def test_a_document_becomes_a_workflow(alice: Person) -> None:
    body = create_workflow(alice)

    assert body["name"] == "Greeting"
    assert body["revision"] == 1
    assert body["issues"] == []
    assert body["latest_version"] is None
    assert body["draft_changed"] is True
    assert body["owner"] == {"id": str(alice.user.id), "name": "Alice"}


def test_a_document_comes_back_exactly_as_it_was_sent(alice: Person) -> None:
    document = some_document()
    document["nodes"][1]["config"] = {"text": "z", "b": 1.0, "a": [1e3, -0.0, 2**70, "é\n", None]}

    body = create_workflow(alice, document)
    again = alice.browser.get(f"{URL}{body['id']}/").json()

    assert json.dumps(again["document"]) == json.dumps(document)


def test_a_draft_with_issues_is_saved_and_tells_all_of_them(alice: Person) -> None:
    body = create_workflow(alice, broken_document())

    codes = {issue["code"] for issue in body["issues"]}
    assert {"unknown_kind", "unknown_node"} <= codes
    assert all(
        set(issue) == {"code", "message", "node_id", "path", "severity"} for issue in body["issues"]
    )
    errors = [issue for issue in body["issues"] if issue["severity"] == "error"]
    assert Workflow.objects.get().issue_count == len(errors) == body["issue_count"]


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "heddle/9"},
        {"surprise": 1},
        {"nodes": {}},
        {"nodes": [{"id": "a b", "kind": "io.input"}]},
        {"nodes": [{"id": "class", "kind": "io.input"}]},
        {"nodes": [{"id": "a", "kind": "io.input", "position": {}}]},
        {"edges": [{"from": "start", "to": "end", "colour": "red"}]},
        {"name": ""},
    ],
)
def test_a_malformed_document_is_refused_and_nothing_is_saved(
    alice: Person, change: dict[str, Any]
) -> None:
    answer = alice.browser.post(URL, {"document": some_document(**change)}, format="json")

    assert answer.status_code == 400
    assert answer.json()["code"] == "malformed_document"
    assert answer.json()["issues"]
    assert not Workflow.objects.exists()


@pytest.mark.parametrize("body", [{}, {"document": some_document(), "workspace": str(ABSENT)}, []])
def test_a_wrong_body_is_refused(alice: Person, body: object) -> None:
    answer = alice.browser.post(URL, body, format="json")

    assert answer.status_code == 400
    assert not Workflow.objects.exists()


def test_saving_from_the_current_revision_gives_the_next(alice: Person) -> None:
    body = create_workflow(alice)

    answer = alice.browser.put(
        f"{URL}{body['id']}/",
        {"document": some_document("Renamed"), "revision": 1},
        format="json",
    )

    assert answer.status_code == 200
    assert answer.json()["revision"] == 2
    assert answer.json()["name"] == "Renamed"


def test_saving_from_an_older_revision_gives_both_sides(alice: Person) -> None:
    body = create_workflow(alice)
    url = f"{URL}{body['id']}/"
    theirs, mine = some_document("Theirs"), some_document("Mine")
    alice.browser.put(url, {"document": theirs, "revision": 1}, format="json")

    answer = alice.browser.put(url, {"document": mine, "revision": 1}, format="json")

    assert answer.status_code == 409
    conflict = answer.json()
    assert conflict["code"] == "revision_conflict"
    assert conflict["mine"] == {"revision": 1, "document": mine}
    assert conflict["theirs"]["revision"] == 2
    assert conflict["theirs"]["document"] == theirs
    assert conflict["theirs"]["updated_by"]["name"] == "Alice"
    assert alice.browser.get(url).json()["document"] == theirs


def test_a_malformed_save_leaves_the_draft_alone(alice: Person) -> None:
    body = create_workflow(alice)
    url = f"{URL}{body['id']}/"

    answer = alice.browser.put(url, {"document": {"schema": "x"}, "revision": 1}, format="json")

    assert answer.status_code == 400
    assert alice.browser.get(url).json()["revision"] == 1


def test_a_new_name_goes_into_the_document(alice: Person) -> None:
    body = create_workflow(alice)

    answer = alice.browser.patch(f"{URL}{body['id']}/", {"name": "Other"}, format="json")

    assert answer.json()["name"] == "Other"
    assert answer.json()["document"]["name"] == "Other"
    assert answer.json()["revision"] == 2


def test_a_deleted_workflow_is_gone_until_it_is_restored(alice: Person) -> None:
    url = f"{URL}{create_workflow(alice)['id']}/"

    assert alice.browser.delete(url).status_code == 204
    assert alice.browser.get(url).status_code == 404
    assert alice.browser.get(URL).json()["results"] == []
    assert alice.browser.post(f"{url}restore/").status_code == 200
    assert alice.browser.get(url).status_code == 200


def test_a_copy_has_a_name_and_an_id_of_its_own(alice: Person) -> None:
    body = create_workflow(alice)

    copy = alice.browser.post(f"{URL}{body['id']}/duplicate/").json()

    assert copy["id"] != body["id"]
    assert copy["name"] == copy["document"]["name"] == "Greeting (copy)"
    assert copy["document"]["nodes"] == body["document"]["nodes"]


def test_the_list_shows_the_latest_change_first_with_an_empty_history(alice: Person) -> None:
    create_workflow(alice, some_document("First"))
    create_workflow(alice, some_document("Second"))

    rows = alice.browser.get(URL).json()["results"]

    assert [row["name"] for row in rows] == ["Second", "First"]
    assert rows[0]["node_count"] == 3
    assert rows[0]["last_run"] is None
    assert rows[0]["recent_runs"] == []
    assert rows[0]["median_s"] is None
    assert "document" not in rows[0]


def test_the_list_is_searched_ordered_and_paged(alice: Person) -> None:
    for name in ("Beta", "Alpha", "Gamma"):
        create_workflow(alice, some_document(name))

    found = alice.browser.get(URL, {"search": "alph"}).json()["results"]
    first = alice.browser.get(f"{URL}?ordering=name&limit=2").json()
    second = alice.browser.get(first["next"]).json()

    assert [row["name"] for row in found] == ["Alpha"]
    assert [row["name"] for row in first["results"]] == ["Alpha", "Beta"]
    assert [row["name"] for row in second["results"]] == ["Gamma"]
    assert second["next"] is None


@pytest.mark.parametrize(
    "query", ["ordering=owner__password", "search=%00", "cursor=rubbish", "limit=-1"]
)
def test_a_strange_query_is_no_server_error(alice: Person, query: str) -> None:
    assert alice.browser.get(f"{URL}?{query}").status_code < 500


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("get", "", None),
        ("put", "", {"document": some_document(), "revision": 1}),
        ("patch", "", {"name": "x"}),
        ("delete", "", None),
        ("post", "restore/", None),
        ("post", "duplicate/", None),
        ("post", "publish/", {}),
        ("get", "versions/", None),
        ("get", "versions/1/", None),
        ("get", "diff/?from=draft&to=draft", None),
        ("get", "export/", None),
    ],
)
def test_another_workspaces_workflow_is_as_absent_as_one_that_never_was(
    alice: Person, charlie: Person, stranger: APIClient, method: str, path: str, body: object
) -> None:
    ids = {"foreign": create_workflow(alice)["id"], "absent": ABSENT}

    codes = {
        name: getattr(charlie.browser, method)(f"{URL}{id}/{path}", body, format="json").status_code
        for name, id in ids.items()
    }
    signed_out = getattr(stranger, method)(f"{URL}{ids['foreign']}/{path}", body, format="json")

    assert codes == {"foreign": 404, "absent": 404}
    assert signed_out.status_code == 401
    assert alice.browser.get(f"{URL}{ids['foreign']}/").json()["revision"] == 1


def test_the_list_holds_nothing_of_another_workspace(alice: Person, charlie: Person) -> None:
    create_workflow(alice)

    assert charlie.browser.get(URL).json()["results"] == []


def test_a_node_may_run_the_workspaces_own_workflows_alone(alice: Person, charlie: Person) -> None:
    called, foreign = (create_workflow(person)["id"] for person in (alice, charlie))

    assert issues_of_calling(alice, called) == []
    assert issues_of_calling(alice, foreign) == ["unknown_workflow"]
    alice.browser.delete(f"{URL}{called}/")
    assert issues_of_calling(alice, called) == ["unknown_workflow"]


def issues_of_calling(person: Person, workflow_id: str) -> list[str]:
    document = some_document()
    document["nodes"].append(
        {"id": "call", "kind": "flow.workflow", "config": {"workflow": workflow_id}}
    )
    document["edges"].append({"from": "start", "to": "call"})
    return [issue["code"] for issue in create_workflow(person, document)["issues"]]
