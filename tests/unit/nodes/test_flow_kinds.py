from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backend.engine.config_check import ConfigInvalid
from backend.nodes.base import InRounds, OverItems, RunWorkflow, StopRun, WaitForSignal, WaitUntil
from backend.nodes.registry import KINDS, SPECS
from tests.unit.nodes.context import StepContext

NOW = StepContext.now


def evaluate(kind: str, config: dict[str, Any]) -> Any:
    chosen = KINDS[kind]
    assert chosen.evaluate is not None
    return chosen.evaluate(chosen.spec.load_config(config), {})


async def run(kind: str, config: dict[str, Any]) -> Any:
    chosen = KINDS[kind]
    assert chosen.run is not None
    return await chosen.run(StepContext(), chosen.spec.load_config(config), {})


def over(config: dict[str, Any]) -> list[Any]:
    outcome = evaluate("flow.map", config)
    assert isinstance(outcome, OverItems)
    return list(outcome.items)


@pytest.mark.parametrize(
    ("value", "items"),
    [
        (["a", None, {"x": 1}], ["a", None, {"x": 1}]),
        ([], []),
        (3, [0, 1, 2]),
        (0, []),
        (-2, []),
        ({"range": [2, 8, 3]}, [2, 5]),
        ({"range": [1, 3]}, [1, 2]),
        ({"range": 2}, [0, 1]),
        ({"range": [3, 0, -1]}, [3, 2, 1]),
    ],
)
def test_a_map_goes_over_a_list_a_count_or_a_range(value: Any, items: list[Any]) -> None:
    assert over({"over": value}) == items


@pytest.mark.parametrize(
    ("value", "pages"), [([1, 2, 3, 4, 5], [[1, 2], [3, 4], [5]]), (4, [[0, 1], [2, 3]]), ([], [])]
)
def test_a_map_goes_over_pages_of_a_big_result(value: Any, pages: list[Any]) -> None:
    assert over({"over": value, "page_size": 2}) == pages


def test_a_range_that_is_too_long_to_write_out_is_counted_without_doing_so() -> None:
    outcome = evaluate("flow.map", {"over": 10**12, "page_size": 1000})

    assert len(outcome.items) == 10**9
    assert outcome.items[-1][-1] == 10**12 - 1
    assert outcome.items[1:3] == [list(range(1000, 2000)), list(range(2000, 3000))]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "nothing to go over"),
        ("abc", "this is a text"),
        (True, "true or false"),
        (1.5, "number with a point"),
        ({"a": 1}, "this is an object"),
        ({"range": [1, 2, 3, 4]}, "one to three numbers"),
        ({"range": [1, "2"]}, "are whole"),
        ({"range": [1, True]}, "are whole"),
        ({"range": [1, 2, 0]}, "is not 0"),
        ({"range": []}, "one to three numbers"),
        (10**16, "can be counted to"),
    ],
)
@pytest.mark.parametrize("kind", ["flow.map", "flow.loop"])
def test_what_cannot_be_gone_over_says_what_to_write_instead(
    kind: str, value: Any, reason: str
) -> None:
    with pytest.raises(ConfigInvalid, match=reason):
        evaluate(kind, {"over": value})
    assert "over" in {problem.path for problem in SPECS[kind].check_config({"over": value})}


@pytest.mark.parametrize(
    ("config", "outcome"),
    [
        ({"times": 4}, InRounds(state=None, times=4)),
        ({"times": 4, "state": {"n": 1}}, InRounds(state={"n": 1}, times=4)),
        ({"over": ["a"], "times": 4}, InRounds(times=4, items=["a"])),
        # A condition is evaluated round by round, so it is not among the settings at the start.
        ({"state": 1}, InRounds(state=1)),
    ],
)
def test_a_loop_says_with_what_it_begins_and_how_many_rounds_there_are(
    config: dict[str, Any], outcome: InRounds
) -> None:
    assert evaluate("flow.loop", config) == outcome


@pytest.mark.parametrize(
    ("config", "output", "error"),
    [
        ({}, None, None),
        ({"value": [1]}, [1], None),
        ({"fail": True, "message": "Too dear."}, None, "Too dear."),
        ({"fail": True}, None, "The workflow ended the run as failed."),
        ({"fail": True, "message": 3}, None, "3"),
    ],
)
def test_a_stop_ends_the_run_with_a_value_or_an_error(
    config: dict[str, Any], output: Any, error: str | None
) -> None:
    assert evaluate("flow.stop", config) == StopRun(output, error)


@pytest.mark.parametrize(
    ("config", "version", "inputs"),
    [
        ({"workflow": "w"}, None, {}),
        ({"workflow": "w", "version": "latest"}, None, {}),
        ({"workflow": "w", "version": 3, "inputs": {"a": 1}}, 3, {"a": 1}),
    ],
)
async def test_a_workflow_is_run_by_its_id_and_version(
    config: dict[str, Any], version: int | None, inputs: dict[str, Any]
) -> None:
    assert await run("flow.workflow", config) == RunWorkflow("w", version, inputs)


@pytest.mark.parametrize(
    ("signal", "until"),
    [
        (True, None),
        ({}, None),
        ({"timeout_s": None}, None),
        ({"timeout_s": 90}, NOW + timedelta(seconds=90)),
        ({"timeout_s": 0}, NOW),
    ],
)
async def test_a_wait_for_a_signal_may_have_a_limit(signal: Any, until: datetime | None) -> None:
    assert await run("flow.wait", {"signal": signal}) == WaitForSignal(until)


