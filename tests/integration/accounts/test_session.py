import pytest
from django.conf import settings
from rest_framework.test import APIClient

from backend.workflows.models import Workflow
from tests.integration.people import PASSWORD, Person, make_person

SESSION = "/api/v1/session/"
LOGIN = "/api/v1/auth/browser/v1/auth/login"
LOGOUT = "/api/v1/auth/browser/v1/auth/session"
CHANGE = "/api/v1/auth/browser/v1/account/password/change"


@pytest.fixture
def wanda(db: None) -> Person:
    """A person who signs in by hand."""
    return make_person("wanda", password=PASSWORD)


def careful_browser() -> APIClient:
    """A browser whose CSRF tokens are checked, with the cookie that the session's address sets."""
    browser = APIClient(enforce_csrf_checks=True)
    browser.get(SESSION)
    return browser


def token(browser: APIClient) -> str:
    return str(browser.cookies[settings.CSRF_COOKIE_NAME].value)


def sign_in(browser: APIClient, password: str = PASSWORD) -> int:
    answer = browser.post(
        LOGIN,
        {"email": "Wanda@Example.org", "password": password},
        format="json",
        headers={"X-CSRFToken": token(browser)},
    )
    return int(answer.status_code)


def test_a_stranger_has_a_session_without_a_user(stranger: APIClient, db: None) -> None:
    answer = stranger.get(SESSION)

    assert answer.json() == {"user": None, "workspaces": [], "csrf": True}
    assert settings.CSRF_COOKIE_NAME in answer.cookies


def test_signing_in_by_hand_opens_the_workspace(wanda: Person) -> None:
    browser = careful_browser()

    assert sign_in(browser) == 200
    body = browser.get(SESSION).json()
    assert body["user"]["email"] == "wanda@example.org"
    assert body["user"]["is_admin"] is False
    assert body["workspaces"] == [
        {"id": str(wanda.workspace.id), "name": "wanda's workspace", "role": "owner"}
    ]


def test_a_wrong_password_signs_nobody_in(wanda: Person) -> None:
    browser = careful_browser()

    assert sign_in(browser, "wrong horse battery") == 400
    assert browser.get(SESSION).json()["user"] is None


def test_guessing_passwords_locks_even_the_right_one_for_a_while(wanda: Person) -> None:
    browser = careful_browser()

    for number in range(6):
        sign_in(browser, f"guess number {number}")

    assert sign_in(browser) == 400
    assert browser.get(SESSION).json()["user"] is None


def test_signing_out_ends_the_session(wanda: Person) -> None:
    browser = careful_browser()
    sign_in(browser)
    key = browser.cookies[settings.SESSION_COOKIE_NAME].value

    browser.delete(LOGOUT, headers={"X-CSRFToken": token(browser)})

    thief = APIClient()
    thief.cookies[settings.SESSION_COOKIE_NAME] = key
    assert thief.get("/api/v1/workflows/").status_code == 401


def test_a_new_password_ends_the_other_sessions(wanda: Person) -> None:
    here, elsewhere = careful_browser(), careful_browser()
    sign_in(here)
    sign_in(elsewhere)

    answer = here.post(
        CHANGE,
        {"current_password": PASSWORD, "new_password": "another long password"},
        format="json",
        headers={"X-CSRFToken": token(here)},
    )

    assert answer.status_code == 200
    assert here.get("/api/v1/workflows/").status_code == 200
    assert elsewhere.get("/api/v1/workflows/").status_code == 401


@pytest.mark.parametrize("password", ["short", "password1234", "wanda@example.org"])
def test_a_weak_password_is_refused(wanda: Person, password: str) -> None:
    browser = careful_browser()
    sign_in(browser)

    answer = browser.post(
        CHANGE,
        {"current_password": PASSWORD, "new_password": password},
        format="json",
        headers={"X-CSRFToken": token(browser)},
    )

    assert answer.status_code == 400


@pytest.mark.parametrize(
    "content_type", ["application/json", "text/plain", "application/x-www-form-urlencoded"]
)
def test_a_change_without_the_csrf_token_is_refused(wanda: Person, content_type: str) -> None:
    browser = careful_browser()
    sign_in(browser)

    answer = browser.post("/api/v1/workflows/", "{}", content_type=content_type)

    assert answer.status_code in {403, 415}
    assert not Workflow.objects.exists()


@pytest.mark.parametrize(
    "path",
    [
        "browser/v1/auth/signup",
        "browser/v1/auth/password/request",
        "browser/v1/account/email",
        "app/v1/auth/login",
    ],
)
def test_what_makes_accounts_or_sends_mail_is_not_there(ada: Person, path: str) -> None:
    assert ada.browser.post(f"/api/v1/auth/{path}", {}, format="json").status_code == 404


def test_a_person_who_is_disabled_is_out_at_once(alice: Person) -> None:
    alice.user.is_active = False
    alice.user.save()

    assert alice.browser.get("/api/v1/workflows/").status_code == 401
