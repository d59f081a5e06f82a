import random
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from backend.engine.events import STEP_STARTED, STEP_SUCCEEDED
from backend.engine.outcomes import Failed, Outcome, Succeeded
from backend.engine.plan import JoinRule, Plan
from backend.engine.state import RunStatus
from backend.engine.step_state import StepState
from tests.unit.engine.invariants import assert_each_settled_once
from tests.unit.engine.plans import random_plans
from tests.unit.engine.simulation import Simulation

SEEDS = st.integers(0, 2**32)


def fates(plan: Plan, seed: int) -> Callable[[StepState], Outcome]:
    """A fixed outcome for each node, whatever the order in which nodes end."""
    dice = random.Random(seed)
    outcomes: dict[int, Outcome] = {}
    for node in plan.nodes:
        ports = tuple(dice.sample(["out", "other"], dice.randint(1, 2)))
        failed = Failed("broken", "It broke.", retryable=dice.random() < 0.5)
        outcomes[node.no] = failed if dice.random() < 0.3 else Succeeded(node.no, ports)
    return lambda step: outcomes[step.no]


@settings(deadline=None)
@given(random_plans(), SEEDS, SEEDS, st.integers(1, 4))
def test_every_step_ends_once_and_is_told(plan: Plan, fate: int, order: int, batch: int) -> None:
    simulation = Simulation(plan, fates(plan, fate), random.Random(order)).run(batch=batch)

    assert simulation.end is simulation.view.status is RunStatus.SUCCEEDED
    assert all(step.status.is_final for step in simulation.steps.states.values())
    assert simulation.view.seq == len(simulation.log)
    assert_each_settled_once(simulation)


@settings(deadline=None)
@given(random_plans(joins=st.just(JoinRule())), SEEDS, SEEDS, SEEDS)
def test_the_order_of_completions_does_not_change_the_outcome(
    plan: Plan, fate: int, one: int, other: int
) -> None:
    first = Simulation(plan, fates(plan, fate), random.Random(one)).run()
    second = Simulation(plan, fates(plan, fate), random.Random(other)).run(batch=3)

    states = [(s.status, s.ports, s.failures) for s in first.steps.states.values()]
    assert states == [(s.status, s.ports, s.failures) for s in second.steps.states.values()]


@settings(deadline=None)
@given(random_plans(), SEEDS, SEEDS, st.integers(1, 4))
def test_a_success_comes_before_what_waited_for_it(
    plan: Plan, fate: int, order: int, batch: int
) -> None:
    simulation = Simulation(plan, fates(plan, fate), random.Random(order)).run(batch=batch)

    success = {event.node: event.seq for event in simulation.log if event.type == STEP_SUCCEEDED}
    started: dict[str | None, int] = {}
    for event in simulation.log:
        if event.type == STEP_STARTED:
            started.setdefault(event.node, event.seq)
    for edge in plan.edges:
        source, target = plan.nodes[edge.source].id, plan.nodes[edge.target].id
        is_all = plan.nodes[edge.target].join.mode == "all"
        if is_all and source in success and target in started:
            assert success[source] < started[target]


@settings(deadline=None)
@given(random_plans(), SEEDS, SEEDS)
def test_in_the_end_nobody_waits_for_anything(plan: Plan, fate: int, order: int) -> None:
    simulation = Simulation(plan, fates(plan, fate), random.Random(order)).run()

    assert {step.pending for step in simulation.steps.states.values()} == {0}
