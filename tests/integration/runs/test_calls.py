"""Workflows that run other workflows as steps."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings

from backend.engine.outcomes import Failed
from backend.runs.models import Run, Step
from backend.runs.services.cancel import cancel_run
from backend.runs.services.finish import finish
from backend.runs.services.retry import retry_run
from backend.runs.services.sweep import sweep
from backend.workflows.services.graphs import DocumentNotRunnable
from tests.integration.people import Person, create_workflow
from tests.integration.runs.hand_worker import (
    HandWorker,
    assert_consistent,
    document,
    each,
    error_of,
    give,
    outputs,
    statuses,
    work,
)

Start = Callable[..., Run]

SCHEMA = {
    "type": "object",
    "required": ["who"],
    "properties": {"who": {"type": "string"}, "loud": {"type": "boolean", "default": False}},
}


def callee(text: str = "Hello {{ inputs.who }}{{ '!' if inputs.loud else '' }}") -> dict[str, Any]:
    nodes = [work("think"), give("greeting", text)]
    return {**document(nodes, ["think -> greeting"]), "inputs": SCHEMA}


def call(workflow: str, name: str = "call", **config: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {k: config.pop(k) for k in ("parent", "policy") if k in config}
    settings = {"inputs": {"who": "Ann"}, **config, "workflow": workflow}
    return {"id": name, "kind": "flow.workflow", "config": settings, **fields}


def caller(workflow: str, **config: Any) -> dict[str, Any]:
    nodes = [call(workflow, **config), give("end", "{{ nodes.call.output }}")]
    return document(nodes, ["call -> end"])


@pytest.fixture
def called(alice: Person) -> str:
    return str(create_workflow(alice, callee())["id"])


def child_of(run: Run) -> Run:
    return Run.objects.get(parent_run=run)


def publish(person: Person, workflow: str) -> None:
    answer = person.browser.post(f"/api/v1/workflows/{workflow}/publish/", {}, format="json")
    assert answer.status_code in (200, 201)


def redraft(person: Person, workflow: str, changed: dict[str, Any]) -> None:
    url = f"/api/v1/workflows/{workflow}/"
    revision = person.browser.get(url).json()["revision"]
    body = {"document": changed, "revision": revision}
    assert person.browser.put(url, body, format="json").status_code == 200


def test_the_outputs_of_a_workflow_are_the_output_of_the_step_that_called_it(
    start_run: Start, worker: HandWorker, called: str
) -> None:
    run = start_run(caller(called, inputs={"who": "{{ 'Ann'.upper() }}", "loud": True}))
    worker.go()

    worker.run_node("call")
    assert statuses(run)["call"] == "waiting"
    child = child_of(run)
    assert (child.trigger, child.depth, child.inputs) == (
        "workflow",
        1,
        {"who": "ANN", "loud": True},
    )
    assert worker.go() == ["think"]
    worker.complete({"think": 1})
    worker.go()

    assert outputs(run) == {"end": {"greeting": "Hello ANN!"}}
    assert Step.objects.get(run=run, path="call").child_run_id == child.id
    assert_consistent(run)
    assert_consistent(child)


def test_a_workflow_is_run_as_its_latest_version_or_as_the_one_that_is_named(
    alice: Person, start_run: Start, worker: HandWorker, called: str
) -> None:
    publish(alice, called)
    redraft(alice, called, callee("Goodbye {{ inputs.who }}"))
    publish(alice, called)
    redraft(alice, called, callee("A draft"))
    latest, pinned = start_run(caller(called)), start_run(caller(called, version=1))

    worker.go()
    worker.run_node(*worker.held)
    worker.go()
    worker.complete_all(lambda _: 1)
    worker.go()

    assert [child_of(run).version for run in (latest, pinned)] == [2, 1]
    assert outputs(latest) == {"end": {"greeting": "Goodbye Ann"}}
    assert outputs(pinned) == {"end": {"greeting": "Hello Ann"}}


@pytest.mark.parametrize(
    ("config", "code", "says"),
    [
        ({"version": 7}, "unknown_version", "no version 7"),
        ({"inputs": {}}, "invalid_inputs", "who"),
        ({"inputs": {"who": 3}}, "invalid_inputs", "who"),
    ],
)
def test_a_call_that_cannot_be_made_fails_its_step_and_says_why(
    start_run: Start,
    worker: HandWorker,
    called: str,
    config: dict[str, Any],
    code: str,
    says: str,
) -> None:
    run = start_run(caller(called, **config))
    worker.go()

    worker.run_node("call")

    assert (error_of(run)["code"], error_of(run)["node_id"]) == (code, "call")
    assert says in error_of(run)["message"]
    assert not Run.objects.filter(parent_run=run).exists()


def test_a_workflow_that_was_deleted_meanwhile_is_unknown(
    alice: Person, start_run: Start, worker: HandWorker, called: str
) -> None:
    run = start_run(caller(called))
    worker.go()
    alice.browser.delete(f"/api/v1/workflows/{called}/")

    worker.run_node("call")

    assert error_of(run)["code"] == "unknown_workflow"


def test_a_workflow_of_another_workspace_cannot_be_called(
    charlie: Person, start_run: Start
) -> None:
    foreign = create_workflow(charlie, callee())["id"]

    with pytest.raises(DocumentNotRunnable, match="does not exist in this workspace"):
        start_run(caller(str(foreign)))


def test_a_workflow_that_calls_itself_ends_at_the_depth_that_is_allowed(
    alice: Person, start_run: Start, worker: HandWorker, settings: LazySettings
) -> None:
    settings.HEDDLE_MAX_CALL_DEPTH = 2
    itself = str(create_workflow(alice, document([work("a")], []))["id"])
    redraft(alice, itself, caller(itself, inputs={}))
    run = start_run(caller(itself, inputs={}))

    while worker.go():
        worker.run_node("call")

    assert [r.depth for r in Run.objects.order_by("depth")] == [0, 1, 2]
    assert set(Run.objects.values_list("status", flat=True)) == {"failed"}
    assert error_of(run)["code"] == "calls_too_deep"
    assert "HEDDLE_MAX_CALL_DEPTH" in error_of(run)["message"]


def test_the_error_of_a_workflow_is_that_of_the_step_that_called_it(
    start_run: Start, worker: HandWorker, called: str
) -> None:
    run = start_run(caller(called))
    worker.go()
    worker.run_node("call")
    worker.go()

    worker.complete({"think": Failed("http_status", "The server answered 500.")})

    assert error_of(run) == {
        "code": "http_status",
        "message": "A test: The server answered 500.",
        "retryable": False,
        "node_id": "call",
    }


def test_a_step_whose_workflow_was_cancelled_fails_and_its_policy_decides(
    start_run: Start, worker: HandWorker, called: str
) -> None:
    run = start_run(caller(called, policy={"on_error": "continue"}))
    worker.go()
    worker.run_node("call")

    cancel_run(child_of(run).id, reason="Enough.")
    worker.go()

    step = Step.objects.get(run=run, path="call")
    assert (step.status, step.error["code"]) == ("failed", "workflow_cancelled")
    assert outputs(run) == {"end": None}


def test_cancelling_a_run_cancels_what_it_has_called_down_to_the_last(
    alice: Person, start_run: Start, worker: HandWorker, called: str
) -> None:
    middle = str(create_workflow(alice, caller(called))["id"])
    run = start_run(caller(middle, inputs={}))
    for _ in range(2):
        worker.go()
        worker.run_node("call")

    cancel_run(run.id, reason="Enough.")

    assert [r.status for r in Run.objects.all()] == ["cancelled"] * 3
    for each_run in Run.objects.all():
        assert_consistent(each_run)


def test_a_workflow_that_nobody_waits_for_any_more_is_cancelled(
    start_run: Start, worker: HandWorker, called: str
) -> None:
    first = {"id": "first", "kind": "flow.join", "config": {"mode": "first"}}
    run = start_run(
        document([call(called), work("fast"), first], ["call -> first", "fast -> first"])
    )
    worker.go()
    worker.run_node("call")

    worker.complete({"fast": 1})

    assert child_of(run).status == "cancelled"
    assert statuses(run) == {"call": "cancelled", "fast": "succeeded", "first": "succeeded"}


def test_the_sweeper_answers_a_caller_whom_nobody_answered(
    start_run: Start, worker: HandWorker, called: str
) -> None:
    run = start_run(caller(called))
    worker.go()
    worker.run_node("call")
    worker.go()
    # The process dies between the commit and what follows it.
    finish([worker.completion("think", 1)], resolve=worker.resolve)
    assert (child_of(run).status, statuses(run)["call"]) == ("succeeded", "waiting")

    assert sweep(resolve=worker.resolve).answered == 1

    assert outputs(run) == {"end": {"greeting": "Hello Ann"}}


def test_the_sweeper_ends_runs_whose_caller_has_ended(
    start_run: Start, worker: HandWorker, called: str
) -> None:
    run = start_run(caller(called))
    worker.go()
    worker.run_node("call")
    Step.objects.filter(run=run).update(status="cancelled")
    Run.objects.filter(id=run.id).update(status="cancelled", open_steps=0)

    sweep()

    assert child_of(run).status == "cancelled"


def test_each_item_of_a_map_may_run_a_workflow(
    start_run: Start, worker: HandWorker, called: str
) -> None:
    inside = call(called, parent="each", inputs={"who": "{{ item }}"})
    run = start_run(
        document(
            [each(over=["Ann", "Bob"]), inside, give("end", "{{ nodes.each.output }}")],
            ["each -> end"],
        )
    )
    worker.go()
    worker.run_node("each[0]/call", "each[1]/call")

    worker.go()
    worker.complete_all(lambda _: 1)
    worker.go()

    for child in Run.objects.filter(parent_run=run):
        assert_consistent(child)

    greetings = [{"greeting": "Hello Ann"}, {"greeting": "Hello Bob"}]
    assert outputs(run) == {"end": greetings}


def test_a_retried_run_goes_on_with_the_workflow_that_had_failed(
    alice: Person, start_run: Start, worker: HandWorker, called: str
) -> None:
    run = start_run(caller(called))
    worker.go()
    worker.run_node("call")
    worker.go()
    worker.complete({"think": Failed("http_status", "The server answered 500.")})
    child = child_of(run)

    retry_run(run.id, workspace_id=alice.workspace.id)
    assert worker.go() == ["think"]
    worker.complete({"think": 1})
    worker.go()

    assert outputs(run) == {"end": {"greeting": "Hello Ann"}}
    assert child_of(run).id == child.id
    assert_consistent(run)


def test_a_workflow_runs_with_the_priority_of_its_caller(
    start_run: Start, worker: HandWorker, called: str
) -> None:
    run = start_run(caller(called), priority=7)
    worker.go()

    worker.run_node("call")

    assert child_of(run).priority == 7
