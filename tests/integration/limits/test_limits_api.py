from typing import Any

import pytest
from django.db import IntegrityError, transaction

from backend.credentials.models import Credential
from backend.limits.models import Limit
from backend.workflows.models import Workflow
from tests.integration.limits.work import Work
from tests.integration.people import ABSENT, Person, create_workflow

URL = "/api/v1/limits/"
MODEL = {"target": "model", "key": "small", "max_running": 4}


def create(person: Person, **fields: object) -> dict[str, Any]:
    answer = person.browser.post(URL, {**MODEL, **fields}, format="json")
    assert answer.status_code == 201, answer.content
    body: dict[str, Any] = answer.json()
    return body


def refused(person: Person, **fields: object) -> dict[str, Any]:
    answer = person.browser.post(URL, {**MODEL, **fields}, format="json")
    assert answer.status_code in {400, 409}, answer.content
    body: dict[str, Any] = answer.json()
    return body


def test_a_limit_is_made_read_changed_and_deleted(alice: Person) -> None:
    made = create(alice, rate=100)
    address = f"{URL}{made['id']}/"
    expected = {**MODEL, "rate": 100, "per_s": 60.0, "running": 0, "waiting": 0}
    assert {name: made[name] for name in expected} == expected
    assert alice.browser.get(address).json() == made
    assert alice.browser.get(URL).json()["results"] == [made]

    changed = alice.browser.patch(address, {"max_running": None, "per_s": 1}, format="json").json()
    assert (changed["max_running"], changed["rate"], changed["per_s"]) == (None, 100, 1.0)
    assert changed["updated_at"] > made["updated_at"]

    assert alice.browser.delete(address).status_code == 204
    assert alice.browser.get(address).status_code == 404
    assert not Limit.objects.exists()


def test_a_limit_shows_what_runs_and_waits_under_it(work: Work) -> None:
    create(work.person)
    create(work.person, target="workspace", key="")
    work.add(2, "model:small", "workspace", status="running")
    work.add(3, "model:small")
    work.add(1, "model:other")
    work.add(1, "model:small", status="succeeded")
    work.add(1, status="running", held=False)

    shown = work.person.browser.get(URL).json()["results"]

    assert [(row["target"], row["running"], row["waiting"]) for row in shown] == [
        ("workspace", 2, 4),
        ("model", 2, 3),
    ]


def test_a_limit_of_a_workflow_or_credential_goes_when_that_goes(alice: Person) -> None:
    workflow = create_workflow(alice)
    endpoint = {"kind": "openai", "name": "M", "base_url": "https://m.example.org", "api_key": "x"}
    credential = alice.browser.post("/api/v1/credentials/", endpoint, format="json").json()
    of_workflow = create(alice, target="workflow", key=workflow["id"].upper())
    create(alice, target="credential", key=credential["id"])
    assert of_workflow["key"] == workflow["id"]

    Credential.objects.get().delete()
    Workflow.objects.get().delete()

    assert not Limit.objects.exists()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"max_running": None}, "`max_running` or `rate`"),
        ({"key": ""}, "Name the model"),
        ({"target": "workspace"}, "has no `key`"),
        ({"target": "workflow", "key": "mine"}, "the workflow's id"),
        ({"target": "workflow", "key": str(ABSENT)}, f"no workflow with the id {ABSENT}"),
        ({"target": "credential", "key": str(ABSENT)}, "no credential with the id"),
    ],
)
def test_what_is_no_limit_is_refused_with_the_reason(
    alice: Person, fields: dict[str, object], words: str
) -> None:
    answer = refused(alice, **fields)

    assert answer["code"] == "invalid_limit"
    assert words in answer["detail"]


def test_another_workspaces_workflow_cannot_be_limited(alice: Person, charlie: Person) -> None:
    workflow = create_workflow(charlie)

    assert refused(alice, target="workflow", key=workflow["id"])["code"] == "invalid_limit"


@pytest.mark.parametrize(
    "fields",
    [
        {"target": "planet"},
        {"max_running": 0},
        {"rate": 0},
        {"rate": 2**31},
        {"per_s": 0},
        {"per_s": "nan"},
        {"running": 3},
        {"key": "x" * 201},
    ],
)
def test_fields_that_do_not_fit_are_named(alice: Person, fields: dict[str, object]) -> None:
    answer = refused(alice, **fields)

    assert answer["code"] == "invalid"
    assert {issue["path"] for issue in answer["issues"]} == set(fields)


def test_the_same_thing_is_limited_once(alice: Person, charlie: Person) -> None:
    create(alice)

    assert refused(alice)["code"] == "limit_exists"
    create(charlie)
    create(alice, key="large")


def test_a_change_leaves_a_limit_that_limits(alice: Person) -> None:
    made = create(alice)

    answer = alice.browser.patch(f"{URL}{made['id']}/", {"max_running": None}, format="json")
    renamed = alice.browser.patch(f"{URL}{made['id']}/", {"key": "large"}, format="json")

    assert answer.json()["code"] == "invalid_limit"
    assert renamed.json()["issues"][0]["code"] == "unknown_key"
    assert Limit.objects.get().max_running == 4


@pytest.mark.parametrize("fields", [{"max_running": None}, {"max_running": 0}, {"per_s": 0}])
def test_the_database_keeps_no_limit_that_stops_everything_or_nothing(
    alice: Person, fields: dict[str, object]
) -> None:
    create(alice)

    with pytest.raises(IntegrityError), transaction.atomic():
        Limit.objects.update(**fields)


def test_another_workspaces_limits_are_not_there(alice: Person, charlie: Person) -> None:
    address = f"{URL}{create(alice)['id']}/"

    assert charlie.browser.get(URL).json()["results"] == []
    assert charlie.browser.get(address).status_code == 404
    assert charlie.browser.patch(address, {"rate": 1}, format="json").status_code == 404
    assert charlie.browser.delete(address).status_code == 404
    assert charlie.browser.get(f"{URL}{ABSENT}/").status_code == 404


def test_a_key_that_may_read_may_not_write(alice: Person) -> None:
    reader, writer = alice.program("read"), alice.program("read", "write")
    made = create(alice)

    assert reader.get(URL).status_code == 200
    assert reader.post(URL, MODEL, format="json").status_code == 403
    assert reader.delete(f"{URL}{made['id']}/").status_code == 403
    assert writer.delete(f"{URL}{made['id']}/").status_code == 204
