"""Runs on real processes: web, io worker and beat, with PostgreSQL and Redis."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.acceptance.documents import Program, assert_sound, document, fan, http
from tests.live_endpoint import LiveEndpoint
from tests.live_product import LiveProduct
from tests.waiting import wait_until

SAMPLES = Path(__file__).parents[2] / "gallery" / "samples"


@pytest.fixture
def program(live_product: LiveProduct) -> Iterator[Program]:
    with live_product.api(timeout_s=90) as api:
        yield Program(api)


def test_branches_run_at_the_same_time(program: Program, mock_endpoint: LiveEndpoint) -> None:
    run = program.finished(program.start(fan(f"{mock_endpoint.url}/sleep?ms=1000", 8)))

    assert run["outputs"] == {"end": 8}
    assert mock_endpoint.stats()["max_in_flight"] == 8
    steps = [step for path, step in program.steps(run["id"]).items() if path.startswith("n")]
    assert max(step["started_at"] for step in steps) < min(step["finished_at"] for step in steps)
    assert run["timings"]["speed_up"] > 1
    assert_sound(program.events(run["id"]))


def test_a_hundred_model_calls_are_in_flight_together(
    program: Program, mock_endpoint: LiveEndpoint
) -> None:
    program.model_endpoint(mock_endpoint.base_url)
    calls = [f"m{i}" for i in range(100)]
    nodes = [
        {"id": name, "kind": "llm.chat", "config": {"model": "sleep-2000ms", "prompt": name}}
        for name in calls
    ]

    run = program.finished(program.start(document("A hundred calls", nodes, [])))

    assert run["status"] == "succeeded"
    assert mock_endpoint.stats()["max_in_flight"] >= 90
    assert run["usage"]["output_tokens"] > 0


def test_two_waits_side_by_side_hold_no_slot_and_end_in_their_time(program: Program) -> None:
    nodes: list[dict[str, Any]] = [
        {"id": "a", "kind": "flow.wait", "config": {"seconds": 2}},
        {"id": "b", "kind": "flow.wait", "config": {"seconds": 2}},
        {"id": "join", "kind": "flow.join"},
    ]
    run_id = program.start(document("Two waits", nodes, ["a -> join", "b -> join"]))

    wait_until(
        lambda: program.run(run_id)["steps"]["waiting"] == 2, what="both waits parked", within_s=10
    )
    run = program.finished(run_id)

    assert run["status"] == "succeeded"
    steps = program.steps(run_id)
    assert steps["a"]["started_at"] < steps["b"]["finished_at"]
    assert steps["b"]["started_at"] < steps["a"]["finished_at"]


def test_a_run_survives_the_death_of_its_worker(
    program: Program, live_product: LiveProduct, mock_endpoint: LiveEndpoint
) -> None:
    run_id = program.start(fan(f"{mock_endpoint.url}/sleep?ms=4000", 20))
    wait_until(lambda: mock_endpoint.stats()["in_flight"] == 20, what="twenty calls in flight")

    live_product.kill("io-1", by=signal.SIGKILL)
    live_product.start("io-2")
    run = program.finished(run_id, within_s=90)

    events = program.events(run_id)
    assert (run["status"], run["outputs"]) == ("succeeded", {"end": 20})
    assert sum(event["type"] == "step.lost" for event in events) == 20
    assert {step["losses"] for path, step in program.steps(run_id).items() if path[0] == "n"} == {1}
    assert_sound(events)


def test_a_worker_that_is_asked_to_stop_lets_its_steps_end(
    program: Program, live_product: LiveProduct, mock_endpoint: LiveEndpoint
) -> None:
    run_id = program.start(fan(f"{mock_endpoint.url}/sleep?ms=3000", 5))
    wait_until(lambda: mock_endpoint.stats()["in_flight"] == 5, what="five calls in flight")

    live_product.kill("io-1", by=signal.SIGTERM)
    live_product.start("io-2")
    run = program.finished(run_id, within_s=90)

    events = program.events(run_id)
    assert run["status"] == "succeeded"
    assert not [event for event in events if event["type"] == "step.lost"]
    assert mock_endpoint.stats()["started"] == 5
    assert_sound(events)


def test_runs_go_on_after_redis_lost_everything(
    program: Program, live_product: LiveProduct, mock_endpoint: LiveEndpoint
) -> None:
    url = f"{mock_endpoint.url}/sleep?ms=1500"
    nodes = [http(name, url) for name in "abc"]
    run_id = program.start(document("A chain", nodes, ["a -> b", "b -> c"]))
    wait_until(lambda: mock_endpoint.stats()["in_flight"] == 1, what="the first call")

    with redis.Redis.from_url(live_product.environment["REDIS_URL"]) as client:
        client.flushall()
    run = program.finished(run_id)

    assert run["status"] == "succeeded"
    assert mock_endpoint.stats()["count"] == 3
    assert_sound(program.events(run_id))


def test_cancelling_stops_calls_that_are_under_way(
    program: Program, mock_endpoint: LiveEndpoint
) -> None:
    run_id = program.start(fan(f"{mock_endpoint.url}/sleep?ms=30000", 10))
    wait_until(lambda: mock_endpoint.stats()["in_flight"] == 10, what="ten calls in flight")

    answer = program.api.post(f"runs/{run_id}/cancel/")

    assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
    wait_until(
        lambda: mock_endpoint.stats()["in_flight"] == 0, what="the calls hung up", within_s=10
    )
    assert_sound(program.events(run_id))


def test_the_answer_can_be_waited_for(program: Program) -> None:
    workflow = program.workflow(
        document(
            "One", [{"id": "only", "kind": "io.output", "config": {"value": "{{ 6 * 7 }}"}}], []
        )
    )

    answer = program.api.post(f"workflows/{workflow}/runs/", params={"wait": 30}, json={})

    assert answer.status_code == 201
    assert (answer.json()["status"], answer.json()["outputs"]) == ("succeeded", {"only": 42})


def test_events_stream_to_the_runs_end(program: Program, mock_endpoint: LiveEndpoint) -> None:
    run_id = program.start(fan(f"{mock_endpoint.url}/sleep?ms=500", 2))

    with program.api.stream(
        "GET", f"runs/{run_id}/events/", headers={"Accept": "text/event-stream"}
    ) as stream:
        lines = [line for line in stream.iter_lines() if line.startswith("data: ")]

    events = [json.loads(line.removeprefix("data: ")) for line in lines]
    assert events == program.events(run_id)
    assert events[-1]["type"] == "run.succeeded"


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("while True:\n    pass", "longer than"),
        ("x = 'a'\nwhile True:\n    x = x + x\nx", "memory"),
        ("def f(n):\n    return f(n + 1)\nf(0)", "without end"),
        ("nodes.nothing.output", "nothing"),
    ],
)
def test_code_without_end_fails_its_step_and_the_worker_lives(
    program: Program, code: str, says: str
) -> None:
    bad = {"id": "bad", "kind": "data.transform", "config": {"code": code}}
    workflow = program.api.post("workflows/", json={"document": document("Bad", [bad], [])}).json()
    errors = [issue["message"] for issue in workflow["issues"] if issue["severity"] == "error"]
    if errors:
        assert says in errors[0]
        return

    run = program.api.post(f"workflows/{workflow['id']}/runs/", params={"wait": 60}, json={}).json()
    good = {"id": "good", "kind": "data.transform", "config": {"code": "1 + 1"}}
    after = program.finished(program.start(document("Good", [good], [])))

    assert run["status"] == "failed"
    assert says in run["error"]["message"]
    assert run["error"]["node_id"] == "bad"
    assert after["status"] == "succeeded"


@pytest.mark.parametrize(
    ("model", "says"),
    [("fault-500", "500"), ("fault-429", "429"), ("fault-rubbish", ""), ("fault-cut", "")],
)
def test_a_model_endpoint_that_fails_is_named_after_the_retries(
    program: Program, mock_endpoint: LiveEndpoint, model: str, says: str
) -> None:
    program.model_endpoint(mock_endpoint.base_url)
    policy = {"retry": {"max_attempts": 2, "initial_s": 0.01}}
    chat = {
        "id": "chat",
        "kind": "llm.chat",
        "config": {"model": model, "prompt": "Hello"},
        "policy": policy,
    }

    run = program.finished(program.start(document("A failing model", [chat], [])))

    assert run["status"] == "failed"
    assert f"127.0.0.1:{mock_endpoint.port}" in run["error"]["message"]
    assert says in run["error"]["message"]
    assert program.steps(run["id"])["chat"]["attempt"] == 2


def test_an_address_that_calls_may_not_reach_is_refused(program: Program) -> None:
    graph = document("Metadata", [http("a", "http://169.254.169.254/latest/")], [])

    run = program.finished(program.start(graph))

    assert run["status"] == "failed"
    assert "may not reach" in run["error"]["message"]


def test_the_text_report_runs_without_key_or_network(live_product: LiveProduct) -> None:
    printed = live_product.manage("run", str(SAMPLES / "text_report.yaml"))

    report = json.loads(printed)["report"]
    assert report.startswith("# Text report")
    assert "## Keywords" in report
    assert "## Longest sentences" in report


def test_two_views_asks_two_models_at_once_and_then_a_third(
    program: Program, live_product: LiveProduct, mock_endpoint: LiveEndpoint
) -> None:
    program.model_endpoint(mock_endpoint.base_url)

    printed = live_product.manage(
        "run", str(SAMPLES / "two_views.yaml"), "--input", "topic=cities without cars"
    )

    assert json.loads(printed)
    assert mock_endpoint.stats()["count"] == 3


def test_the_status_of_several_addresses_names_the_one_that_fails(
    live_product: LiveProduct, mock_endpoint: LiveEndpoint
) -> None:
    good, bad = f"{mock_endpoint.url}/sleep?ms=0", f"{mock_endpoint.url}/no-such-page"

    printed = live_product.manage(
        "run",
        str(SAMPLES / "address_status.yaml"),
        "--input",
        f"first={good}",
        "--input",
        f"second={bad}",
        "--input",
        f"third={good}",
    )

    assert "404" in printed
