import random
from typing import Any

from backend.engine.document import Policy, Retry
from backend.engine.outcomes import Failed, Outcome, Parked, Succeeded
from backend.engine.plan import JoinRule, Key, Plan
from backend.engine.state import RunStatus, StepStatus
from backend.engine.step_state import StepState
from tests.unit.engine.plans import node, plan
from tests.unit.engine.simulation import START, Simulation, fail, succeed

DIAMOND = ["a -> b", "a -> c", "b -> d", "c -> d"]


def run(graph: Plan, outcomes: dict[str, Any] | None = None, *, seed: int = 1) -> Simulation:
    """Outcomes by node id; a list gives one for each attempt."""
    left = {name: list(o) if isinstance(o, list) else [o] for name, o in (outcomes or {}).items()}

    def outcome_of(step: StepState) -> Outcome:
        queue = left.get(graph.nodes[step.no].id)
        return succeed(step) if queue is None else queue.pop(0) if len(queue) > 1 else queue[0]

    return Simulation(graph, outcome_of, random.Random(seed)).run()


def statuses(simulation: Simulation) -> dict[str, str]:
    return {
        simulation.plan.nodes[step.no].id: step.status.value
        for step in simulation.steps.states.values()
    }


def test_a_node_starts_when_all_its_predecessors_have_ended() -> None:
    graph = plan([node("a"), node("b"), node("c"), node("d")], DIAMOND)

    simulation = run(graph)

    assert simulation.end is RunStatus.SUCCEEDED
    assert simulation.inputs_seen[Key(0, 3)] == {1: StepStatus.SUCCEEDED, 2: StepStatus.SUCCEEDED}


def test_a_branch_that_is_not_taken_is_skipped_to_its_end_and_the_join_ignores_it() -> None:
    graph = plan(
        [node("route"), node("yes"), node("no"), node("after_no"), node("join")],
        ["route:yes -> yes", "route:no -> no", "no -> after_no", "yes -> join", "after_no -> join"],
    )

    simulation = run(graph, {"route": Succeeded(1, ("yes",))})

    assert statuses(simulation) == {
        "route": "succeeded",
        "yes": "succeeded",
        "no": "skipped",
        "after_no": "skipped",
        "join": "succeeded",
    }


def test_a_join_of_any_fires_at_the_first_and_lets_the_others_run() -> None:
    graph = plan(
        [node("fast"), node("slow"), node("join", join=JoinRule("any"))],
        ["fast -> join", "slow -> join"],
    )

    simulation = run(graph)

    assert statuses(simulation) == {"fast": "succeeded", "slow": "succeeded", "join": "succeeded"}
    assert StepStatus.RUNNING in simulation.inputs_seen[Key(0, 2)].values()


def test_a_join_of_first_cancels_what_only_fed_it() -> None:
    graph = plan(
        [
            node("fast"),
            node("slow"),
            node("before_slow"),
            node("shared"),
            node("join", join=JoinRule("first")),
            node("other"),
        ],
        [
            "fast -> join",
            "before_slow -> join",
            "slow -> join",
            "shared -> join",
            "shared -> other",
        ],
    )
    simulation = Simulation(graph, succeed, random.Random(0))
    simulation.change(lambda p: p.begin())
    simulation.claim()

    simulation.change(lambda p: p.apply([(Key(0, 0), Succeeded("quick"))]))

    assert simulation.steps.at(1).status is StepStatus.CANCELLED
    assert simulation.steps.at(2).status is StepStatus.CANCELLED
    assert simulation.steps.at(3).status is StepStatus.RUNNING
    assert simulation.steps.at(4).status is StepStatus.READY
    assert "already has what it waited for" in str(simulation.steps.at(1).reason)


def test_a_join_of_n_that_too_few_can_still_reach_is_skipped_with_the_reason() -> None:
    graph = plan(
        [
            node("a"),
            node("b", policy=Policy(on_error="route")),
            node("join", join=JoinRule("n", 2)),
        ],
        ["a -> join", "b -> join"],
    )

    simulation = run(graph, {"b": fail()})

    assert statuses(simulation)["join"] == "skipped"
    assert simulation.steps.at(2).reason == (
        "It needs 2 of its branches, and only 1 can still arrive."
    )


def test_a_failure_ends_the_run_and_cancels_what_is_left() -> None:
    graph = plan([node("a"), node("b"), node("c")], ["a -> c"])

    simulation = run(graph, {"a": fail(), "b": [Succeeded(1)]}, seed=3)

    assert simulation.end is RunStatus.FAILED
    assert statuses(simulation)["a"] == "failed"
    assert statuses(simulation)["c"] == "cancelled"
    assert simulation.view.error == {
        "code": "broken",
        "message": "It broke.",
        "retryable": False,
        "node_id": "a",
    }


