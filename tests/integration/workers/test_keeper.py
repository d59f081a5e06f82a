"""The keeper of runs in memory, turn by turn of its loop, on real tables."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from backend.engine.outcomes import Failed, Parked
from backend.engine.plan import Key
from backend.runs.models import Run
from backend.runs.patching import Author
from backend.runs.services import ahead
from backend.runs.services.cancel import cancel_run
from backend.runs.services.change import change_graph
from backend.runs.services.finish import Timer
from backend.runs.taken import Taken
from backend.runs.transaction import commit
from tests.integration.runs.hand_worker import (
    assert_consistent,
    document,
    each,
    give,
    log_of,
    outputs,
    statuses,
    work,
)
from tests.integration.workers.keeper_scene import Scene
from workers import keeper
from workers.sandbox.evaluator import Evaluator

Start = Callable[..., Run]
CHAIN = document([work("a"), work("b"), work("c")], ["a -> b", "b -> c"])
SEND = {
    "id": "send",
    "kind": "http.request",
    "config": {"method": "POST", "url": "https://example.org/"},
}


@pytest.fixture
def scene(db: None, evaluator: Evaluator) -> Iterator[Scene]:
    scene = Scene(evaluator)
    yield scene
    scene.close()


def disturb(run: Run) -> None:
    """Somebody else moves a run."""
    run.refresh_from_db()
    operation = {"op": "add_node", "node": work(f"new{run.plan_version}")}
    change_graph(run.id, [operation], base=run.plan_version, author=Author())


def test_what_follows_starts_before_it_is_stored_and_is_known_when_it_is(
    scene: Scene, start_run: Start
) -> None:
    run = start_run(CHAIN)
    scene.database.may_commit = False
    scene.pull()

    scene.end({"a": 1})
    scene.until(lambda: scene.paths == ["b"])
    assert statuses(run)["a"] == "running"
    assert len(scene.attempts.unstored) == 1

    scene.database.may_commit = True
    scene.until(lambda: not scene.attempts.unstored)
    assert statuses(run) == {"a": "succeeded", "b": "running", "c": "pending"}
    assert scene.attempts.ended == set()
    assert_consistent(run)


def test_what_changes_something_outside_starts_when_it_is_stored(
    scene: Scene, start_run: Start
) -> None:
    run = start_run(document([work("a"), SEND], ["a -> send"]))
    scene.database.may_commit = False
    scene.pull()

    scene.end({"a": 1})
    scene.until(lambda: "commit" in scene.database.names)
    assert scene.attempts.launched == ["a"]

    scene.database.may_commit = True
    scene.until(lambda: scene.paths == ["send"])
    assert statuses(run)["send"] == "running"
    assert scene.attempts.unstored == set()


def test_a_run_goes_to_its_end_in_memory_and_leaves_it(scene: Scene, start_run: Start) -> None:
    nodes = [each(over=3), work("x", parent="each"), give("end", "{{ nodes.each.output }}")]
    run = start_run(document(nodes, ["each -> end"]))
    scene.pull()
    assert scene.keeper.runs == [run.id]

    for path in scene.paths:
        scene.end({path: path})
    scene.until(lambda: not scene.keeper.runs)

    assert outputs(run) == {"end": [f"each[{i}]/x" for i in range(3)]}
    assert scene.announced[-1].ended == [run.id]
    assert_consistent(run)


def test_completions_that_come_while_a_commit_is_under_way_are_stored_together(
    scene: Scene, start_run: Start
) -> None:
    run = start_run(CHAIN)
    scene.database.may_commit = False
    scene.pull()
    for path in "abc":
        scene.until(lambda: scene.paths == [path])  # noqa: B023 - called at once
        scene.end({path: path})
    scene.until(lambda: scene.database.names.count("advance") == 3)

    scene.database.may_commit = True
    scene.until(lambda: not scene.keeper.runs)

    assert scene.database.names.count("commit") == 2
    assert log_of(run)[-1] == "run.succeeded"
    assert_consistent(run)


def test_if_somebody_else_moved_the_run_what_ran_ahead_stops_and_claims_go_on(
    scene: Scene, start_run: Start
) -> None:
    run = start_run(CHAIN)
    scene.database.may_commit = False
    scene.pull()
    scene.end({"a": 1})
    scene.until(lambda: scene.paths == ["b"])
    disturb(run)

    scene.database.may_commit = True
    scene.until(lambda: not scene.keeper.runs)

    assert scene.attempts.stopped == ["b"]
    assert scene.complete_resubmitted() == []
    assert scene.paths == ["b"]
    assert log_of(run).count("step.started b") == 1
    assert_consistent(run)


def test_what_ended_ahead_of_a_claim_that_was_not_stored_is_forgotten(
    scene: Scene, start_run: Start
) -> None:
    run = start_run(CHAIN)
    scene.database.may_commit = False
    scene.pull()
    scene.end({"a": 1})
    scene.until(lambda: scene.paths == ["b"])
    scene.end({"b": 2})
    scene.until(lambda: scene.paths == ["c"])
    disturb(run)

    scene.database.may_commit = True
    scene.until(lambda: not scene.keeper.runs)

    assert [completion.key.no for completion in scene.resubmitted] == [0]
    assert scene.attempts.stopped == ["c"]
    scene.complete_resubmitted()
    assert scene.paths == ["b"]
    assert scene.attempts.ended == set()
    assert_consistent(run)


def test_a_run_that_is_shared_is_not_kept_again_at_once(
    scene: Scene, start_run: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = start_run(document([work("a"), work("b")], []))
    scene.slots = 1
    scene.pull()
    disturb(run)
    scene.end(dict.fromkeys(scene.paths, 1))
    scene.until(lambda: scene.resubmitted)
    scene.complete_resubmitted()
    scene.attempts.running.clear()

    scene.pull()
    assert scene.keeper.runs == []

    monkeypatch.setattr(keeper, "SHARED_S", 0.0)
    scene.keeper._shared.clear()
    scene.attempts.running.clear()
    scene.slots = 10
    scene.pull()
    assert scene.keeper.runs == [run.id]


def test_a_commit_whose_answer_was_lost_is_recognised(scene: Scene, start_run: Start) -> None:
    run = start_run(CHAIN)

    def twice(taken: list[Taken]) -> Any:
        commit(taken)
        return commit(taken)

    scene.database.commit = twice
    scene.pull()
    for path in "abc":
        scene.until(lambda: scene.paths == [path])  # noqa: B023 - called at once
        scene.end({path: path})
    scene.until(lambda: not scene.keeper.runs)

    assert (scene.attempts.stopped, scene.resubmitted) == ([], [])
    assert log_of(run)[-1] == "run.succeeded"
    assert_consistent(run)


def test_a_run_that_cannot_be_stored_keeps_no_other_from_it(scene: Scene, start_run: Start) -> None:
    poison, sound = start_run(document([work("bad")], [])), start_run(document([work("good")], []))

    def refuse_poison(taken: list[Taken]) -> Any:
        if any(one.live.row.id == poison.id for one in taken):
            raise ValueError("it cannot be written")
        return commit(taken)

    scene.database.commit = refuse_poison
    scene.database.may_commit = False
    scene.pull()
    scene.end({"bad": 1, "good": 1})
    scene.until(lambda: scene.database.names.count("advance") == 2)
    scene.database.may_commit = True
    scene.until(lambda: not scene.keeper.runs)

    assert statuses(sound) == {"good": "succeeded"}
    assert [completion.run_id for completion in scene.resubmitted] == [poison.id]
    scene.complete_resubmitted()
    assert statuses(poison) == {"bad": "succeeded"}


def test_a_pass_that_breaks_lets_the_run_go_and_repeats_what_was_complete(
    scene: Scene, start_run: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = start_run(CHAIN)
    scene.pull()

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("read too late")

    monkeypatch.setattr(ahead, "apply", broken)
    scene.end({"a": 1})
    scene.until(lambda: not scene.keeper.runs)

    assert len(scene.resubmitted) == 1
    assert scene.complete_resubmitted() == []
    assert statuses(run)["a"] == "succeeded"


def test_a_run_that_ended_elsewhere_is_dropped_with_what_runs_for_it(
    scene: Scene, start_run: Start
) -> None:
    run = start_run(document([work("a"), work("b")], []))
    scene.pull()
    cancel_run(run.id, reason="Enough.")

    scene.do(lambda: scene.keeper.drop([run.id]))

    assert scene.keeper.runs == []
    assert sorted(scene.attempts.stopped) == ["a", "b"]
    assert scene.resubmitted == []


def test_a_run_that_is_dropped_while_it_is_being_stored_gives_back_what_it_claimed(
    scene: Scene, start_run: Start
) -> None:
    run = start_run(CHAIN)
    scene.database.may_commit = False
    scene.pull()
    scene.end({"a": 1})
    scene.until(lambda: scene.paths == ["b"])
    scene.until(lambda: "commit" in scene.database.names)

    scene.do(lambda: scene.keeper.drop([run.id]))
    scene.database.may_commit = True
    scene.until(lambda: "release" in scene.database.names)

    assert statuses(run) == {"a": "succeeded", "b": "ready", "c": "pending"}
    assert scene.attempts.ended == set()
    assert_consistent(run)


def test_a_wait_ends_in_memory_when_its_time_has_come(scene: Scene, start_run: Start) -> None:
    start_run(document([work("a"), work("w"), work("next")], ["w -> next"]))
    scene.pull()
    live = scene.keeper._kept[scene.keeper.runs[0]].live
    scene.end({"w": Parked(live.now)})
    scene.until(lambda: scene.timers)

    assert scene.do(lambda: scene.keeper.due(scene.timers[0]))
    scene.until(lambda: "next" in scene.paths)


def test_a_step_is_tried_again_in_memory_when_its_time_has_come(
    scene: Scene, start_run: Start
) -> None:
    policy = {"retry": {"max_attempts": 2, "initial_s": 0.001, "max_s": 0.001}}
    run = start_run(document([work("a"), work("again", policy=policy)], []))
    scene.pull()
    scene.end({"again": Failed("timeout", "No answer.", retryable=True)})
    scene.until(lambda: scene.timers)
    time.sleep(max(0.0, scene.timers[0].in_s))

    assert scene.do(lambda: scene.keeper.due(scene.timers[0]))
    scene.until(lambda: scene.paths == ["a", "again"])
    scene.until(lambda: statuses(run)["again"] == "running")


def test_a_timer_of_a_run_that_is_not_kept_is_for_others(scene: Scene, start_run: Start) -> None:
    run = start_run(CHAIN)

    assert not scene.keeper.due(Timer(run_id=run.id, key=Key(0, 0), in_s=0.0, parked=True))


def test_what_waits_in_a_run_that_is_let_go_is_seen_to_all_the_same(
    scene: Scene, start_run: Start
) -> None:
    run = start_run(document([work("a"), work("w")], []))
    scene.database.may_commit = False
    scene.pull()
    scene.end({"a": 1})
    scene.until(lambda: "commit" in scene.database.names)
    timer = Timer(run_id=run.id, key=Key(0, 1), in_s=0.0, parked=True)
    disturb(run)
    kept = scene.keeper._kept[run.id]
    kept.is_busy = True
    scene.do(lambda: scene.keeper.due(timer))

    scene.database.may_commit = True
    scene.until(lambda: not scene.keeper.runs)

    assert [(t.run_id, t.key) for t in scene.timers] == [(run.id, Key(0, 1))]


def test_a_run_with_more_ready_steps_than_slots_is_given_to_others_too(
    scene: Scene, start_run: Start
) -> None:
    run = start_run(document([work("a"), work("b"), work("c")], ["a -> b", "a -> c"]))
    scene.slots = 1
    scene.pull()
    assert scene.keeper.runs == [run.id]

    scene.end({"a": 1})
    scene.until(lambda: not scene.keeper.runs)

    assert len(scene.paths) == 1
    assert sorted(statuses(run).values()) == ["ready", "running", "succeeded"]
    assert scene.announced[-1].lanes == {"io"}


def test_a_pass_that_had_no_room_goes_on_when_it_is_stored(scene: Scene, start_run: Start) -> None:
    same = {
        "id": "x",
        "kind": "data.set",
        "parent": "each",
        "config": {"values": {"n": "{{ item }}"}},
    }
    nodes = [each(over=4500, concurrency=1000), same, give("end", "{{ len(nodes.each.output) }}")]
    run = start_run(document([work("a"), *nodes], ["a -> each", "each -> end"]))
    scene.pull()

    scene.end({"a": 1})
    scene.until(lambda: not scene.keeper.runs)

    assert scene.database.names.count("commit") > 1
    assert outputs(run) == {"end": 4500}
    assert_consistent(run)
