from datetime import UTC, datetime

import pytest

from backend.engine import schemas
from backend.engine.critical_path import critical_path, span
from backend.engine.document import Policy, Retry
from backend.engine.outcomes import MAX_MESSAGE_CHARS, Failed
from backend.engine.retry import GiveUp, TryAgain, after_failure, backoff_bound
from backend.engine.upgrade import upgrade_document
from tests.unit.engine.plans import node, plan

DIAMOND = plan(
    [node("a"), node("b"), node("c"), node("d")], ["a -> b", "a -> c", "b -> d", "c -> d"]
)


@pytest.mark.parametrize(
    ("backoff", "failures", "bound"),
    [("exponential", 1, 2), ("exponential", 3, 8), ("exponential", 9, 60), ("fixed", 5, 2)],
)
def test_the_longest_wait_grows_by_the_policy_to_its_limit(
    backoff: str, failures: int, bound: float
) -> None:
    retry = Retry.model_validate({"backoff": backoff, "initial_s": 2, "max_s": 60})

    assert backoff_bound(retry, failures) == bound


def decide(
    policy: Policy,
    *,
    failures: int = 1,
    code: str = "http_status",
    retryable: bool = True,
    after: float | None = None,
) -> object:
    return after_failure(
        policy,
        Failed(code, "It broke.", retryable=retryable, retry_after_s=after),
        failures=failures,
        uniform=lambda low, high: (low + high) / 2,
    )


def test_a_retry_is_drawn_between_nothing_and_the_bound() -> None:
    policy = Policy(retry=Retry(max_attempts=3, initial_s=4, max_s=30))

    assert decide(policy, failures=2) == TryAgain(4.0)


def test_a_servers_wish_to_wait_is_a_lower_bound() -> None:
    policy = Policy(retry=Retry(max_attempts=3, initial_s=1))

    assert decide(policy, after=20) == TryAgain(20)


@pytest.mark.parametrize("retryable", [True, False])
def test_where_a_policy_names_errors_these_are_repeated_and_no_others(retryable: bool) -> None:
    policy = Policy(retry=Retry(max_attempts=3, initial_s=2, on=["http_protocol", "timeout"]))

    assert decide(policy, code="timeout", retryable=retryable) == TryAgain(1.0)
    assert decide(policy, code="http_status", retryable=retryable) == GiveUp((), fails_run=True)


@pytest.mark.parametrize("after", [1e300, float("inf")])
def test_a_server_can_put_a_step_off_for_a_day_and_no_longer(after: float) -> None:
    policy = Policy(retry=Retry(max_attempts=3, initial_s=1))

    assert decide(policy, after=after) == TryAgain(24 * 3600)


def test_a_message_holds_only_what_can_be_stored() -> None:
    failure = Failed("http_status", "a\x00b\ud800c")

    assert failure.to_json("n")["message"] == "a\ufffdb?c"


def test_a_message_is_cut_however_long_an_author_makes_it() -> None:
    message = Failed("expression_failed", "x" * 1_000_000).to_json("n")["message"]

    assert len(message) == MAX_MESSAGE_CHARS
    assert message.endswith("x…")


def test_attempts_end_at_the_policys_number() -> None:
    policy = Policy(retry=Retry(max_attempts=2))

    assert decide(policy, failures=2) == GiveUp((), fails_run=True)


@pytest.mark.parametrize(
    ("on_error", "decision"),
    [
        ("fail", GiveUp((), fails_run=True)),
        ("continue", GiveUp(("out",), fails_run=False)),
        ("route", GiveUp(("error",), fails_run=False)),
    ],
)
def test_what_a_failure_leads_to_is_the_policys_choice(on_error: str, decision: GiveUp) -> None:
    policy = Policy.model_validate({"on_error": on_error})

    assert decide(policy, retryable=False) == decision


def at(second: int) -> datetime:
    return datetime(2026, 1, 1, second=second, tzinfo=UTC)


def test_the_critical_path_leads_back_to_the_input_that_came_last() -> None:
    ended = {0: at(1), 1: at(2), 2: at(5), 3: at(6)}

    assert critical_path(DIAMOND, ended) == (0, 2, 3)


def test_what_did_not_run_is_not_on_the_critical_path() -> None:
    assert critical_path(DIAMOND, {0: at(1), 1: at(2), 3: at(3)}) == (0, 1, 3)
    assert critical_path(DIAMOND, {}) == ()


def test_steps_that_took_no_time_are_on_the_critical_path() -> None:
    assert critical_path(DIAMOND, dict.fromkeys(range(4), at(1))) == (0, 2, 3)


def test_the_span_is_the_longest_way_by_duration() -> None:
    assert span(DIAMOND, {0: 1.0, 1: 5.0, 2: 2.0, 3: 1.0}) == 7.0
    assert span(DIAMOND, {}) == 0.0


def test_old_documents_and_nodes_go_through_every_step_to_the_current_form() -> None:
    upgraded = upgrade_document(
        {"schema": "heddle/0", "nodes": [{"id": "a", "kind": "old"}, {"id": "b", "kind": "new"}]},
        schemas={"heddle/0": lambda d: {**d, "schema": "heddle/1"}},
        nodes={
            ("old", 0): lambda n: {**n, "kind_version": 1, "config": {"one": 1}},
            ("old", 1): lambda n: {**n, "kind_version": 2, "config": {**n["config"], "two": 2}},
        },
    )

    assert upgraded == {
        "schema": "heddle/1",
        "nodes": [
            {"id": "a", "kind": "old", "kind_version": 2, "config": {"one": 1, "two": 2}},
            {"id": "b", "kind": "new"},
        ],
    }


@pytest.mark.parametrize("data", [{"nodes": "odd"}, {"nodes": [7, None]}, {"schema": ["x"]}])
def test_what_no_upgrade_understands_is_left_as_it_is(data: dict[str, object]) -> None:
    assert upgrade_document(data) == data


def test_a_schema_lists_where_a_value_departs_from_it() -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"b": {"type": "array", "items": {"type": "string"}}},
    }

    assert schemas.problems(schema, {"b": ["x", 1]}) == [
        ("", '"a" is a required property'),
        ("b[1]", '1 is not of type "string"'),
    ]


def test_a_pattern_made_to_hang_is_matched_in_linear_time() -> None:
    schema = {"type": "string", "pattern": "^(a+)+$"}

    assert schemas.problems(schema, "a" * 5000 + "!")


@pytest.mark.parametrize(
    "schema", [{"$ref": "file:///etc/hosts"}, {"$ref": "http://127.0.0.1:1/x"}, {"type": "odd"}]
)
def test_a_schema_that_leads_outside_or_is_none_is_refused(schema: dict[str, object]) -> None:
    with pytest.raises(schemas.SchemaInvalid):
        schemas.compile_schema(schema)


def test_defaults_fill_what_is_missing_and_nothing_else() -> None:
    schema = {"properties": {"a": {"default": 1}, "b": {"default": 2}, "c": {}}}

    assert schemas.with_defaults(schema, {"a": None}) == {"a": None, "b": 2}