def test_a_node_that_continues_after_an_error_passes_none_on() -> None:
    graph = plan([node("a", policy=Policy(on_error="continue")), node("b")], ["a -> b"])

    simulation = run(graph, {"a": fail()})

    assert simulation.end is RunStatus.SUCCEEDED
    assert statuses(simulation) == {"a": "failed", "b": "succeeded"}


def test_a_node_that_routes_its_errors_takes_the_error_port_and_not_the_other() -> None:
    graph = plan(
        [node("a", policy=Policy(on_error="route")), node("good"), node("bad")],
        ["a -> good", "a:error -> bad"],
    )

    simulation = run(graph, {"a": fail()})

    assert statuses(simulation) == {"a": "failed", "good": "skipped", "bad": "succeeded"}


def test_a_retryable_failure_is_tried_again_up_to_the_policy() -> None:
    policy = Policy(retry=Retry(max_attempts=3, initial_s=0))
    graph = plan([node("a", policy=policy)], [])

    recovered = run(graph, {"a": [fail(retryable=True), fail(retryable=True), Succeeded(1)]})
    exhausted = run(graph, {"a": fail(retryable=True)})

    assert (recovered.end, recovered.steps.at(0).attempt) == (RunStatus.SUCCEEDED, 3)
    assert (exhausted.end, exhausted.steps.at(0).attempt) == (RunStatus.FAILED, 3)


def test_a_failure_that_is_not_retryable_is_not_tried_again() -> None:
    graph = plan([node("a", policy=Policy(retry=Retry(max_attempts=5)))], [])

    simulation = run(graph, {"a": fail()})

    assert simulation.steps.at(0).attempt == 1


def test_a_disabled_node_is_skipped_and_so_is_what_only_follows_it() -> None:
    graph = plan([node("a", disabled=True), node("b")], ["a -> b"])

    simulation = run(graph)

    assert statuses(simulation) == {"a": "skipped", "b": "skipped"}
    assert simulation.steps.at(0).reason == "The node is disabled."


def test_a_parked_step_waits_without_ending() -> None:
    graph = plan([node("wait"), node("after")], ["wait -> after"])
    simulation = Simulation(graph, succeed, random.Random(0))
    simulation.change(lambda p: p.begin())
    simulation.claim()

    simulation.change(lambda p: p.apply([(Key(0, 0), Parked(START))]))

    assert simulation.steps.at(0).status is StepStatus.WAITING
    assert simulation.steps.at(1).status is StepStatus.PENDING
    assert simulation.end is None


def test_cancelling_ends_every_open_step_and_names_those_that_run() -> None:
    graph = plan([node("a"), node("b")], ["a -> b"])
    simulation = Simulation(graph, succeed, random.Random(0))
    simulation.change(lambda p: p.begin())
    simulation.claim()

    simulation.change(lambda p: p.cancel("Enough."))

    assert simulation.end is RunStatus.CANCELLED
    assert statuses(simulation) == {"a": "cancelled", "b": "cancelled"}
    assert [step.no for step in simulation.draft.stopped] == [0]


def test_a_recount_mends_counters_and_goes_on() -> None:
    graph = plan([node("a"), node("b"), node("c")], ["a -> c", "b -> c"])
    simulation = Simulation(graph, succeed, random.Random(0), is_checked=False)
    simulation.change(lambda p: p.begin())
    for no in (0, 1):
        simulation.steps.at(no).status = StepStatus.SUCCEEDED
        simulation.steps.at(no).ports = ("out",)
    simulation.steps.at(2).pending = 7

    simulation.change(lambda p: p.recount())

    assert simulation.steps.at(2).status is StepStatus.READY
    assert (simulation.steps.at(2).pending, simulation.steps.at(2).taken) == (0, 2)


def test_a_plan_comes_back_from_json_unchanged() -> None:
    graph = plan(
        [node("a", policy=Policy(timeout_s=5)), node("b", join=JoinRule("n", 2), reads=(0,))],
        ["a:out -> b"],
    )

    assert Plan.from_json(graph.to_json()) == graph


def test_a_pass_offers_inline_steps_to_workers_when_they_cannot_be_computed_now() -> None:
    graph = plan([node("a"), node("b", inline=True)], ["a -> b"])
    simulation = Simulation(graph, succeed, random.Random(0), hesitates=1.0)
    simulation.change(lambda p: p.begin())
    simulation.claim()

    simulation.change(lambda p: p.apply([(Key(0, 0), Succeeded(1))]))

    assert simulation.steps.at(1).status is StepStatus.READY


def test_an_outcome_after_the_end_changes_nothing() -> None:
    graph = plan([node("a"), node("b")], [])
    simulation = Simulation(graph, succeed, random.Random(0))
    simulation.change(lambda p: p.begin())
    simulation.claim()

    simulation.change(
        lambda p: p.apply([(Key(0, 0), Failed("broken", "It broke.")), (Key(0, 1), Succeeded(1))])
    )

    assert statuses(simulation) == {"a": "failed", "b": "cancelled"}
