from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from drf_spectacular.generators import SchemaGenerator


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    generator: Any = SchemaGenerator  # the library has no types
    made: dict[str, Any] = generator().get_schema(request=None, public=True)
    return made


def test_the_api_is_described_without_a_warning() -> None:
    call_command("spectacular", "--fail-on-warn", "--validate", stdout=StringIO())


def test_a_document_is_described_by_its_own_model(description: dict[str, Any]) -> None:
    parts = description["components"]["schemas"]

    assert parts["WorkflowSaveRequest"]["properties"]["document"] == {
        "$ref": "#/components/schemas/Document"
    }
    assert parts["DocumentNode"]["additionalProperties"] is False
    assert set(parts["DocumentEdge"]["properties"]) == {"from", "to"}


def test_every_operation_says_how_it_refuses(description: dict[str, Any]) -> None:
    operations = [op for path in description["paths"].values() for op in path.values()]

    assert len(operations) > 30
    assert all("default" in operation["responses"] for operation in operations)
    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names))


def test_no_answer_is_described_as_a_bare_list(description: dict[str, Any]) -> None:
    answers = [
        content["schema"]
        for path in description["paths"].values()
        for operation in path.values()
        for answer in operation["responses"].values()
        for content in answer.get("content", {}).values()
    ]

    assert len(answers) > 30
    assert not [schema for schema in answers if schema.get("type") == "array"]
