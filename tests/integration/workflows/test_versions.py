from tests.integration.people import Person, broken_document, create_workflow, some_document

URL = "/api/v1/workflows/"


def test_publishing_numbers_the_draft_and_keeps_it(alice: Person) -> None:
    url = f"{URL}{create_workflow(alice)['id']}/"

    answer = alice.browser.post(f"{url}publish/", {"note": "first"}, format="json")

    assert answer.status_code == 201
    assert answer.json()["number"] == 1
    assert answer.json()["note"] == "first"
    assert answer.json()["published_by"]["name"] == "Alice"
    shown = alice.browser.get(url).json()
    assert shown["latest_version"] == 1
    assert shown["draft_changed"] is False


def test_publishing_the_same_again_gives_the_same_version(alice: Person) -> None:
    url = f"{URL}{create_workflow(alice)['id']}/"
    alice.browser.post(f"{url}publish/")

    answer = alice.browser.post(f"{url}publish/")

    assert (answer.status_code, answer.json()["number"]) == (200, 1)


def test_a_document_with_errors_cannot_be_published(alice: Person) -> None:
    url = f"{URL}{create_workflow(alice, broken_document())['id']}/"

    answer = alice.browser.post(f"{url}publish/", {}, format="json")

    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid_document"
    assert any(issue["code"] == "unknown_kind" for issue in answer.json()["issues"])
    assert alice.browser.get(f"{url}versions/").json()["results"] == []


def test_a_version_stays_as_it_was_when_the_draft_goes_on(alice: Person) -> None:
    body = create_workflow(alice)
    url = f"{URL}{body['id']}/"
    alice.browser.post(f"{url}publish/")
    alice.browser.put(url, {"document": some_document("New"), "revision": 1}, format="json")
    alice.browser.post(f"{url}publish/")

    versions = alice.browser.get(f"{url}versions/").json()["results"]
    first = alice.browser.get(f"{url}versions/1/").json()

    assert [version["number"] for version in versions] == [2, 1]
    assert first["document"] == body["document"]


def test_going_back_to_what_was_published_is_no_change(alice: Person) -> None:
    body = create_workflow(alice)
    url = f"{URL}{body['id']}/"
    alice.browser.post(f"{url}publish/")

    changed = alice.browser.put(url, {"document": some_document("X"), "revision": 1}, format="json")
    back = alice.browser.put(url, {"document": body["document"], "revision": 2}, format="json")

    assert changed.json()["draft_changed"] is True
    assert back.json()["draft_changed"] is False


def test_a_comparison_names_nodes_edges_and_paths(alice: Person) -> None:
    url = f"{URL}{create_workflow(alice)['id']}/"
    alice.browser.post(f"{url}publish/")
    changed = some_document()
    changed["nodes"][1]["config"]["text"] = "Goodbye {{ inputs.who }}"
    changed["nodes"].append({"id": "extra", "kind": "data.set", "config": {"values": {}}})
    changed["edges"] = [{"from": "start", "to": "hello"}, {"from": "hello", "to": "extra"}]
    alice.browser.put(url, {"document": changed, "revision": 1}, format="json")

    diff = alice.browser.get(f"{url}diff/", {"from": "1", "to": "draft"}).json()

    assert diff["nodes"] == {
        "added": ["extra"],
        "removed": [],
        "changed": [{"id": "hello", "paths": ["config.text"]}],
    }
    assert diff["edges"]["added"] == [{"from": "hello", "to": "extra"}]
    assert diff["edges"]["removed"] == [{"from": "hello", "to": "end"}]
    assert "+    text: Goodbye {{ inputs.who }}" in diff["text"]


def test_a_comparison_with_a_version_that_never_was_is_absent(alice: Person) -> None:
    url = f"{URL}{create_workflow(alice)['id']}/"

    for side in ("7", "latest", "-1", "9" * 30):
        assert alice.browser.get(f"{url}diff/", {"from": side, "to": "draft"}).status_code == 404
    assert alice.browser.get(f"{url}versions/{'9' * 30}/").status_code == 404


def test_validation_tells_the_issues_and_saves_nothing(alice: Person) -> None:
    answer = alice.browser.post(f"{URL}validate/", {"document": broken_document()}, format="json")

    assert answer.status_code == 200
    assert {issue["code"] for issue in answer.json()["issues"]} >= {"unknown_kind"}
    assert alice.browser.get(URL).json()["results"] == []


def test_a_missing_credential_is_an_issue_until_it_is_there(alice: Person) -> None:
    chat = {"id": "ask", "kind": "llm.chat", "config": {"model": "default", "prompt": "Hi"}}
    document = some_document(nodes=[chat], edges=[])
    workflow = create_workflow(alice, document)
    fields: dict[str, object] = {
        "kind": "openai",
        "name": "M",
        "base_url": "https://models.example.org/v1",
    }
    fields |= {"default": True, "api_key": "k"}

    added = alice.browser.post("/api/v1/credentials/", fields, format="json")
    after = alice.browser.get(f"{URL}{workflow['id']}/").json()

    assert "missing_credential" in {issue["code"] for issue in workflow["issues"]}
    assert added.status_code == 201
    assert "missing_credential" not in {issue["code"] for issue in after["issues"]}


def test_the_catalogue_lists_the_kinds_with_their_forms(alice: Person) -> None:
    kinds = {
        kind["kind"]: kind for kind in alice.browser.get("/api/v1/node-kinds/").json()["results"]
    }

    assert {"io.input", "data.set", "llm.chat", "http.request", "flow.branch"} <= set(kinds)
    assert kinds["flow.branch"]["dynamic_ports"]["field"] == "cases"
    assert (kinds["flow.map"]["container"], kinds["flow.branch"]["container"]) == ("map", None)
    assert kinds["flow.loop"]["deferred"] == ["while", "next", "result"]
    assert kinds["llm.chat"]["config_schema"]["properties"]["prompt"]["x-heddle"]["widget"]
