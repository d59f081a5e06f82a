"""Passes that go on with another graph than they began with."""

import random
from dataclasses import replace
from typing import Any

from backend.engine.advance import Pass
from backend.engine.outcomes import Outcome, Succeeded
from backend.engine.plan import JoinRule, Key, Plan, PlanEdge
from backend.engine.state import RunStatus, StepStatus
from backend.engine.step_state import StepState
from tests.unit.engine.disturbances import lose_a_worker
from tests.unit.engine.plans import node, plan
from tests.unit.engine.simulation import Simulation, succeed


def begun(graph: Plan, **more: Any) -> Simulation:
    simulation = Simulation(graph, succeed, random.Random(1), **more)
    simulation.change(Pass.begin)
    simulation.claim()
    return simulation


def complete(simulation: Simulation, **outcomes: Outcome | int) -> None:
    keys = {n.id: Key(0, n.no) for n in simulation.plan.nodes}
    found = [
        (keys[name], outcome if isinstance(outcome, Outcome) else Succeeded(outcome))
        for name, outcome in outcomes.items()
    ]
    simulation.change(lambda current: current.apply(found))


def complete_all(simulation: Simulation) -> None:
    simulation.claim()
    simulation.complete(simulation.having(StepStatus.RUNNING))


def change(simulation: Simulation, graph: Plan) -> None:
    simulation.change(lambda current: simulation.adopt(current, graph), Pass.follow)


def with_edges(graph: Plan, *edges: tuple[int, int]) -> Plan:
    return replace(graph, edges=tuple(PlanEdge(a, "out", b, "in") for a, b in edges))


def status(simulation: Simulation, no: int) -> StepStatus:
    return simulation.steps.at(no).status


def test_a_node_that_a_step_adds_behind_itself_starts_when_the_step_has_ended() -> None:
    graph = plan([node("a")], [])
    changed = plan([node("a"), node("b")], ["a -> b"])
    simulation = begun(graph, changed=lambda _: changed)

    complete(simulation, a=Succeeded(1, patch=({},)))

    assert status(simulation, 1) is StepStatus.READY
    assert simulation.open_steps == 1


def test_a_new_edge_from_what_ended_in_the_same_transaction_is_counted_once() -> None:
    graph = plan([node("a"), node("b"), node("c")], ["b -> c"])
    changed = with_edges(graph, (1, 2), (0, 2))
    simulation = begun(graph, changed=lambda _: changed)

    complete(simulation, a=1, b=Succeeded(2, patch=({},)))

    assert status(simulation, 2) is StepStatus.READY


def test_a_step_that_was_ready_waits_for_an_input_that_it_is_given() -> None:
    graph = plan([node("a"), node("b"), node("c")], ["b -> c"])
    simulation = begun(graph)
    complete(simulation, b=1)
    assert status(simulation, 2) is StepStatus.READY

    change(simulation, with_edges(graph, (1, 2), (0, 2)))
    assert status(simulation, 2) is StepStatus.PENDING

    complete(simulation, a=1)
    assert status(simulation, 2) is StepStatus.READY


def test_a_node_has_started_that_is_to_be_tried_again_or_was_held_with_its_worker() -> None:
    graph = plan([node("a"), node("b"), node("c")], ["a -> c"])
    simulation = begun(graph)
    lose_a_worker(simulation)
    assert [s.has_started for s in simulation.steps.states.values()] == [True, True, False]

    complete_all(simulation)
    simulation.change(lambda current: current.pause("Wait."))

    held = simulation.steps.at(2)
    assert (held.status, held.has_started) == (StepStatus.HELD, False)


def test_a_join_that_is_replaced_by_a_laxer_one_fires_at_once() -> None:
    graph = plan([node("a"), node("b"), node("c")], ["a -> c", "b -> c"])
    simulation = begun(graph)
    complete(simulation, a=1)
    assert status(simulation, 2) is StepStatus.PENDING

    laxer = replace(graph.nodes[2], join=JoinRule("any"))
    change(simulation, replace(graph, nodes=(*graph.nodes[:2], laxer)))

    assert status(simulation, 2) is StepStatus.READY


def test_a_step_that_was_ready_is_skipped_when_it_is_disabled() -> None:
    graph = plan([node("a"), node("b")], ["a -> b"])
    simulation = begun(graph)
    complete(simulation, a=1)

    off = replace(graph.nodes[1], disabled=True)
    change(simulation, replace(graph, nodes=(graph.nodes[0], off)))

    assert (status(simulation, 1), simulation.end) == (StepStatus.SKIPPED, RunStatus.SUCCEEDED)


def test_what_is_removed_ends_and_what_waited_for_it_goes_on() -> None:
    graph = plan([node("a"), node("b"), node("c")], ["a -> b", "b -> c", "a -> c"])
    simulation = begun(graph)

    gone = replace(graph.nodes[1], removed=True)
    change(
        simulation, with_edges(replace(graph, nodes=(graph.nodes[0], gone, graph.nodes[2])), (0, 2))
    )
    complete(simulation, a=1)

    assert (status(simulation, 1), status(simulation, 2)) == (
        StepStatus.CANCELLED,
        StepStatus.READY,
    )
    assert simulation.steps.at(1).reason == "A change of the graph removed it."


def test_a_step_whose_own_change_makes_it_unneeded_is_cancelled_once() -> None:
    graph = plan([node("a"), node("b")], [])
    join = replace(node("join", join=JoinRule("first")), no=2)
    changed = with_edges(replace(graph, nodes=(*graph.nodes, join)), (0, 2), (1, 2))
    simulation = begun(graph, changed=lambda _: changed)
    complete(simulation, a=1, b=Succeeded(2, patch=({},)))

    assert (status(simulation, 1), status(simulation, 2)) == (
        StepStatus.CANCELLED,
        StepStatus.READY,
    )


def test_what_was_computed_before_a_change_is_computed_anew() -> None:
    graph = plan([node("a"), node("b", inline=True), node("c", inline=True)], ["a -> b", "a -> c"])
    seen: list[Any] = []

    def outcome_of(step: StepState) -> Outcome:
        seen.append((step.path, simulation.plan.nodes[step.no].label))
        return Succeeded(1, patch=({},) if step.path == "b" else ())

    renamed = replace(graph.nodes[2], label="renamed")
    changed = replace(graph, nodes=(*graph.nodes[:2], renamed))
    simulation = Simulation(graph, outcome_of, random.Random(1), changed=lambda _: changed)
    simulation.run()

    assert seen == [("a", ""), ("b", ""), ("c", ""), ("c", "renamed")]
    assert simulation.steps.at(2).attempt == 1


def test_an_input_that_a_change_gives_to_what_was_to_be_computed_is_waited_for() -> None:
    nodes = [node("a"), node("slow"), node("b", inline=True), node("c", inline=True)]
    graph = plan(nodes, ["a -> b", "a -> c"])
    changed = with_edges(graph, (0, 2), (0, 3), (1, 3))

    def outcome_of(step: StepState) -> Outcome:
        return Succeeded(1, patch=({},) if step.path == "b" else ())

    simulation = Simulation(graph, outcome_of, random.Random(1), changed=lambda _: changed)
    simulation.change(Pass.begin)
    simulation.claim()
    complete(simulation, a=1)
    assert status(simulation, 3) is StepStatus.PENDING

    complete(simulation, slow=1)
    assert simulation.end is RunStatus.SUCCEEDED
