"""Limits and budgets over several worker processes."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.acceptance.documents import Program, assert_sound, document, http
from tests.live_endpoint import LiveEndpoint
from tests.live_product import LiveProduct
from tests.waiting import wait_until

#: Seconds of a rate in which no second token comes while a test runs.
SLOW = 24 * 3600


@pytest.fixture
def program(live_product: LiveProduct, mock_endpoint: LiveEndpoint) -> Iterator[Program]:
    with live_product.api(timeout_s=90) as api:
        program = Program(api)
        program.model_endpoint(mock_endpoint.base_url)
        for row in api.get("limits/").json()["results"]:
            api.delete(f"limits/{row['id']}/")
        yield program
        for row in api.get("limits/").json()["results"]:
            api.delete(f"limits/{row['id']}/")


def limit(program: Program, target: str, key: str = "", **fields: float) -> str:
    answer = program.api.post("limits/", json={"target": target, "key": key, **fields})
    assert answer.status_code == 201, answer.text
    return f"limits/{answer.json()['id']}/"


def calls(count: int, model: str = "default", **params: int) -> dict[str, Any]:
    """So many model calls side by side."""
    nodes = [
        {
            "id": f"m{number}",
            "kind": "llm.chat",
            "config": {"model": model, "prompt": "Hello", "params": params},
        }
        for number in range(count)
    ]
    return document(f"{count} calls", nodes, [])


def start(program: Program, made: dict[str, Any], **options: Any) -> str:
    workflow = program.workflow(made)
    answer = program.api.post(f"workflows/{workflow}/runs/", json=options)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def test_a_credentials_limit_holds_over_all_workers_and_runs(
    program: Program, live_product: LiveProduct, mock_endpoint: LiveEndpoint
) -> None:
    live_product.start("io-2")
    [credential] = program.api.get("credentials/").json()["results"]
    limit(program, "credential", credential["id"], max_running=3)

    runs = [program.start(calls(10, "sleep-100ms")) for _ in range(3)]

    for run_id in runs:
        assert program.finished(run_id)["status"] == "succeeded"
        assert_sound(program.events(run_id))
    assert mock_endpoint.stats()["max_in_flight"] == 3
    assert mock_endpoint.stats()["started"] == 30


def test_steps_that_fall_under_no_limit_pass_those_that_wait(
    program: Program, mock_endpoint: LiveEndpoint
) -> None:
    shut = limit(program, "model", "sleep-0ms", rate=2, per_s=SLOW)
    limited = program.start(calls(6))
    wait_until(
        lambda: program.run(limited)["steps"]["succeeded"] == 2, what="two calls of the rate"
    )

    free = program.start(document("Free", [http("a", f"{mock_endpoint.url}/sleep?ms=0")], []))

    assert program.finished(free)["status"] == "succeeded"
    assert program.run(limited)["steps"]["ready"] == 4
    assert program.api.get(shut).json()["waiting"] == 4
    waiting = next(step for step in program.steps(limited).values() if step["status"] == "ready")
    why = program.api.get(f"runs/{limited}/steps/{waiting['id']}/").json()["why_waiting"]
    assert why["cause"] == "limit"


def test_a_limit_that_is_lifted_lets_go_what_waited(
    program: Program, mock_endpoint: LiveEndpoint
) -> None:
    seats = limit(program, "workspace", max_running=1)
    run_id = program.start(calls(4, "sleep-2000ms"))
    wait_until(lambda: mock_endpoint.stats()["in_flight"] == 1, what="the first call")

    program.api.delete(seats)

    assert program.finished(run_id)["status"] == "succeeded"
    assert mock_endpoint.stats()["max_in_flight"] >= 3


def test_a_run_over_its_budget_of_tokens_fails_before_the_call(
    program: Program, mock_endpoint: LiveEndpoint
) -> None:
    made = calls(6, "sleep-1000ms", max_tokens=100)

    run = program.finished(start(program, made, budget={"tokens": 250}))

    assert run["status"] == "failed"
    assert run["error"]["code"] == "budget_exceeded"
    assert mock_endpoint.stats()["started"] <= 2
    assert run["budget"]["limits"] == {"tokens": 250, "cost": None, "steps": None}
    assert run["budget"]["reserved"] == {"tokens": 0, "cost": 0}
    assert_sound(program.events(run["id"]))


def test_a_run_that_pauses_over_its_budget_goes_on_with_a_larger_one(
    program: Program, mock_endpoint: LiveEndpoint
) -> None:
    made = calls(6, "sleep-500ms", max_tokens=100)
    run_id = start(program, made, budget={"tokens": 250, "on_exceeded": "pause"})
    wait_until(
        lambda: (run := program.run(run_id))["status"] == "paused" and run["steps"]["running"] == 0,
        what="the run paused and its calls ended",
    )
    paused = program.run(run_id)
    assert paused["budget"]["reserved"]["tokens"] == 0
    assert 0 < paused["budget"]["spent"]["tokens"] < 250

    answer = program.api.post(f"runs/{run_id}/resume/", json={"budget": {"tokens": 5000}})
    run = program.finished(run_id)

    assert answer.status_code == 200
    assert run["status"] == "succeeded"
    assert mock_endpoint.stats()["started"] == 6
    usage = run["usage"]
    assert run["budget"]["spent"]["tokens"] == usage["input_tokens"] + usage["output_tokens"]
    assert_sound(program.events(run_id))


def test_a_run_starts_no_more_steps_than_its_budget_has(
    program: Program, mock_endpoint: LiveEndpoint
) -> None:
    run = program.finished(start(program, calls(6), budget={"steps": 4}))

    assert (run["status"], run["error"]["code"]) == ("failed", "budget_exceeded")
    assert mock_endpoint.stats()["started"] <= 4
    assert run["budget"]["spent"]["steps"] == 4
