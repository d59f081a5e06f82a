"""People, workspaces and programs that the tests of the API act as."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from rest_framework.test import APIClient

from backend.accounts.models import User
from backend.accounts.services import create_api_key
from backend.workspaces.models import Member, Workspace
from backend.workspaces.principal import ALL_SCOPES, Principal

PASSWORD = "correct horse battery"


@dataclass
class Person:
    """A person with a workspace of their own and a signed-in browser."""

    user: User
    workspace: Workspace
    browser: APIClient = field(default_factory=APIClient)

    def __post_init__(self) -> None:
        self.browser.force_login(self.user)

    @property
    def principal(self) -> Principal:
        return Principal(
            workspace_id=self.workspace.id, user_id=self.user.id, is_admin=self.user.is_admin
        )

    def program(self, *scopes: str) -> APIClient:
        """A client with an API key of these scopes; of all, if none is named."""
        _, key = create_api_key(
            workspace_id=self.workspace.id,
            user_id=self.user.id,
            name="test",
            scopes=scopes or sorted(ALL_SCOPES),
        )
        return with_key(key)


def with_key(key: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
    return client


def make_person(name: str, *, admin: bool = False, password: str | None = None) -> Person:
    # Hashing a password takes long; only those who sign in by hand need one.
    make = User.objects.create_superuser if admin else User.objects.create_user
    user = make(f"{name}@example.org", password, name=name.title())
    workspace = Workspace.objects.create(name=f"{name}'s workspace")
    Member.objects.create(workspace=workspace, user=user)
    return Person(user=user, workspace=workspace)


def some_document(name: str = "Greeting", **changes: Any) -> dict[str, Any]:
    """A document without issues."""
    return {
        "schema": "heddle/1",
        "name": name,
        "inputs": {"type": "object", "properties": {"who": {"type": "string"}}},
        "nodes": [
            {"id": "start", "kind": "io.input", "label": "Start"},
            {"id": "hello", "kind": "data.template", "config": {"text": "Hello {{ inputs.who }}"}},
            {"id": "end", "kind": "io.output", "config": {"value": "{{ nodes.hello.output }}"}},
        ],
        "edges": [{"from": "start", "to": "hello"}, {"from": "hello", "to": "end"}],
        "ui": {"nodes": {"hello": {"x": 240, "y": 40}}},
        **changes,
    }


def broken_document() -> dict[str, Any]:
    """A document that may be saved and not run."""
    nodes = [{"id": "a", "kind": "no.such.kind"}, {"id": "b", "kind": "io.output", "config": {}}]
    return some_document(nodes=nodes, edges=[{"from": "a", "to": "nowhere"}])


def create_workflow(person: Person, document: dict[str, Any] | None = None) -> dict[str, Any]:
    answer = person.browser.post(
        "/api/v1/workflows/", {"document": document or some_document()}, format="json"
    )
    assert answer.status_code == 201, answer.content
    body: dict[str, Any] = answer.json()
    return body


ABSENT = UUID("0190b2c0-0000-7000-8000-000000000000")
