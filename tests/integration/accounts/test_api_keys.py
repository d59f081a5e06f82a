from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.accounts.models import ApiKey
from tests.integration.people import ABSENT, Person, create_workflow, some_document, with_key

URL = "/api/v1/api-keys/"
WORKFLOWS = "/api/v1/workflows/"


def create(person: Person, **fields: object) -> dict[str, str]:
    body = {"name": "CI", "scopes": ["read", "run", "write"], **fields}
    answer = person.browser.post(URL, body, format="json")
    assert answer.status_code == 201, answer.content
    made: dict[str, str] = answer.json()
    return made


def test_a_key_is_shown_once_and_kept_as_a_hash(alice: Person) -> None:
    made = create(alice)

    listed = alice.browser.get(URL).json()["results"]
    assert made["key"].startswith("hdl_")
    assert listed == [{name: value for name, value in made.items() if name != "key"}]
    assert made["key"] not in str(ApiKey.objects.values().get())


def test_a_key_lets_a_program_into_its_workspace(alice: Person, charlie: Person) -> None:
    create_workflow(alice)
    create_workflow(charlie, some_document("Secret"))

    rows = with_key(create(alice)["key"]).get(WORKFLOWS).json()["results"]

    assert [row["name"] for row in rows] == ["Greeting"]
    assert ApiKey.objects.get().last_used_at is not None


def test_a_key_of_one_workspace_sees_nothing_of_another(alice: Person, charlie: Person) -> None:
    workflow = create_workflow(alice)
    program = with_key(create(charlie)["key"])

    assert program.get(f"{WORKFLOWS}{workflow['id']}/").status_code == 404
    named = {"Heddle-Workspace": str(alice.workspace.id)}
    assert program.get(WORKFLOWS, headers=named).status_code == 404


@pytest.mark.parametrize(
    ("scopes", "read", "write", "run"),
    [
        (["read"], 200, 403, 403),
        (["write"], 403, 201, 403),
        (["run"], 403, 403, 400),
        (["read", "write", "run"], 200, 201, 400),
    ],
)
def test_a_key_may_do_what_its_scopes_name(
    alice: Person, scopes: list[str], read: int, write: int, run: int
) -> None:
    workflow = create_workflow(alice)
    program = with_key(create(alice, scopes=scopes)["key"])

    document = {"document": some_document()}
    assert program.get(WORKFLOWS).status_code == read
    assert program.post(WORKFLOWS, document, format="json").status_code == write
    # A body that no run can start from tells who got past the door.
    url = f"{WORKFLOWS}{workflow['id']}/runs/"
    assert program.post(url, {"unknown": 1}, format="json").status_code == run


def test_a_revoked_key_is_out_at_once(alice: Person) -> None:
    made = create(alice)

    assert alice.browser.delete(f"{URL}{made['id']}/").status_code == 204
    assert with_key(made["key"]).get(WORKFLOWS).status_code == 401


def test_an_expired_key_is_out(alice: Person) -> None:
    made = create(alice, expires_at=(timezone.now() + timedelta(hours=1)).isoformat())
    ApiKey.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert with_key(made["key"]).get(WORKFLOWS).status_code == 401


def test_a_key_of_a_disabled_person_is_out(alice: Person) -> None:
    made = create(alice)
    alice.user.is_active = False
    alice.user.save()

    assert with_key(made["key"]).get(WORKFLOWS).status_code == 401


@pytest.mark.parametrize(
    "header", ["Bearer hdl_wrong", "Bearer nothing", "Basic YTpi", "hdl_x", "Bearer", ""]
)
def test_a_wrong_header_never_falls_back_to_the_session(alice: Person, header: str) -> None:
    answer = alice.browser.get(WORKFLOWS, headers={"Authorization": header})

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_key_in_the_address_is_no_key(alice: Person, stranger: APIClient) -> None:
    made = create(alice)

    assert stranger.get(WORKFLOWS, {"api_key": made["key"]}).status_code == 401


def test_a_key_makes_no_other_keys(alice: Person) -> None:
    program = with_key(create(alice)["key"])

    assert program.get(URL).status_code == 403
    assert program.post(URL, {"name": "x", "scopes": ["read"]}, format="json").status_code == 403


@pytest.mark.parametrize(
    "change",
    [
        {"scopes": []},
        {"scopes": ["admin"]},
        {"name": ""},
        {"expires_at": "2001-01-01T00:00:00Z"},
        {"id": str(ABSENT)},
        {"workspace": str(ABSENT)},
        {"digest": "0"},
        {"created_by": 1},
    ],
)
def test_a_wrong_key_is_not_made(alice: Person, change: dict[str, object]) -> None:
    body = {"name": "CI", "scopes": ["read"], **change}

    assert alice.browser.post(URL, body, format="json").status_code == 400
    assert not ApiKey.objects.exists()


def test_another_workspaces_key_is_absent(
    alice: Person, charlie: Person, stranger: APIClient
) -> None:
    url = f"{URL}{create(alice)['id']}/"

    assert charlie.browser.delete(url).status_code == 404
    assert alice.browser.delete(f"{URL}{ABSENT}/").status_code == 404
    assert stranger.delete(url).status_code == 401
    assert charlie.browser.get(URL).json()["results"] == []
    assert ApiKey.objects.count() == 1
