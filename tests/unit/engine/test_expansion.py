"""Maps and loops, one pass after another."""

import random
from functools import partial
from typing import Any

import pytest

from backend.engine.advance import Pass
from backend.engine.document import Policy
from backend.engine.outcomes import Opened, Outcome, Parked, Stopped, Succeeded
from backend.engine.plan import ContainerRule, JoinRule, Key, Plan
from backend.engine.state import RunStatus, StepStatus
from backend.engine.step_state import Computed, RunLimits, StepState
from tests.unit.engine.plans import node, plan
from tests.unit.engine.simulation import Simulation, fail


def each(name: str = "each", policy: Policy | None = None, **rule: Any) -> Any:
    return node(
        name,
        inline=True,
        container=ContainerRule(mode="map", **rule),
        policy=policy or Policy(),
    )


def loop(name: str = "loop", *, goes_on: int | None = None, **rule: Any) -> Any:
    config = {} if goes_on is None else {"while": goes_on}
    return node(name, inline=True, config=config, container=ContainerRule(mode="loop", **rule))


def simulate(graph: Plan, outcomes: dict[str, Any], *, seed: int = 1, **more: Any) -> Simulation:
    """Outcomes by path, or by node id; what has none gives its path."""

    def outcome_of(step: StepState) -> Outcome:
        name = step.path.rpartition("/")[2]
        found = outcomes.get(step.path, outcomes.get(name, Succeeded(step.path)))
        return found if isinstance(found, Outcome) else Succeeded(found)

    return Simulation(graph, outcome_of, random.Random(seed), **more)


def output(simulation: Simulation, no: int = 0) -> Any:
    return simulation.outputs[Key(0, no)]


OVER_FOUR = Opened(items=list("abcd"))


def test_the_results_of_a_map_are_in_the_order_of_its_items_whoever_ends_first() -> None:
    graph = plan([each(), node("work", parent=0)], [])

    for seed in range(5):
        simulation = simulate(graph, {"each": OVER_FOUR}, seed=seed).run()

        assert output(simulation) == [f"each[{i}]/work" for i in range(4)]


def test_a_map_over_nothing_gives_an_empty_list_at_once() -> None:
    graph = plan([each(), node("work", parent=0), node("after")], ["each -> after"])

    simulation = simulate(graph, {"each": Opened(items=[])}).run()

    assert output(simulation) == []
    assert simulation.steps.at(2).status is StepStatus.SUCCEEDED


def test_no_more_items_are_under_way_than_the_window_allows() -> None:
    graph = plan([each(window=2), node("work", parent=0)], [])
    simulation = simulate(graph, {"each": OVER_FOUR})

    simulation.change(Pass.begin)
    simulation.turn(1)
    assert [s.path for s in simulation.having(StepStatus.READY)] == ["each[0]/work", "each[1]/work"]

    simulation.turn(1)
    assert len(simulation.having(StepStatus.READY)) == 1


def test_an_item_goes_on_to_its_next_node_while_others_are_behind() -> None:
    graph = plan([each(), node("a", parent=0), node("b", parent=0)], ["a -> b"])
    simulation = simulate(graph, {"each": Opened(items=[1, 2])})
    simulation.change(Pass.begin)
    simulation.turn(1)
    simulation.claim()

    simulation.complete([simulation.steps.get(Key(1, 1))])

    assert simulation.steps.get(Key(1, 2)).status is StepStatus.READY
    assert simulation.steps.get(Key(2, 1)).status is StepStatus.RUNNING


@pytest.mark.parametrize(
    ("policy", "result"),
    [
        ("drop", ["each[0]/work", "each[2]/work", "each[3]/work"]),
        ("collect", ["each[0]/work", "broken", "each[2]/work", "each[3]/work"]),
    ],
)
def test_an_item_that_fails_is_dropped_or_told_as_the_map_says(
    policy: str, result: list[str]
) -> None:
    graph = plan([each(on_item_error=policy), node("work", parent=0)], [])

    simulation = simulate(graph, {"each": OVER_FOUR, "each[1]/work": fail()}).run()

    told = [v["error"]["code"] if isinstance(v, dict) else v for v in output(simulation)]
    assert told == result


def test_an_item_that_fails_fails_the_map_and_stops_the_other_items() -> None:
    graph = plan([each(), node("work", parent=0)], [])
    simulation = simulate(graph, {"each": OVER_FOUR, "each[1]/work": fail()})
    simulation.change(Pass.begin)
    simulation.turn(1)
    simulation.claim()

    simulation.complete([simulation.steps.get(Key(2, 1))])

    assert simulation.end is RunStatus.FAILED
    assert simulation.view.error is not None
    assert simulation.view.error["node_id"] == "work"
    assert len(simulation.draft.stopped) == 3