@pytest.mark.parametrize("seconds", [0, 0.0, 2.5])
async def test_a_wait_may_be_of_no_seconds(seconds: float) -> None:
    wait = await run("flow.wait", {"seconds": seconds})

    assert wait == WaitUntil(NOW + timedelta(seconds=seconds))


@pytest.mark.parametrize(
    ("until", "at"),
    [
        ("9999-12-31T23:59:59-12:00", datetime(9999, 12, 30, tzinfo=UTC)),
        ("9999-12-31T23:59:59.999999Z", datetime(9999, 12, 30, tzinfo=UTC)),
        ("9999-12-29T12:00:00Z", datetime(9999, 12, 29, 12, tzinfo=UTC)),
        ("0001-01-01T00:00:00+14:00", NOW),
    ],
)
async def test_a_time_at_either_end_of_the_calendar_is_waited_for_too(
    until: str, at: datetime
) -> None:
    assert await run("flow.wait", {"until": until}) == WaitUntil(at)


@pytest.mark.parametrize(
    ("kind", "config", "paths"),
    [
        ("flow.map", {}, ["over"]),
        ("flow.map", {"over": "{{ inputs.x }}", "result": "{{ item }}"}, []),
        ("flow.map", {"over": {"range": [0, "{{ inputs.n }}"]}}, []),
        ("flow.map", {"over": {"range": ["x", "{{ inputs.n }}"]}}, []),
        ("flow.map", {"over": 1, "concurrency": 0, "page_size": 0}, ["concurrency", "page_size"]),
        ("flow.map", {"over": 1, "concurrency": 1001}, ["concurrency"]),
        ("flow.map", {"over": 1, "concurrency": "{{ 3 }}"}, ["concurrency"]),
        ("flow.map", {"over": 1, "on_item_error": "ignore"}, ["on_item_error"]),
        ("flow.map", {"over": 1, "max_failures": 2}, [""]),
        (
            "flow.map",
            {"over": 1, "on_item_error": "drop", "max_failure_percent": 101},
            ["max_failure_percent"],
        ),
        ("flow.map", {"over": 1, "on_item_error": "drop", "max_failures": -1}, ["max_failures"]),
        ("flow.loop", {}, [""]),
        ("flow.loop", {"state": 1, "next": "{{ state }}"}, [""]),
        ("flow.loop", {"while": "state < 3"}, []),
        ("flow.loop", {"while": True}, ["while"]),
        ("flow.loop", {"while": "state <"}, ["while"]),
        ("flow.loop", {"times": "{{ inputs.n }}"}, []),
        ("flow.loop", {"times": -1}, ["times"]),
        ("flow.loop", {"times": 101}, [""]),
        ("flow.loop", {"over": 101}, [""]),
        ("flow.loop", {"over": 101, "times": 5}, []),
        ("flow.loop", {"over": 101, "times": "{{ inputs.n }}"}, []),
        ("flow.loop", {"times": 101, "while": "state"}, []),
        ("flow.loop", {"times": 101, "max_iterations": 200}, []),
        ("flow.loop", {"times": 0, "max_iterations": 0}, ["max_iterations"]),
        ("flow.stop", {}, []),
        ("flow.stop", {"fail": True, "value": 1}, [""]),
        ("flow.stop", {"fail": True, "name": "x"}, [""]),
        ("flow.stop", {"message": "x"}, [""]),
        ("flow.stop", {"fail": "{{ inputs.x }}"}, ["fail"]),
        ("flow.workflow", {}, ["workflow"]),
        ("flow.workflow", {"workflow": "{{ inputs.w }}"}, ["workflow"]),
        ("flow.workflow", {"workflow": "w", "version": 0}, ["version"]),
        ("flow.workflow", {"workflow": "w", "version": "newest"}, ["version"]),
        ("flow.workflow", {"workflow": "w", "version": True}, ["version"]),
        ("flow.workflow", {"workflow": "w", "inputs": "{{ inputs }}"}, []),
        ("flow.wait", {"signal": False}, [""]),
        ("flow.wait", {"signal": True, "seconds": 1}, [""]),
        ("flow.wait", {"signal": {"timeout_s": "{{ inputs.t }}"}}, []),
        ("flow.wait", {"signal": {"timeout_s": -1}}, ["signal.timeout_s"]),
        ("flow.wait", {"signal": {"limit": "{{ inputs.t }}"}}, ["signal.limit"]),
    ],
)
def test_every_problem_with_the_settings_of_control_flow_is_listed_with_its_place(
    kind: str, config: dict[str, Any], paths: list[str]
) -> None:
    problems = SPECS[kind].check_config(config)

    assert sorted(p.path for p in problems) == sorted(paths)
    assert all(p.message.endswith((".", "!", "?")) for p in problems)


def test_an_unknown_setting_is_found_also_if_its_value_is_computed() -> None:
    (problem,) = SPECS["data.template"].check_config({"text": "x", "tone": "{{ inputs.t }}"})

    assert (problem.path, problem.code) == ("tone", "config_unknown")


def test_kinds_say_whether_they_hold_nodes_and_what_is_evaluated_later() -> None:
    about = {name: SPECS[name].describe() for name in ("flow.map", "flow.loop", "data.set")}

    assert [(one["container"], one["deferred"]) for one in about.values()] == [
        ("map", ["result"]),
        ("loop", ["while", "next", "result"]),
        (None, []),
    ]
