import json

import pytest

from backend.workflows.models import Workflow
from tests.integration.people import Person, some_document

URLS = ["/api/v1/workflows/", "/api/v1/workflows/validate/", "/api/v1/workflows/import/"]


def wrapped(value: str) -> str:
    """A request that carries a document with this JSON text in a config."""
    text = json.dumps({"document": some_document()})
    return text.replace('"Hello {{ inputs.who }}"', value)


DEEP = wrapped("[" * 3000 + "]" * 3000)
BODIES = {
    "nested 3,000 deep": DEEP,
    "nested objects": wrapped('{"a":' * 3000 + "1" + "}" * 3000),
    "unclosed brackets": "[" * 100_000,
    "a NUL character": wrapped('"a\\u0000b"'),
    "a NUL character in a key": wrapped('{"a\\u0000b": 1}'),
    "half a surrogate pair": wrapped('"\\ud800"'),
    "a key twice": '{"document": {}, "document": {}}',
    "NaN": wrapped("NaN"),
    "infinity": wrapped("-Infinity"),
    "a number of 5,000 digits": wrapped("9" * 5000),
    "not UTF-8": b'{"document": "\xff"}',
    "not JSON": "{",
    "nothing": "",
}


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_hostile_body_is_refused_and_nothing_is_saved(
    alice: Person, url: str, body: str | bytes
) -> None:
    answer = alice.browser.post(url, body, content_type="application/json")

    assert answer.status_code == 400, answer.content[:300]
    assert set(answer.json()) >= {"code", "detail"}
    assert not Workflow.objects.exists()


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("size", [2_100_000, 10_000_000])
def test_a_document_that_is_too_large_is_refused(alice: Person, url: str, size: int) -> None:
    answer = alice.browser.post(
        url, wrapped(json.dumps("x" * size)), content_type="application/json"
    )

    assert answer.status_code == 413
    assert not Workflow.objects.exists()


def test_depth_below_the_limit_passes(alice: Person) -> None:
    answer = alice.browser.post(
        URLS[0], wrapped("[" * 50 + "]" * 50), content_type="application/json"
    )

    assert answer.status_code == 201


@pytest.mark.parametrize("content_type", ["text/plain", "application/xml", "multipart/form-data"])
def test_a_body_of_another_type_is_refused(alice: Person, content_type: str) -> None:
    answer = alice.browser.post(URLS[0], "x", content_type=content_type)

    assert answer.status_code == 415
