from collections.abc import Callable

import pytest

from backend.engine.outcomes import Failed, Succeeded
from backend.runs.models import Run, Step
from backend.runs.services.cancel import RunNotCancellable, cancel_run
from tests.integration.runs.hand_worker import (
    HandWorker,
    assert_consistent,
    document,
    log_of,
    statuses,
    work,
)

Start = Callable[..., Run]
DIAMOND = document(
    [
        {"id": "start", "kind": "io.input"},
        work("left"),
        work("right"),
        {"id": "both", "kind": "flow.join"},
        {
            "id": "text",
            "kind": "data.template",
            "config": {"text": "{{ nodes.both.output.left }} and {{ nodes.right.output }}"},
        },
        {"id": "end", "kind": "io.output", "config": {"value": "{{ nodes.text.output }}"}},
    ],
    [
        "start -> left",
        "start -> right",
        "left -> both",
        "right -> both",
        "both -> text",
        "text -> end",
    ],
)


def test_a_run_goes_from_its_inputs_to_its_outputs(start_run: Start, worker: HandWorker) -> None:
    run = start_run(DIAMOND)
    assert worker.begin() == ["left", "right"]

    worker.complete({"left": "L"})
    assert statuses(run)["both"] == "pending"
    worker.complete({"right": "R"})

    run.refresh_from_db()
    assert run.status == "succeeded"
    assert Step.objects.get(run=run, path="end").output.value == "L and R"
    assert log_of(run)[-1] == "run.succeeded"
    assert_consistent(run)