@pytest.mark.parametrize(
    ("rule", "ends"),
    [
        ({"max_failures": 2}, RunStatus.SUCCEEDED),
        ({"max_failures": 1}, RunStatus.FAILED),
        ({"max_failure_percent": 50.0}, RunStatus.SUCCEEDED),
        ({"max_failure_percent": 49.0}, RunStatus.FAILED),
    ],
)
def test_more_failures_than_are_allowed_fail_the_map(rule: Any, ends: RunStatus) -> None:
    graph = plan([each(on_item_error="drop", **rule), node("work", parent=0)], [])
    broken = {"each[1]/work": fail(), "each[3]/work": fail()}

    simulation = simulate(graph, {"each": OVER_FOUR, **broken}).run()

    assert simulation.end is ends
    if ends is RunStatus.FAILED:
        assert simulation.view.error is not None
        assert simulation.view.error["code"] == "too_many_items_failed"


def test_two_attempts_of_an_item_that_end_together_when_one_fails_it_count_once() -> None:
    inside = [node("bad", parent=0), node("good", parent=0)]
    graph = plan([each(on_item_error="drop"), *inside], [])
    simulation = simulate(graph, {"each": Opened(items=[1]), "bad": fail()})
    simulation.change(Pass.begin)
    simulation.turn(1)
    simulation.claim()

    simulation.complete([simulation.steps.get(Key(1, 1)), simulation.steps.get(Key(1, 2))])

    assert simulation.steps.get(Key(1, 2)).status is StepStatus.CANCELLED
    assert simulation.end is RunStatus.SUCCEEDED


def test_a_wait_inside_an_item_holds_up_no_other_item() -> None:
    graph = plan([each(), node("pause", parent=0), node("work", parent=0)], ["pause -> work"])
    simulation = simulate(graph, {"each": Opened(items=[1, 2]), "each[0]/pause": Parked()})
    simulation.change(Pass.begin)
    simulation.turn(1)
    simulation.claim()

    simulation.complete([simulation.steps.get(Key(1, 1)), simulation.steps.get(Key(2, 1))])

    assert simulation.steps.get(Key(1, 1)).status is StepStatus.WAITING
    assert simulation.steps.get(Key(2, 2)).status is StepStatus.READY


def test_a_map_over_more_items_than_are_allowed_fails_and_names_the_setting() -> None:
    graph = plan([each(), node("work", parent=0)], [])

    simulation = simulate(graph, {"each": OVER_FOUR}, limits=RunLimits(max_items=3)).run()

    assert simulation.end is RunStatus.FAILED
    assert simulation.view.error is not None
    assert "HEDDLE_MAX_MAP_ITEMS" in simulation.view.error["message"]


def test_a_map_that_would_make_too_many_steps_fails_and_what_follows_goes_on() -> None:
    goes_on = Policy(on_error="continue")
    graph = plan([each(policy=goes_on), node("work", parent=0), node("after")], ["each -> after"])

    simulation = simulate(graph, {"each": OVER_FOUR}, limits=RunLimits(max_steps=2)).run()

    assert "HEDDLE_MAX_RUN_STEPS" in str(simulation.steps.at(0).error)
    assert simulation.steps.at(2).status is StepStatus.SUCCEEDED


def test_what_a_pass_has_no_room_for_begins_in_the_next() -> None:
    graph = plan([each(), node("work", parent=0)], [])
    simulation = simulate(graph, {"each": OVER_FOUR}, room=3)
    simulation.change(Pass.begin)
    simulation.turn(1)
    assert (len(simulation.steps.scopes), simulation.unfinished) == (3, True)

    simulation.resume()

    assert (len(simulation.steps.scopes), simulation.unfinished) == (4, False)


def test_a_loop_carries_its_state_for_as_long_as_its_condition_holds() -> None:
    graph = plan([loop(goes_on=3), node("work", parent=0)], [])
    start = {"loop": Opened(state="first")}

    simulation = simulate(graph, start).run()

    assert [scope.state for scope in simulation.steps.scopes.values()] == [
        "first",
        "loop[0]/work",
        "loop[1]/work",
    ]
    assert output(simulation) == "loop[2]/work"


@pytest.mark.parametrize(
    ("opened", "rounds"),
    [
        (Opened(times=2), 2),
        (Opened(items=["a", "b", "c"]), 3),
        (Opened(items=["a", "b", "c"], times=1), 1),
        (Opened(times=0), 0),
    ],
)
def test_a_loop_that_is_counted_has_so_many_rounds(opened: Opened, rounds: int) -> None:
    graph = plan([loop(), node("work", parent=0)], [])

    simulation = simulate(graph, {"loop": opened}).run()

    assert (simulation.end, len(simulation.steps.scopes)) == (RunStatus.SUCCEEDED, rounds)


def test_a_loop_that_would_go_on_for_ever_fails_after_the_rounds_it_is_allowed() -> None:
    graph = plan([loop(goes_on=100, max_rounds=3), node("work", parent=0)], [])

    simulation = simulate(graph, {"loop": Opened()}).run()

    assert len(simulation.steps.scopes) == 3
    assert simulation.view.error is not None
    assert simulation.view.error["code"] == "too_many_rounds"


def test_a_failure_in_a_round_fails_the_loop() -> None:
    graph = plan([loop(goes_on=3), node("work", parent=0)], [])

    simulation = simulate(graph, {"loop": Opened(), "loop[1]/work": fail()}).run()

    assert simulation.end is RunStatus.FAILED
    assert len(simulation.steps.scopes) == 2


