import json
import pickle
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.credentials.models import Credential
from backend.credentials.services.open import CredentialMissing, open_credential
from backend.credentials.services.seal import SecretUnreadable
from tests.integration.people import ABSENT, Person
from tests.live_endpoint import LiveEndpoint

URL = "/api/v1/credentials/"
CANARY = "sk-canary-0123456789abcdef"
ENDPOINT = {
    "kind": "openai",
    "name": "Models",
    "base_url": "https://models.example.org/v1",
    "api_key": CANARY,
    "models": ["small", "large"],
    "default": True,
}
BASIC = {"kind": "http_basic", "name": "B", "username": "u", "password": CANARY, "hosts": ["a.org"]}


def create(person: Person, **changes: object) -> dict[str, Any]:
    answer = person.browser.post(URL, {**ENDPOINT, **changes}, format="json")
    assert answer.status_code == 201, answer.content
    body: dict[str, Any] = answer.json()
    return body


def test_a_secret_goes_in_and_never_comes_out(alice: Person) -> None:
    made = create(alice)

    everything = json.dumps(
        [made, alice.browser.get(URL).json(), alice.browser.get(f"{URL}{made['id']}/").json()]
    )
    assert CANARY not in everything
    assert made["secret_hint"] == "…cdef"
    assert made["default_model"] == "small"
    assert made["hosts"] == ["models.example.org:443"]
    assert CANARY not in str(Credential.objects.values().get())


@pytest.mark.parametrize(
    ("fields", "secret"),
    [
        (ENDPOINT, "api_key"),
        ({"kind": "http_bearer", "name": "B", "api_key": CANARY, "hosts": ["a.org"]}, "api_key"),
        (BASIC, "password"),
        (
            {
                "kind": "http_header",
                "name": "H",
                "header": "X-Key",
                "value": CANARY,
                "hosts": ["a.org:1"],
            },
            "value",
        ),
    ],
)
def test_a_worker_opens_every_kind(alice: Person, fields: dict[str, object], secret: str) -> None:
    made = alice.browser.post(URL, fields, format="json").json()

    opened = open_credential(
        workspace_id=alice.workspace.id, ref=made["id"], kind=str(fields["kind"])
    )

    assert opened.secret.reveal() == fields[secret]
    assert opened.kind == fields["kind"]
    assert Credential.objects.get().last_used_at is not None


def test_an_opened_secret_cannot_be_printed_or_packed(alice: Person) -> None:
    create(alice)
    opened = open_credential(workspace_id=alice.workspace.id, ref=None, kind="openai")

    assert CANARY not in f"{opened} {opened!r} {opened.secret}"
    with pytest.raises(TypeError):
        pickle.dumps(opened.secret)
    with pytest.raises(TypeError):
        json.dumps(opened.secret)


def test_the_default_is_what_was_made_default_last(alice: Person) -> None:
    create(alice, name="First")
    create(alice, name="Second")

    opened = open_credential(workspace_id=alice.workspace.id, ref="default", kind="openai")

    assert opened.name == "Second"
    assert Credential.objects.filter(is_default=True).count() == 1


@pytest.mark.parametrize("ref", ["default", "Models", str(ABSENT), "a\0b"])
def test_what_the_workspace_has_not_cannot_be_opened(
    alice: Person, charlie: Person, ref: str
) -> None:
    create(alice)

    with pytest.raises(CredentialMissing):
        open_credential(workspace_id=charlie.workspace.id, ref=ref, kind="openai")


def test_another_workspaces_credential_cannot_be_opened_by_its_id(
    alice: Person, charlie: Person
) -> None:
    made = create(alice)

    with pytest.raises(CredentialMissing):
        open_credential(workspace_id=charlie.workspace.id, ref=made["id"], kind="openai")
    with pytest.raises(CredentialMissing):
        open_credential(workspace_id=alice.workspace.id, ref=made["id"], kind="http_basic")


def test_a_sealed_secret_moved_to_another_row_does_not_open(alice: Person) -> None:
    create(alice, name="From")
    to = create(alice, name="To", api_key="another-secret-of-someone")
    stolen = Credential.objects.get(name="From").sealed
    Credential.objects.filter(name="To").update(sealed=stolen)

    opened = open_credential(workspace_id=alice.workspace.id, ref=to["id"], kind="openai")

    with pytest.raises(SecretUnreadable):
        opened.secret.reveal()


def test_a_key_that_is_gone_is_named(alice: Person, settings: object) -> None:
    create(alice)
    settings.HEDDLE_CREDENTIAL_KEYS = {"new": bytes(range(32))}  # type: ignore[attr-defined]

    opened = open_credential(workspace_id=alice.workspace.id, ref=None, kind="openai")

    with pytest.raises(SecretUnreadable, match="HEDDLE_CREDENTIAL_KEYS"):
        opened.secret.reveal()