def test_completions_of_one_transaction_are_read_by_the_steps_that_they_unlock(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(DIAMOND)
    worker.begin()

    worker.complete({"left": "L", "right": "R"})

    assert Step.objects.get(run=run, path="end").output.value == "L and R"
    assert_consistent(run)


def test_the_log_tells_everything_in_order(start_run: Start, worker: HandWorker) -> None:
    run = start_run(document([work("a"), work("b")], ["a -> b"]))
    worker.pull()
    worker.complete({"a": 1})
    worker.complete({"b": 2})

    assert log_of(run) == [
        "run.created",
        "step.ready a",
        "run.started",
        "step.started a",
        "step.succeeded a",
        "step.ready b",
        "step.started b",
        "step.succeeded b",
        "run.succeeded",
    ]


def test_a_completion_claims_what_it_unlocks_for_the_same_process(
    start_run: Start, worker: HandWorker
) -> None:
    start_run(document([work("a"), work("b"), work("c")], ["a -> b", "a -> c"]))
    worker.pull()

    finished = worker.complete({"a": 1})

    assert sorted(c.path for c in finished.claimed) == ["b", "c"]
    assert finished.announcement.lanes == set()


def test_what_a_process_has_no_room_for_is_rung_for_others(
    start_run: Start, worker: HandWorker, another_worker: HandWorker
) -> None:
    start_run(document([work("a"), work("b"), work("c")], ["a -> b", "a -> c"]))
    worker.slots = 1
    worker.pull()

    finished = worker.complete({"a": 1})

    assert len(finished.claimed) == 1
    assert finished.announcement.lanes == {"io"}
    assert len(another_worker.pull()) == 1


def test_two_workers_never_claim_the_same_step(
    start_run: Start, worker: HandWorker, another_worker: HandWorker
) -> None:
    start_run(document([work(f"n{i}") for i in range(10)], []))
    worker.slots = 6

    claimed = worker.pull() + another_worker.pull()

    assert sorted(claimed) == sorted(f"n{i}" for i in range(10))


def test_a_completion_under_an_old_lease_is_dropped(start_run: Start, worker: HandWorker) -> None:
    run = start_run(document([work("a")], []))
    worker.pull()
    stale = worker.completion("a", "from a worker that was thought dead")
    Step.objects.filter(run=run).update(lease_id="00000000-0000-0000-0000-000000000001")

    finished = worker.finish([stale])

    assert finished.fenced == [stale]
    assert statuses(run) == {"a": "running"}
    assert_consistent(run)


def test_completing_twice_changes_nothing_the_second_time(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(document([work("a"), work("b")], ["a -> b"]))
    worker.pull()
    completion = worker.completion("a", 1)
    worker.finish([completion])
    before = log_of(run)

    again = worker.finish([completion])

    assert again.fenced == [completion]
    assert again.claimed == []
    assert log_of(run) == before
    assert_consistent(run)


def test_a_cancelled_run_refuses_what_was_still_running(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(document([work("a"), work("b")], ["a -> b"]))
    worker.pull()

    cancel_run(run.id, reason="Cancelled by Alice.")
    finished = worker.complete({"a": "too late"})

    assert len(finished.fenced) == 1
    assert statuses(run) == {"a": "cancelled", "b": "cancelled"}
    assert log_of(run)[-3:] == ["step.cancelled a", "step.cancelled b", "run.cancelled"]
    assert_consistent(run)


def test_a_run_that_has_ended_cannot_be_cancelled(start_run: Start, worker: HandWorker) -> None:
    run = start_run(document([work("a")], []))
    worker.pull()
    worker.complete({"a": 1})

    with pytest.raises(RunNotCancellable):
        cancel_run(run.id, reason="Cancelled by Alice.")


def test_a_failure_names_the_node_and_cancels_what_is_left(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(document([work("a"), work("b"), work("c")], ["a -> c"]))
    worker.pull()

    worker.complete({"a": Failed("http_status", "The server answered 500.")})

    run.refresh_from_db()
    assert run.status == "failed"
    assert run.error == {
        "code": "http_status",
        "message": "The server answered 500.",
        "retryable": False,
        "node_id": "a",
    }
    assert statuses(run) == {"a": "failed", "b": "cancelled", "c": "cancelled"}
    assert_consistent(run)


def test_a_retry_waits_for_its_time_and_then_runs_as_the_next_attempt(
    start_run: Start, worker: HandWorker
) -> None:
    policy = {"retry": {"max_attempts": 2, "initial_s": 3600, "max_s": 3600}}
    run = start_run(document([work("a", policy=policy)], []))
    worker.pull()
    finished = worker.complete({"a": Failed("timeout", "No answer.", retryable=True)})
    assert [timer.parked for timer in finished.timers] == [False]
    assert worker.pull() == []

    Step.objects.filter(run=run).update(not_before=None)
    worker.pull()
    worker.complete({"a": 1})

    step = Step.objects.get(run=run)
    assert (step.status, step.attempt, step.failures) == ("succeeded", 2, 1)
    assert_consistent(run)


def test_an_error_port_carries_the_error_to_the_next_node(
    start_run: Start, worker: HandWorker
) -> None:
    graph = document(
        [
            work("a", policy={"on_error": "route"}),
            {
                "id": "tell",
                "kind": "data.set",
                "config": {"values": {"why": "{{ nodes.a.output.code }}"}},
            },
        ],
        ["a:error -> tell"],
    )
    run = start_run(graph)
    worker.pull()

    worker.complete({"a": Failed("http_status", "The server answered 500.")})

    assert Step.objects.get(run=run, path="tell").output.value == {"why": "http_status"}
    run.refresh_from_db()
    assert run.status == "succeeded"


def test_a_large_result_is_kept_outside_of_its_row_and_read_back(
    start_run: Start, worker: HandWorker
) -> None:
    graph = document(
        [
            work("a"),
            {
                "id": "size",
                "kind": "data.template",
                "config": {"text": "{{ len(nodes.a.output) }}"},
            },
        ],
        ["a -> size"],
    )
    run = start_run(graph)
    worker.pull()

    worker.complete({"a": "x" * 100_000}, go_on=False)

    output = Step.objects.get(run=run, path="a").output
    assert (output.value, output.size, len(output.digest)) == (None, 100_002, 64)
    assert output.preview.startswith("xxx")
    assert Step.objects.get(run=run, path="size").output.value == "100000"


def test_urgent_steps_are_claimed_first(start_run: Start, worker: HandWorker) -> None:
    start_run(document([work("short"), work("long"), work("end")], ["long -> end"]))
    worker.slots = 1

    assert worker.pull() == ["long"]


def test_a_run_of_higher_priority_is_served_first(start_run: Start, worker: HandWorker) -> None:
    start_run(document([work("ordinary"), work("more")], ["ordinary -> more"]))
    start_run(document([work("urgent")], []), priority=5)
    worker.slots = 1

    assert worker.pull() == ["urgent"]


def test_succeeding_with_ports_skips_the_branch_that_was_not_taken(
    start_run: Start, worker: HandWorker
) -> None:
    branch = {"cases": [{"port": "yes", "when": "nodes.a.output > 1"}], "default": "no"}
    graph = document(
        [work("a"), {"id": "route", "kind": "flow.branch", "config": branch}, work("y"), work("n")],
        ["a -> route", "route:yes -> y", "route:no -> n"],
    )
    run = start_run(graph)
    worker.pull()

    worker.complete({"a": Succeeded(2)})

    assert statuses(run) == {"a": "succeeded", "route": "succeeded", "y": "running", "n": "skipped"}
    assert_consistent(run)
