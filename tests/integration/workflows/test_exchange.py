import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.workflows.models import Workflow
from backend.workflows.services.exchange import read_yaml, write_yaml
from tests.integration.people import Person, create_workflow, some_document

URL = "/api/v1/workflows/"
IMPORT = f"{URL}import/"

STORABLE = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TRICKY = [
    "no",
    "1e5",
    "0x1F",
    "2020-01-01",
    "~",
    "- a",
    "a: b",
    "# c",
    "0o7",
    "1.",
    "Null",
    "a\x85b",
]
TEXTS = st.text(STORABLE) | st.sampled_from([*TRICKY, "a\n b\n", "a\r\nb", "\ta\n", "=", "<<", "|"])
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    SCALARS | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(VALUES)
def test_yaml_that_was_written_reads_back_the_same(value: object) -> None:
    text = write_yaml({"value": value})

    assert repr(read_yaml(text)) == repr({"value": value})


@pytest.mark.parametrize("format", ["json", "yaml"])
def test_an_exported_file_imports_as_the_same_document(alice: Person, format: str) -> None:
    document = some_document()
    document["nodes"][1]["config"] = {"text": "Two\nlines: {{ inputs.who }}\n", "z": 1.5, "a": "no"}
    body = create_workflow(alice, document)

    file = alice.browser.get(f"{URL}{body['id']}/export/?format={format}")
    again = alice.browser.post(IMPORT, file.content, content_type=f"application/{format}")

    assert file["Content-Disposition"] == f'attachment; filename="greeting.{format}"'
    assert again.status_code == 201
    assert again.json()["id"] != body["id"]
    assert json.dumps(again.json()["document"]) == json.dumps(document)


def test_a_version_is_exported_by_its_number(alice: Person) -> None:
    url = f"{URL}{create_workflow(alice)['id']}/"
    alice.browser.post(f"{url}publish/")
    alice.browser.put(url, {"document": some_document("New"), "revision": 1}, format="json")

    names = [
        json.loads(alice.browser.get(f"{url}export/{query}").content)["name"]
        for query in ("", "?version=draft", "?version=1")
    ]

    assert names == ["New", "New", "Greeting"]
    assert alice.browser.get(f"{url}export/?version=9").status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {"document": some_document()},
        {"text": json.dumps(some_document()), "format": "json"},
        {"text": write_yaml(some_document()), "format": "yaml"},
        some_document(),
    ],
)
def test_a_document_is_imported_in_each_form(alice: Person, body: object) -> None:
    answer = alice.browser.post(IMPORT, body, format="json")

    assert answer.status_code == 201
    assert answer.json()["document"] == some_document()


BOMB = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [*{before}, *{before}, *{before}]\n"
    for before, name in zip("abcdefghijklmno", "bcdefghijklmnop", strict=True)
)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "a: &anchor 1",
        "a: !!python/object/apply:os.system ['true']",
        "a: 1\na: 2",
        "? [a]\n: 1",
        "a: .nan",
        "[" * 3000,
        "- " * 3000 + "x",
        "a: 1\n---\nb: 2",
        "a: [",
        "",
        "just text",
        'a: "\\0"',
        "x" * (1024 * 1024 + 1),
    ],
)
@pytest.mark.parametrize("raw", [True, False])
def test_yaml_that_is_no_document_is_refused(alice: Person, text: str, raw: bool) -> None:
    if raw:
        answer = alice.browser.post(IMPORT, text.encode(), content_type="application/yaml")
    else:
        answer = alice.browser.post(IMPORT, {"text": text, "format": "yaml"}, format="json")

    assert 400 <= answer.status_code < 500
    assert answer.json()["code"]
    assert not Workflow.objects.exists()


@pytest.mark.parametrize(
    "body", [{}, {"text": "{}", "document": {}}, {"text": "{", "format": "json"}, {"text": "[]"}, 7]
)
def test_an_import_of_nothing_usable_is_refused(alice: Person, body: object) -> None:
    answer = alice.browser.post(IMPORT, body, format="json")

    assert answer.status_code == 400
    assert not Workflow.objects.exists()
