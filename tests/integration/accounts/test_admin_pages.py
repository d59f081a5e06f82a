import pytest

from backend.accounts.models import User
from backend.workspaces.models import Workspace
from tests.integration.people import PASSWORD, Person, create_workflow

PAGES = [
    "",
    "accounts/user/",
    "accounts/user/add/",
    "accounts/apikey/",
    "workspaces/workspace/",
    "workflows/workflow/",
    "credentials/credential/",
    "runs/run/",
]


@pytest.mark.parametrize("page", PAGES)
def test_an_administrator_reads_every_page(ada: Person, page: str) -> None:
    assert ada.browser.get(f"/admin/{page}").status_code == 200


def test_a_person_made_by_an_administrator_has_a_workspace(ada: Person) -> None:
    form = {
        "email": "New@Example.org",
        "name": "New",
        "usable_password": "true",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }

    answer = ada.browser.post("/admin/accounts/user/add/", form, format="multipart")

    assert answer.status_code == 302, answer.content.decode()
    made = User.objects.get(name="New")
    assert made.email == "new@example.org"
    assert Workspace.objects.of_user(made.id).count() == 1
    assert not made.is_admin


@pytest.mark.parametrize(
    "page", ["runs/run/add/", "workflows/workflow/add/", "credentials/credential/add/"]
)
def test_what_has_rules_of_its_own_is_not_made_there(ada: Person, page: str) -> None:
    assert ada.browser.get(f"/admin/{page}").status_code == 403


def test_a_workflow_is_shown_and_not_changed(ada: Person) -> None:
    workflow = create_workflow(ada)
    url = f"/admin/workflows/workflow/{workflow['id']}/change/"

    assert ada.browser.get(url).status_code == 200
    assert ada.browser.post(url, {"name": "x"}, format="multipart").status_code == 403
