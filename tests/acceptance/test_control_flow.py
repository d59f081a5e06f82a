"""Maps, loops, called workflows, signals and changes of graphs, over the API on real processes."""

import signal
from collections.abc import Iterator
from typing import Any

import pytest

from tests.acceptance.documents import Program, assert_sound, document, http
from tests.live_endpoint import LiveEndpoint
from tests.live_product import LiveProduct
from tests.waiting import wait_until


@pytest.fixture
def program(live_product: LiveProduct) -> Iterator[Program]:
    with live_product.api(timeout_s=90) as api:
        yield Program(api)


def node(name: str, kind: str, parent: str | None = None, **config: Any) -> dict[str, Any]:
    return {"id": name, "kind": kind, "parent": parent, "config": config}


def give(name: str, value: Any) -> dict[str, Any]:
    return node(name, "io.output", value=value)


def status_of(program: Program, run_id: str, path: str) -> str | None:
    step = program.steps(run_id).get(path)
    return step["status"] if step else None


def test_a_map_of_two_stages_gives_its_results_in_order_and_within_its_window(
    program: Program, mock_endpoint: LiveEndpoint
) -> None:
    graph = document(
        "A map",
        [
            node("each", "flow.map", over=60, concurrency=20, result="{{ nodes.square.output }}"),
            {
                **http("call", f"{mock_endpoint.url}/sleep?ms=50&key={{{{ item }}}}"),
                "parent": "each",
            },
            node("square", "data.transform", "each", code="item * item"),
            give("end", "{{ nodes.each.output }}"),
        ],
        ["call -> square", "each -> end"],
    )

    run = program.finished(program.start(graph))

    assert run["outputs"] == {"end": [number * number for number in range(60)]}
    assert 1 < mock_endpoint.stats()["max_in_flight"] <= 20
    events = program.events(run["id"])
    assert_sound(events)
    progress = [event["data"] for event in events if event["type"] == "step.progress"]
    assert progress[-1]["total"] == 60


def test_a_loop_ends_by_its_condition(program: Program) -> None:
    graph = document(
        "A loop",
        [
            node("loop", "flow.loop", state=1, **{"while": "state < 100"}),
            node("double", "data.transform", "loop", code="state * 2"),
            give("end", "{{ nodes.loop.output }}"),
        ],
        ["loop -> end"],
    )

    run = program.finished(program.start(graph))

    assert run["outputs"] == {"end": 128}
    assert sum(path.endswith("/double") for path in program.steps(run["id"])) == 7


def test_a_workflow_is_run_as_a_step_and_ends_with_its_caller(
    program: Program, mock_endpoint: LiveEndpoint
) -> None:
    called = document(
        "Called",
        [http("call", f"{mock_endpoint.url}/sleep?ms=30000"), give("x", "{{ inputs.n }}")],
        [],
    )
    quick = document("Quick", [give("x", "{{ inputs.n + 1 }}")], [])
    slow_id, quick_id = program.workflow(called), program.workflow(quick)
    graph = document(
        "Caller",
        [
            node("quick", "flow.workflow", workflow=quick_id, inputs={"n": 41}),
            node("slow", "flow.workflow", workflow=slow_id, inputs={"n": 1}),
        ],
        ["quick -> slow"],
    )
    run_id = program.start(graph)
    wait_until(lambda: mock_endpoint.stats()["in_flight"] == 1, what="the called workflow's call")

    step = program.steps(run_id)["quick"]
    detail = program.api.get(f"runs/{run_id}/steps/{step['id']}/").json()
    assert detail["output"] == {"x": 42}
    program.api.post(f"runs/{run_id}/cancel/")

    wait_until(lambda: mock_endpoint.stats()["in_flight"] == 0, what="the call hung up")
    runs = program.api.get("runs/", params={"workflow": slow_id}).json()["results"]
    assert [run["status"] for run in runs] == ["cancelled"]


def test_the_graph_of_a_run_is_changed_while_it_goes_on(
    program: Program, mock_endpoint: LiveEndpoint
) -> None:
    graph = document(
        "Growing",
        [http("call", f"{mock_endpoint.url}/sleep?ms=2000"), give("end", "unchanged")],
        ["call -> end"],
    )
    run_id = program.start(graph)
    wait_until(lambda: mock_endpoint.stats()["in_flight"] == 1, what="the call")

    operations = [
        {"op": "add_node", "node": node("each", "flow.map", over=3)},
        {"op": "add_node", "node": node("add", "data.transform", "each", code="item + 10")},
        {"op": "replace_node", "node": give("end", "{{ nodes.each.output }}")},
        {"op": "remove_edge", "edge": {"from": "call", "to": "end"}},
        {"op": "add_edge", "edge": {"from": "call", "to": "each"}},
        {"op": "add_edge", "edge": {"from": "each", "to": "end"}},
    ]
    body = {"operations": operations, "base": 0}
    first = program.api.post(f"runs/{run_id}/patches/", json=body)
    again = program.api.post(f"runs/{run_id}/patches/", json=body)
    run = program.finished(run_id)

    assert first.status_code < 300, first.text
    assert (again.status_code, again.json()["code"]) == (409, "plan_moved")
    assert run["outputs"] == {"end": [10, 11, 12]}
    assert_sound(program.events(run_id))


def test_a_failed_run_is_retried_from_what_succeeded(
    program: Program, mock_endpoint: LiveEndpoint
) -> None:
    program.model_endpoint(mock_endpoint.base_url)
    graph = document(
        "Flaky",
        [
            http("first", f"{mock_endpoint.url}/sleep?ms=0"),
            node("second", "llm.chat", prompt="Hello"),
            give("end", "{{ nodes.second.output.text }}"),
        ],
        ["first -> second", "second -> end"],
    )
    graph["nodes"][1]["policy"] = {"retry": {"max_attempts": 1}}
    mock_endpoint.script([{"fault": "500"}])
    run = program.finished(program.start(graph))
    assert run["status"] == "failed"

    assert program.api.post(f"runs/{run['id']}/retry/").status_code == 200
    again = program.finished(run["id"])

    assert again["status"] == "succeeded"
    assert mock_endpoint.stats()["count"] == 3
    steps = program.steps(run["id"])
    assert (steps["first"]["attempt"], steps["second"]["attempt"]) == (1, 2)


def test_a_signal_from_outside_lets_a_run_go_on_after_all_has_been_restarted(
    program: Program, live_product: LiveProduct, mock_endpoint: LiveEndpoint
) -> None:
    graph = document(
        "Approval",
        [
            node("ask", "data.set", values={"url": "{{ run.signals.wait }}"}),
            node("wait", "flow.wait", signal={"timeout_s": 600}),
            give("end", "{{ nodes.wait.output }}"),
        ],
        ["ask -> wait", "wait -> end"],
    )
    run_id = program.start(graph)
    wait_until(lambda: status_of(program, run_id, "wait") == "waiting", what="the wait")
    for name in ("io-1", "web"):
        live_product.kill(name, by=signal.SIGKILL)
        live_product.start(name)
    live_product.wait_until_ready()

    asked = program.steps(run_id)["ask"]["id"]
    url = program.api.get(f"runs/{run_id}/steps/{asked}/").json()["output"]["url"]
    path = url.partition("/api/v1/")[2]
    answers = [program.api.post(path, json={"approved": True}).status_code for _ in range(2)]
    run = program.finished(run_id)

    assert (answers[0] < 300, answers[1]) == (True, 409)
    assert run["outputs"] == {"end": {"approved": True}}
    assert_sound(program.events(run_id))
