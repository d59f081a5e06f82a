import pytest

from backend.workspaces.models import Member, Workspace
from tests.integration.people import ABSENT, Person, create_workflow, some_document

URL = "/api/v1/workflows/"


def test_the_header_names_one_of_the_persons_workspaces(alice: Person) -> None:
    second = Workspace.objects.create(name="Second")
    Member.objects.create(workspace=second, user=alice.user)
    create_workflow(alice, some_document("In the first"))
    named = {"Heddle-Workspace": str(second.id)}

    alice.browser.post(
        URL, {"document": some_document("In the second")}, format="json", headers=named
    )

    first_rows = alice.browser.get(URL).json()["results"]
    second_rows = alice.browser.get(URL, headers=named).json()["results"]
    assert [row["name"] for row in first_rows] == ["In the first"]
    assert [row["name"] for row in second_rows] == ["In the second"]


def test_a_workspace_of_others_is_as_absent_as_none(alice: Person, charlie: Person) -> None:
    for name in (charlie.workspace.id, ABSENT, "rubbish"):
        assert alice.browser.get(URL, headers={"Heddle-Workspace": str(name)}).status_code == 404


def test_who_has_left_a_workspace_is_out_of_it(alice: Person) -> None:
    workflow = create_workflow(alice)
    Member.objects.filter(user=alice.user).delete()

    assert alice.browser.get(f"{URL}{workflow['id']}/").status_code == 404


@pytest.mark.parametrize("name", ["health", "ready", "configs", "public", "webhook", "..;"])
def test_a_workflow_called_like_an_open_address_is_not_open(
    alice: Person, stranger: object, name: str
) -> None:
    create_workflow(alice, some_document(name))

    answer = stranger.get(f"{URL}?search={name}")  # type: ignore[attr-defined]

    assert answer.status_code == 401
