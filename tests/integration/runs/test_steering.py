"""What policies and people decide about steps and runs under way."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.db import connection

from backend.engine.outcomes import Failed
from backend.runs.models import Run, Step
from backend.runs.services.cancel import cancel_run
from backend.runs.services.retry import RunNotRetryable, retry_run
from backend.runs.services.steer import RunNotSteerable, decide_step, pause_run, resume_run
from backend.runs.services.sweep import sweep
from tests.integration.people import Person
from tests.integration.runs.hand_worker import (
    HandWorker,
    assert_consistent,
    document,
    each,
    error_of,
    expire,
    give,
    log_of,
    outputs,
    statuses,
    work,
)

Start = Callable[..., Run]
BROKEN = Failed("http_status", "The server answered 500.")


def lost(worker: HandWorker) -> None:
    """Let a worker die, and the sweeper find it."""
    expire(worker.session_id)
    sweep()


def one(policy: dict[str, Any]) -> dict[str, Any]:
    return document([work("a", policy=policy), give("end", "{{ nodes.a.output }}")], ["a -> end"])


def step_of(run: Run, path: str = "a") -> Step:
    return Step.objects.get(run=run, path=path)


def test_a_step_whose_worker_was_lost_is_held_if_its_policy_says_so(
    start_run: Start, worker: HandWorker, another_worker: HandWorker
) -> None:
    run = start_run(one({"on_lost": "hold"}))
    worker.go()
    lost(worker)

    step = step_of(run)
    assert (step.status, step.losses) == ("held", 1)
    assert "worker was lost" in step.reason
    assert another_worker.go() == []
    assert log_of(run)[-2:] == ["step.lost a", "step.held a"]
    assert_consistent(run)


@pytest.mark.parametrize(
    ("decision", "ends"), [("skip", {"end": None}), ("rerun", {"end": "again"}), ("fail", None)]
)
def test_a_person_decides_about_a_step_that_is_held(
    start_run: Start,
    worker: HandWorker,
    another_worker: HandWorker,
    decision: Any,
    ends: dict[str, Any] | None,
) -> None:
    run = start_run(one({"on_lost": "hold"}))
    worker.go()
    lost(worker)

    decide_step(step_of(run), decision=decision, by="Alice")
    another_worker.go()
    another_worker.complete_all(lambda _: "again")

    if ends is None:
        assert error_of(run)["code"] == "failed_by_person"
        assert "Alice" in error_of(run)["message"]
    else:
        assert outputs(run) == ends
    assert_consistent(run)


def test_there_is_nothing_to_decide_about_a_step_that_is_not_held(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(one({}))
    worker.go()

    with pytest.raises(RunNotSteerable):
        decide_step(step_of(run), decision="rerun", by="Alice")


def test_a_step_whose_worker_was_lost_fails_if_its_policy_says_so(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(one({"on_lost": "fail"}))
    worker.go()

    lost(worker)

    assert (error_of(run)["code"], error_of(run)["node_id"]) == ("worker_lost", "a")
    assert_consistent(run)


def test_a_step_whose_worker_was_lost_goes_on_by_its_error_port(
    start_run: Start, worker: HandWorker, another_worker: HandWorker
) -> None:
    graph = document(
        [work("a", policy={"on_lost": "fail", "on_error": "route"}), work("mend")],
        ["a:error -> mend"],
    )
    start_run(graph)
    worker.go()

    lost(worker)

    assert another_worker.go() == ["mend"]


def test_a_step_that_no_worker_takes_in_time_fails(start_run: Start, worker: HandWorker) -> None:
    run = start_run(one({"queue_timeout_s": 30}))
    assert sweep().queued_too_long == 0

    with connection.cursor() as cursor:
        cursor.execute("UPDATE runs_step SET queue_until = queue_until - interval '1 minute'")
    sweep()

    assert error_of(run)["code"] == "queue_timeout"
    assert "30 s" in error_of(run)["message"]
    assert worker.go() == []
    assert_consistent(run)


def test_a_step_waits_in_the_queue_anew_after_each_attempt(
    start_run: Start, worker: HandWorker
) -> None:
    policy = {"queue_timeout_s": 30, "retry": {"max_attempts": 2, "initial_s": 100, "max_s": 100}}
    run = start_run(one(policy))
    worker.go()
    assert step_of(run).queue_until is None

    worker.complete({"a": Failed("timeout", "No answer.", retryable=True)})

    step = step_of(run)
    assert step.queue_until is not None
    begins: datetime | None = step.not_before
    assert begins is not None
    assert (step.queue_until - begins).total_seconds() == 30


@pytest.mark.parametrize(("code", "status"), [("timeout", "ready"), ("http_status", "failed")])
def test_a_policy_may_name_the_errors_after_which_a_step_is_tried_again(
    start_run: Start, worker: HandWorker, code: str, status: str
) -> None:
    policy = {"retry": {"max_attempts": 2, "initial_s": 0, "on": ["timeout"]}}
    run = start_run(one(policy))
    worker.go()

    worker.complete({"a": Failed(code, "It broke.", retryable=True)}, go_on=False)

    assert statuses(run)["a"] == status


def test_a_servers_wish_puts_a_step_off(start_run: Start, worker: HandWorker) -> None:
    run = start_run(one({"retry": {"max_attempts": 2, "initial_s": 0}}))
    worker.go()

    failed = Failed("http_status", "Too many.", retryable=True, retry_after_s=600)
    finished = worker.complete({"a": failed})

    assert [round(timer.in_s, -1) for timer in finished.timers] == [600]
    assert worker.go() == []
    assert step_of(run).status == "ready"


def test_nothing_new_starts_in_a_run_that_is_paused_and_what_runs_goes_on(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(document([work("a"), work("b"), work("c")], ["a -> b"]))
    worker.slots = 1
    worker.go()

    pause_run(run.id, reason="Paused by Alice.")
    worker.complete_all(lambda _: 1)

    assert worker.go() == []
    run.refresh_from_db()
    assert run.status == "paused"
    assert sorted(statuses(run).values()) == ["held", "held", "succeeded"]
    assert_consistent(run)

    resume_run(run.id)
    worker.go()
    while worker.held:
        worker.complete_all(lambda _: 1)
        worker.go()

    run.refresh_from_db()
    assert run.status == "succeeded"
    assert [entry for entry in log_of(run) if "paused" in entry or "resumed" in entry] == [
        "run.paused",
        "run.resumed",
    ]


def test_a_run_is_paused_once_and_resumed_once(start_run: Start) -> None:
    run = start_run(one({}))
    with pytest.raises(RunNotSteerable):
        resume_run(run.id)
    pause_run(run.id, reason="Paused by Alice.")

    with pytest.raises(RunNotSteerable):
        pause_run(run.id, reason="Paused by Alice.")


def test_a_step_held_by_a_pause_is_not_decided_about(start_run: Start, worker: HandWorker) -> None:
    run = start_run(one({}))
    pause_run(run.id, reason="Paused by Alice.")

    with pytest.raises(RunNotSteerable, match="resume the run"):
        decide_step(step_of(run), decision="skip", by="Alice")


def test_a_paused_run_can_be_cancelled(start_run: Start, worker: HandWorker) -> None:
    run = start_run(one({}))
    worker.go()
    pause_run(run.id, reason="Paused by Alice.")

    cancel_run(run.id, reason="Enough.")

    run.refresh_from_db()
    assert run.status == "cancelled"
    assert_consistent(run)


def test_a_retried_run_repeats_nothing_that_succeeded(
    alice: Person, start_run: Start, worker: HandWorker
) -> None:
    nodes = [work("a"), work("b"), give("end", "{{ nodes.a.output }}{{ nodes.b.output }}")]
    run = start_run(document(nodes, ["a -> b", "b -> end"]))
    worker.go()
    worker.complete({"a": "A"})
    worker.complete({"b": BROKEN})
    assert error_of(run)

    retry_run(run.id, workspace_id=alice.workspace.id)
    assert worker.go() == ["b"]
    worker.complete({"b": "B"})

    assert outputs(run) == {"end": "AB"}
    assert (step_of(run, "a").attempt, step_of(run, "b").attempt) == (1, 2)
    run.refresh_from_db()
    assert (run.error, run.finished_at is not None) == (None, True)
    assert_consistent(run)


def test_a_retried_map_runs_only_the_items_that_had_not_succeeded(
    alice: Person, start_run: Start, worker: HandWorker
) -> None:
    graph = document(
        [each(over=3), work("call", parent="each"), give("end", "{{ nodes.each.output }}")],
        ["each -> end"],
    )
    run = start_run(graph)
    worker.go()
    worker.complete({"each[0]/call": "first"})
    worker.complete({"each[1]/call": BROKEN})
    worker.held.clear()

    retry_run(run.id, workspace_id=alice.workspace.id)
    assert worker.go() == ["each[1]/call", "each[2]/call"]
    assert_consistent(run)
    worker.complete_all(lambda path: path[5])

    assert outputs(run) == {"end": ["first", "1", "2"]}
    assert_consistent(run)


def test_a_cancelled_run_can_be_retried_and_one_that_runs_or_succeeded_cannot(
    alice: Person, start_run: Start, worker: HandWorker
) -> None:
    run = start_run(one({}))
    with pytest.raises(RunNotRetryable):
        retry_run(run.id, workspace_id=alice.workspace.id)
    cancel_run(run.id, reason="Enough.")

    retry_run(run.id, workspace_id=alice.workspace.id)
    worker.go()
    worker.complete({"a": 1})

    assert outputs(run) == {"end": 1}
    with pytest.raises(RunNotRetryable):
        retry_run(run.id, workspace_id=alice.workspace.id)


def test_what_was_dealt_with_is_not_tried_again_by_a_retry(
    alice: Person, start_run: Start, worker: HandWorker
) -> None:
    nodes = [work("a", policy={"on_error": "route"}), work("mend"), work("last")]
    run = start_run(document(nodes, ["a:error -> mend", "mend -> last"]))
    worker.go()
    worker.complete({"a": BROKEN})
    worker.complete({"mend": 1})
    worker.complete({"last": BROKEN})

    retry_run(run.id, workspace_id=alice.workspace.id)

    assert worker.go() == ["last"]
    assert statuses(run) == {"a": "failed", "mend": "succeeded", "last": "running"}


def test_a_completion_from_before_a_retry_is_refused(
    alice: Person, start_run: Start, worker: HandWorker
) -> None:
    run = start_run(document([work("a"), work("b")], []))
    worker.go()
    late = worker.completion("b", "too late")
    worker.complete({"a": BROKEN})

    retry_run(run.id, workspace_id=alice.workspace.id)
    finished = worker.finish([late])

    assert finished.fenced == [late]
    assert_consistent(run)