def test_changing_the_rest_keeps_the_secret(alice: Person) -> None:
    url = f"{URL}{create(alice)['id']}/"

    answer = alice.browser.patch(url, {"name": "Renamed", "models": ["huge"]}, format="json")

    assert answer.json()["name"] == "Renamed"
    assert answer.json()["models"] == ["huge"]
    opened = open_credential(workspace_id=alice.workspace.id, ref=None, kind="openai")
    assert opened.secret.reveal() == CANARY


def test_a_secret_is_not_sent_to_a_new_address_without_being_entered_again(alice: Person) -> None:
    endpoint = f"{URL}{create(alice)['id']}/"
    basic = f"{URL}{alice.browser.post(URL, BASIC, format='json').json()['id']}/"
    moved = {"base_url": "https://evil.example/v1"}

    assert alice.browser.patch(endpoint, moved, format="json").status_code == 400
    assert alice.browser.patch(basic, {"hosts": ["evil.example"]}, format="json").status_code == 400
    again = {**moved, "api_key": "another-key"}
    assert alice.browser.patch(endpoint, again, format="json").status_code == 200


def test_only_an_administrator_allows_private_addresses(alice: Person, ada: Person) -> None:
    private = {**ENDPOINT, "base_url": "http://127.0.0.1:11434/v1", "allow_private": True}

    refused = alice.browser.post(URL, private, format="json")
    allowed = ada.browser.post(URL, private, format="json")

    assert refused.status_code == 403
    assert allowed.status_code == 201
    assert allowed.json()["allow_private"] is True
    assert Credential.objects.count() == 1


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "ftp"},
        {"base_url": "ftp://example.org"},
        {"base_url": "https://user:pw@example.org"},
        {"base_url": "not an address"},
        {"base_url": "http://[::1"},
        {"base_url": "https://example.org:99999/"},
        {"api_key": "••••••••"},
        {"hosts": ["a.org"]},
        {"id": str(ABSENT)},
        {"workspace": str(ABSENT)},
        {"sealed": {}},
        {"secret_hint": "x"},
        {"prices": {"m": {"input": -1, "output": 0}}},
        {"models": "small"},
    ],
)
def test_a_wrong_credential_is_not_made(alice: Person, change: dict[str, object]) -> None:
    answer = alice.browser.post(URL, {**ENDPOINT, **change}, format="json")

    assert answer.status_code == 400, answer.content
    assert CANARY not in answer.content.decode()
    assert not Credential.objects.exists()


@pytest.mark.parametrize("missing", ["password", "hosts"])
def test_an_http_credential_needs_its_secret_and_hosts(alice: Person, missing: str) -> None:
    fields = {name: value for name, value in BASIC.items() if name != missing}

    assert alice.browser.post(URL, fields, format="json").status_code == 400


def test_another_workspaces_credential_is_absent(
    alice: Person, charlie: Person, stranger: APIClient
) -> None:
    url = f"{URL}{create(alice)['id']}/"

    for method, path in (("get", ""), ("patch", ""), ("delete", ""), ("post", "test/")):
        call = {"data": {"name": "x"} if method == "patch" else None, "format": "json"}
        if method == "get":
            call = {}
        assert getattr(charlie.browser, method)(url + path, **call).status_code == 404
        assert getattr(stranger, method)(url + path, **call).status_code == 401
        assert getattr(alice.browser, method)(f"{URL}{ABSENT}/{path}", **call).status_code == 404
    assert alice.browser.get(url).json()["name"] == "Models"


def test_trying_an_endpoint_lists_its_models(ada: Person, mock_endpoint: LiveEndpoint) -> None:
    made = create(ada, base_url=mock_endpoint.base_url, allow_private=True, default_model="none")

    found = ada.browser.post(f"{URL}{made['id']}/test/").json()

    assert found["ok"] is True, found
    assert found["models"]
    assert "none" in found["message"]
    assert found["latency_ms"] >= 0


def test_trying_an_endpoint_that_may_not_be_reached_says_so(
    alice: Person, mock_endpoint: LiveEndpoint
) -> None:
    made = create(alice, base_url=mock_endpoint.base_url)

    found = alice.browser.post(f"{URL}{made['id']}/test/").json()

    assert found["ok"] is False
    assert "HEDDLE_EGRESS_ALLOW" in found["message"]
    assert CANARY not in found["message"]


def test_an_http_credential_cannot_be_tried(alice: Person) -> None:
    made = alice.browser.post(URL, BASIC, format="json").json()

    answer = alice.browser.post(f"{URL}{made['id']}/test/")

    assert (answer.status_code, answer.json()["code"]) == (400, "nothing_to_try")


def test_a_deleted_credential_is_gone(alice: Person) -> None:
    url = f"{URL}{create(alice)['id']}/"

    assert alice.browser.delete(url).status_code == 204
    assert alice.browser.get(url).status_code == 404
    assert not Credential.objects.exists()