def test_maps_stand_in_maps_and_loops_in_them() -> None:
    inner = [
        node("inner", inline=True, parent=0, container=ContainerRule(mode="map", window=1)),
        node("again", inline=True, parent=1, container=ContainerRule(mode="loop")),
        node("work", parent=2),
    ]
    graph = plan([each(window=1), *inner], [])
    opened = {"each": Opened(items=[1, 2]), "inner": Opened(items=[1]), "again": Opened(times=2)}

    simulation = simulate(graph, opened).run()

    assert output(simulation) == [[f"each[{i}]/inner[0]/again[1]/work"] for i in range(2)]


def test_an_end_inside_an_item_ends_the_run_and_all_other_items() -> None:
    graph = plan([each(), node("stop", inline=True, parent=0)], [])
    stops = {"each": OVER_FOUR, "each[2]/stop": Stopped("enough")}

    simulation = simulate(graph, stops).run()

    assert simulation.end is RunStatus.SUCCEEDED
    assert simulation.steps.at(0).status is StepStatus.CANCELLED


def test_a_join_inside_an_item_cancels_feeders_of_that_item_alone() -> None:
    inside = [
        node("fast", parent=0),
        node("slow", parent=0),
        node("join", parent=0, join=JoinRule("first")),
    ]
    graph = plan([each(), *inside], ["fast -> join", "slow -> join"])
    simulation = simulate(graph, {"each": Opened(items=[1, 2])})
    simulation.change(Pass.begin)
    simulation.turn(1)
    simulation.claim()

    simulation.complete([simulation.steps.get(Key(1, 1))])

    assert simulation.steps.get(Key(1, 2)).status is StepStatus.CANCELLED
    assert simulation.steps.get(Key(2, 2)).status is StepStatus.RUNNING


def test_a_container_that_nobody_needs_ends_with_all_that_is_inside() -> None:
    fast, join = node("fast"), node("join", join=JoinRule("first"))
    graph = plan([each(), node("work", parent=0), fast, join], ["each -> join", "fast -> join"])
    simulation = simulate(graph, {"each": OVER_FOUR})
    simulation.change(Pass.begin)
    simulation.claim()
    simulation.complete([simulation.steps.at(0)])
    simulation.claim()

    simulation.complete([simulation.steps.at(2)])

    assert simulation.steps.at(0).status is StepStatus.CANCELLED
    assert {s.status for s in simulation.steps.scopes.values()} == {StepStatus.CANCELLED}
    assert len(simulation.draft.stopped) == 4


def test_a_retry_runs_the_items_again_that_had_failed_and_no_others() -> None:
    graph = plan([each(), node("work", parent=0)], [])
    outcomes: dict[str, Any] = {"each": OVER_FOUR, "each[1]/work": fail()}
    simulation = simulate(graph, outcomes)
    simulation.change(Pass.begin)
    simulation.turn(1)
    simulation.claim()
    for no in (1, 2):
        simulation.complete([simulation.steps.get(Key(no, 1))])

    del outcomes["each[1]/work"]
    simulation.retry()
    simulation.go_on()

    assert output(simulation) == [f"each[{i}]/work" for i in range(4)]
    assert [simulation.steps.get(Key(no, 1)).attempt for no in range(1, 5)] == [1, 2, 2, 2]


def test_a_retry_leaves_alone_what_a_join_did_not_need() -> None:
    nodes = [node("fast"), node("slow"), node("join", join=JoinRule("first")), node("bad")]
    graph = plan(nodes, ["fast -> join", "slow -> join", "join -> bad"])
    simulation = simulate(graph, {"bad": fail()})
    simulation.change(Pass.begin)
    simulation.claim()
    simulation.complete([simulation.steps.at(0)])
    simulation.go_on()

    simulation.retry()

    assert [s.path for s in simulation.having(StepStatus.READY)] == ["bad"]
    assert simulation.steps.at(1).status is StepStatus.CANCELLED


def test_a_condition_that_cannot_be_computed_here_is_computed_by_whoever_goes_on() -> None:
    graph = plan([loop(goes_on=2), node("work", parent=0)], [])
    simulation = simulate(graph, {"loop": Opened()})
    simulation.change(Pass.begin)
    simulation.claim()
    simulation.hesitates = 1.0
    simulation.change(partial(Pass.apply, outcomes=[(Key(0, 0), Opened())]))
    assert simulation.unfinished

    simulation.hesitates = 0.0
    simulation.resume()

    assert [s.path for s in simulation.having(StepStatus.READY)] == ["loop[0]/work"]


def test_an_answer_is_taken_only_while_it_is_asked_for() -> None:
    graph = plan([each(), node("work", parent=0)], [])
    simulation = simulate(graph, {"each": OVER_FOUR})
    asked: list[str] = []

    def answer_of(_: Simulation, task: Any) -> Computed:
        asked.append(task.what)
        return Computed(task.scope)

    simulation.answer_of = answer_of
    simulation.run(batch=4)

    assert sorted(asked) == ["collect", "item", "item", "item", "item"]
