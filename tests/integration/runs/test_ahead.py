"""Runs in memory: what follows runs before it is stored, if nobody else moves the run."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.engine.outcomes import Failed, Parked, Succeeded
from backend.engine.plan import Key
from backend.runs.models import ItemScope, Run, Step
from backend.runs.patching import Author
from backend.runs.services.cancel import cancel_run
from backend.runs.services.change import change_graph
from backend.runs.services.sweep import sweep
from backend.runs.transaction import commit
from tests.integration.people import Person, create_workflow
from tests.integration.runs.ahead_worker import AheadWorker
from tests.integration.runs.hand_worker import (
    HandWorker,
    assert_consistent,
    document,
    each,
    expire,
    give,
    log_of,
    loop,
    outputs,
    statuses,
    work,
)
from workers.sandbox.evaluator import Evaluator

Start = Callable[..., Run]
CHAIN = document([work("a"), work("b"), work("c")], ["a -> b", "b -> c"])
#: Changes something outside: it must not start from what may be forgotten.
SEND = {
    "id": "send",
    "kind": "http.request",
    "config": {"method": "POST", "url": "https://example.org/{{ nodes.a.output }}"},
}


@pytest.fixture
def ahead(db: None, evaluator: Evaluator) -> AheadWorker:
    return AheadWorker(evaluator)


def test_what_follows_starts_before_it_is_stored(start_run: Start, ahead: AheadWorker) -> None:
    run = start_run(CHAIN)
    ahead.keep()

    advanced = ahead.go_ahead({"a": 1})

    assert [claimed.path for claimed in advanced.now] == ["b"]
    assert statuses(run) == {"a": "running", "b": "pending", "c": "pending"}
    assert ahead.commit()
    assert statuses(run) == {"a": "succeeded", "b": "running", "c": "pending"}
    assert_consistent(run)
    ahead.commit_all()


def test_passes_gather_while_the_first_is_being_stored(
    start_run: Start, ahead: AheadWorker
) -> None:
    run = start_run(CHAIN)
    ahead.keep()
    ahead.go_ahead({"a": 1})
    first = ahead.taken

    ahead.go_ahead({"b": 2})
    ahead.go_ahead({"c": 3})
    assert ahead.taken is first
    ahead.commit_all()

    run.refresh_from_db()
    assert run.status == "succeeded"
    assert log_of(run)[-1] == "run.succeeded"
    assert_consistent(run)


def test_what_changes_something_outside_waits_until_it_is_stored(
    start_run: Start, ahead: AheadWorker
) -> None:
    start_run(document([work("a"), SEND], ["a -> send"]))
    ahead.keep()

    advanced = ahead.go_ahead({"a": "x"})

    assert advanced.now == []
    [later] = advanced.later
    config = advanced.prepared[later.lease_id].config
    assert config is not None
    assert config.model_dump()["url"] == "https://example.org/x"


def test_a_run_that_somebody_else_has_moved_is_not_stored_and_its_claims_go_on(
    start_run: Start, ahead: AheadWorker
) -> None:
    run = start_run(document([work("a"), work("b")], ["a -> b"]))
    ahead.keep()
    ahead.go_ahead({"a": 1})
    change_graph(run.id, [add_node("new")], base=0, author=Author())
    before = log_of(run)

    assert not ahead.commit()
    assert log_of(run) == before
    finished = ahead.let_go()

    assert finished.fenced == []
    assert statuses(run) == {"a": "succeeded", "b": "running", "new": "ready"}
    assert log_of(run).count("step.started b") == 1
    assert_consistent(run)


def test_what_was_completed_ahead_of_a_claim_that_is_not_stored_is_forgotten(
    start_run: Start, ahead: AheadWorker
) -> None:
    run = start_run(CHAIN)
    ahead.keep()
    ahead.go_ahead({"a": 1})
    ahead.go_ahead({"b": "from nowhere"})
    change_graph(run.id, [add_node("new")], base=0, author=Author())

    assert not ahead.commit()
    finished = ahead.let_go()

    assert finished.fenced == []
    assert statuses(run)["b"] == "running"
    assert "step.succeeded b" not in log_of(run)
    assert_consistent(run)


def test_a_run_that_was_cancelled_meanwhile_stays_cancelled(
    start_run: Start, ahead: AheadWorker
) -> None:
    run = start_run(CHAIN)
    ahead.keep()
    cancel_run(run.id, reason="Enough.")

    ahead.go_ahead({"a": 1})

    assert not ahead.commit()
    assert len(ahead.let_go().fenced) == 1
    run.refresh_from_db()
    assert run.status == "cancelled"
    assert_consistent(run)


def test_a_worker_that_counts_as_dead_stores_nothing_any_more(
    start_run: Start, ahead: AheadWorker, another_worker: HandWorker
) -> None:
    run = start_run(CHAIN)
    ahead.keep()
    ahead.go_ahead({"a": "a zombie's"})
    expire(ahead.session_id)
    sweep()
    another_worker.go()

    assert not ahead.commit()
    another_worker.complete({"a": "alive"})

    assert Step.objects.get(run=run, path="a").output.value == "alive"
    assert_consistent(run)


def test_a_commit_whose_answer_was_lost_is_recognised_when_it_is_repeated(
    start_run: Start, ahead: AheadWorker
) -> None:
    run = start_run(CHAIN)
    ahead.keep()
    ahead.go_ahead({"a": 1})
    assert ahead.taken is not None
    commit([ahead.taken])
    before = log_of(run)

    good, announcement = commit([ahead.taken])

    assert good == [ahead.taken]
    assert [hint.run_id for hint in announcement.hints] == [run.id]
    assert log_of(run) == before
    assert ahead.commit()
    ahead.go_ahead({"b": 2})
    ahead.commit_all()
    assert_consistent(run)


def test_runs_are_stored_together_and_one_that_moved_keeps_no_other_from_it(
    start_run: Start, evaluator: Evaluator, ahead: AheadWorker
) -> None:
    other = AheadWorker(evaluator)
    one = start_run(CHAIN)
    ahead.keep()
    two = start_run(CHAIN)
    other.keep()
    ahead.go_ahead({"a": 1})
    other.go_ahead({"a": 1})
    cancel_run(one.id, reason="Enough.")
    assert ahead.taken is not None
    assert other.taken is not None

    good, _ = commit([ahead.taken, other.taken])

    assert good == [other.taken]
    assert statuses(one)["a"] == "cancelled"
    assert statuses(two)["a"] == "succeeded"
    assert_consistent(two)


def test_maps_and_loops_run_ahead(start_run: Start, ahead: AheadWorker) -> None:
    nodes = [
        each(over=3, concurrency=2),
        work("x", parent="each"),
        loop(times=2, state=0),
        work("y", parent="loop"),
        give("end", "{{ [nodes.each.output, nodes.loop.output] }}"),
    ]
    run = start_run(document(nodes, ["each -> loop", "loop -> end"]))
    ahead.keep()

    while ahead.held:
        path = next(iter(ahead.held))
        ahead.go_ahead({path: path})
        if len(ahead.held) % 2:
            assert ahead.commit()
    ahead.commit_all()

    assert outputs(run) == {"end": [[f"each[{i}]/x" for i in range(3)], "loop[1]/y"]}
    assert_consistent(run)


def test_items_that_have_ended_and_are_stored_leave_memory(
    start_run: Start, ahead: AheadWorker
) -> None:
    nodes = [each(over=60, concurrency=4), work("x", parent="each")]
    run = start_run(
        document([*nodes, give("end", "{{ sum(nodes.each.output) }}")], ["each -> end"])
    )
    ahead.keep()
    most = 0

    while ahead.held:
        ahead.go_ahead(dict.fromkeys(list(ahead.held), 1))
        most = max(most, len(list(ahead.run.steps.known())))
        assert ahead.commit()
    ahead.commit_all()

    assert most < 20
    assert outputs(run) == {"end": 60}
    assert ItemScope.objects.filter(run=run, status="succeeded").count() == 60


def test_failures_retries_and_waits_are_stored_as_they_were_in_memory(
    start_run: Start, ahead: AheadWorker
) -> None:
    again = {"retry": {"max_attempts": 2, "initial_s": 0}, "on_error": "route"}
    nodes = [work("a", policy=again), work("b"), work("good"), work("bad")]
    run = start_run(document(nodes, ["a -> good", "a:error -> bad"]))
    ahead.keep()

    ahead.go_ahead({"a": Failed("timeout", "No answer.", retryable=True)})
    assert "a" in ahead.held
    ahead.go_ahead({"a": Failed("timeout", "No answer.", retryable=True)})
    ahead.go_ahead({"b": Parked()})
    ahead.commit_all()

    assert statuses(run) == {"a": "failed", "b": "waiting", "good": "skipped", "bad": "running"}
    assert_consistent(run)


def test_a_wait_that_is_over_ends_in_memory(start_run: Start, ahead: AheadWorker) -> None:
    run = start_run(document([work("w")], []))
    ahead.keep()
    ahead.go_ahead({"w": Parked(ahead.run.now)})

    ahead.go_ahead({}, dues=(Key(0, 0),))
    ahead.commit_all()

    assert statuses(run) == {"w": "succeeded"}


def test_a_graph_that_changes_in_memory_is_stored_with_what_runs_in_it(
    start_run: Start, ahead: AheadWorker, another_worker: HandWorker
) -> None:
    run = start_run(document([work("a")], []))
    ahead.keep()
    edge = {"op": "add_edge", "edge": {"from": "a", "to": "new"}}

    ahead.go_ahead({"a": Succeeded(1, patch=[add_node("new"), edge])})
    assert list(ahead.held) == ["new"]
    ahead.go_ahead({"new": Succeeded(2, patch=[add_node("newer")])})
    ahead.commit_all()

    run.refresh_from_db()
    assert run.plan_version == 2
    assert statuses(run) == {"a": "succeeded", "new": "succeeded", "newer": "running"}
    assert_consistent(run)
    expire(ahead.session_id)
    sweep()
    assert another_worker.go() == ["newer"]


def test_a_workflow_that_is_called_ahead_starts_when_the_call_is_stored(
    alice: Person, start_run: Start, ahead: AheadWorker
) -> None:
    called = str(create_workflow(alice, document([give("x", 7)], []))["id"])
    call = {"id": "call", "kind": "flow.workflow", "config": {"workflow": called}}
    end = give("end", "{{ nodes.call.output }}")
    run = start_run(document([call, end], ["call -> end"]))
    ahead.keep()

    ahead.go_ahead({"call": ahead.outcome_of("call")})
    assert Run.objects.count() == 1
    assert ahead.commit()

    assert Run.objects.get(parent_run=run).status == "queued"
    ahead.go()
    assert outputs(run) == {"end": {"x": 7}}


def test_what_a_process_has_no_slot_for_is_left_to_others(
    start_run: Start, ahead: AheadWorker, another_worker: HandWorker
) -> None:
    run = start_run(document([work("a"), work("b"), work("c")], ["a -> b", "a -> c"]))
    ahead.slots = 1
    ahead.keep()

    advanced = ahead.go_ahead({"a": 1})

    assert (len(advanced.now), advanced.stays) == (1, False)
    ahead.commit_all()
    assert len(another_worker.go()) == 1
    assert_consistent(run)


def test_a_completion_that_comes_twice_changes_nothing_the_second_time(
    start_run: Start, ahead: AheadWorker
) -> None:
    start_run(CHAIN)
    ahead.keep()
    claimed = ahead.held["a"]
    ahead.go_ahead({"a": 1})
    before = ahead.run.seq

    ahead.held["a"] = claimed
    advanced = ahead.go_ahead({"a": 2})

    assert len(advanced.fenced) == 1
    assert ahead.run.seq == before
    ahead.commit_all()


def add_node(name: str) -> dict[str, Any]:
    return {"op": "add_node", "node": work(name)}
