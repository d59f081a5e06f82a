import pytest

from backend.engine.document import (
    DocumentMalformed,
    DocumentTooLarge,
    Policy,
    endpoint,
    json_path,
    parse_document,
)
from backend.engine.limits import Limits

SMALL = {"schema": "heddle/1", "name": "Small"}


def issues(data: object) -> list[dict[str, object]]:
    with pytest.raises(DocumentMalformed) as refused:
        parse_document(data)
    return list(refused.value.issues or [])


def test_a_small_document_is_read_with_its_defaults() -> None:
    document = parse_document({**SMALL, "nodes": [{"id": "a", "kind": "data.set"}]})

    (node,) = document.nodes
    assert (node.label, node.disabled, node.policy.on_error) == ("", False, "fail")
    assert (node.policy.retry.max_attempts, node.policy.timeout_s) == (1, None)


def test_an_unknown_key_is_named_with_its_path() -> None:
    found = issues({**SMALL, "nodes": [{"id": "a", "kind": "k", "colour": "red"}]})

    assert found == [
        {
            "code": "malformed",
            "message": "The key nodes[0].colour is not known here; "
            "remove it or check its spelling.",
            "node_id": "a",
            "path": "nodes[0].colour",
            "severity": "error",
        }
    ]


def test_config_and_ui_hold_what_they_like() -> None:
    node = {"id": "a", "kind": "k", "config": {"anything": [1, {"deep": None}]}}

    document = parse_document({**SMALL, "nodes": [node], "ui": {"theme": {"x": 1}}})

    assert document.nodes[0].config == node["config"]


def test_every_problem_is_listed_at_once() -> None:
    found = issues({"schema": "heddle/2", "nodes": [{"kind": 7}], "edges": [{"from": "a"}]})

    assert {one["path"] for one in found} == {
        "schema",
        "name",
        "nodes[0].id",
        "nodes[0].kind",
        "edges[0].to",
    }


@pytest.mark.parametrize("bad", ["1a", "a-b", "", "class", "a" * 65, "ä", "a b", "a\n"])
def test_an_id_is_a_short_identifier_and_no_keyword(bad: str) -> None:
    (found,) = issues({**SMALL, "nodes": [{"id": bad, "kind": "k"}]})

    assert found["path"] == "nodes[0].id"


@pytest.mark.parametrize(
    "policy",
    [
        {"timeout_s": 0},
        {"timeout_s": "60"},
        {"retry": {"max_attempts": 0}},
        {"retry": {"backoff": "linear"}},
        {"on_error": "ignore"},
        {"cache": {"mode": "on"}},
        {"queue_timeout_s": 0},
        {"idle_timeout_s": 8 * 24 * 3600},
        {"on_lost": "ignore"},
        {"retry": {"on": "timeout"}},
        {"retry": {"on": ["Not a code"]}},
    ],
)
def test_a_policy_outside_its_bounds_is_refused(policy: object) -> None:
    (found,) = issues({**SMALL, "nodes": [{"id": "a", "kind": "k", "policy": policy}]})

    assert str(found["path"]).startswith("nodes[0].policy.")


def test_a_policy_says_what_to_wait_for_what_to_repeat_and_what_a_lost_worker_means() -> None:
    policy = {
        "queue_timeout_s": 5,
        "idle_timeout_s": 30.5,
        "on_lost": "hold",
        "retry": {"max_attempts": 3, "on": ["timeout", "http_status"]},
    }

    document = parse_document({**SMALL, "nodes": [{"id": "a", "kind": "k", "policy": policy}]})
    plain = parse_document({**SMALL, "nodes": [{"id": "a", "kind": "k"}]}).nodes[0].policy

    read = document.nodes[0].policy
    assert (read.queue_timeout_s, read.idle_timeout_s, read.on_lost) == (5, 30.5, "hold")
    assert read.retry.on == ["timeout", "http_status"]
    assert (plain.queue_timeout_s, plain.idle_timeout_s, plain.on_lost) == (None, None, None)
    assert plain.retry.on == []
    assert Policy.model_validate(read.model_dump(mode="json")) == read


def test_a_document_brings_a_deadline_and_a_budget_for_its_runs() -> None:
    budget = {"tokens": 1000, "cost": 2, "steps": 50, "wall_s": 60.5, "on_exceeded": "pause"}

    document = parse_document({**SMALL, "deadline_s": 3600, "budget": budget})
    plain = parse_document({**SMALL, "budget": {"steps": 5}})

    assert document.deadline_s == 3600
    assert document.budget is not None
    assert document.budget.model_dump() == budget
    assert plain.budget is not None
    assert plain.budget.on_exceeded == "fail"
    assert parse_document(SMALL).budget is None


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"deadline_s": 0}, "deadline_s"),
        ({"deadline_s": 40 * 24 * 3600}, "deadline_s"),
        ({"budget": {}}, "budget"),
        ({"budget": {"on_exceeded": "pause"}}, "budget"),
        ({"budget": {"tokens": -1}}, "budget.tokens"),
        ({"budget": {"tokens": 1.5}}, "budget.tokens"),
        ({"budget": {"cost": -1}}, "budget.cost"),
        ({"budget": {"steps": True}}, "budget.steps"),
        ({"budget": {"on_exceeded": "stop"}}, "budget.on_exceeded"),
        ({"budget": {"steps": 3, "calls": 3}}, "budget.calls"),
    ],
)
def test_a_deadline_or_a_budget_outside_its_bounds_is_refused(
    more: dict[str, object], path: str
) -> None:
    (found,) = issues({**SMALL, **more})

    assert found["path"] == path


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "text",
        {**SMALL, "description": "a\x00b"},
        {**SMALL, "ui": {"x": float("nan")}},
        {**SMALL, "name": "\ud800"},
    ],
)
def test_what_no_document_can_hold_is_refused(data: object) -> None:
    assert issues(data)


def test_values_nested_without_end_are_refused() -> None:
    deep: object = 0
    for _ in range(100_000):
        deep = [deep]

    assert issues({**SMALL, "ui": {"deep": deep}})


def test_a_document_that_is_too_large_is_told_apart() -> None:
    with pytest.raises(DocumentTooLarge) as refused:
        parse_document({**SMALL, "ui": {"text": "x" * 1000}}, Limits(document_bytes=1000))

    assert refused.value.status == 413
    assert "HEDDLE_MAX_DOCUMENT_BYTES" in str(refused.value)


@pytest.mark.parametrize("key", ["nodes", "edges"])
def test_a_document_with_too_many_nodes_or_edges_names_the_setting(key: str) -> None:
    with pytest.raises(DocumentTooLarge, match="HEDDLE_MAX_NODES"):
        parse_document({**SMALL, key: [{}] * 9}, Limits(nodes=2))


def test_an_end_of_an_edge_names_a_node_and_perhaps_a_port() -> None:
    assert (endpoint("a", default_port="out").port, endpoint("a:yes", default_port="out").port) == (
        "out",
        "yes",
    )


def test_paths_read_as_authors_write_them() -> None:
    assert json_path(("nodes", 3, "config", "prompt")) == "nodes[3].config.prompt"
