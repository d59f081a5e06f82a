import random
from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from backend.engine.events import STEP_STARTED, STEP_SUCCEEDED
from backend.engine.outcomes import Failed, Outcome, Succeeded
from backend.engine.plan import JoinRule, Plan
from backend.engine.state import RunStatus, StepStatus
from tests.unit.engine.plans import random_plans
from tests.unit.engine.simulation import Simulation

SEEDS = st.integers(0, 2**32)


def fates(plan: Plan, seed: int, *, may_fail: bool = True) -> object:
    """A fixed outcome for each node, whatever the order in which nodes end."""
    dice = random.Random(seed)
    outcomes: dict[int, Outcome] = {}
    for node in plan.nodes:
        ports = tuple(dice.sample(["out", "other"], dice.randint(1, 2)))
        failed = Failed("broken", "It broke.", retryable=dice.random() < 0.5)
        fails = may_fail and dice.random() < 0.3
        outcomes[node.no] = failed if fails else Succeeded(node.no, ports)
    return outcomes.__getitem__


@given(random_plans(), SEEDS, SEEDS, st.integers(1, 4))
def test_every_step_ends_in_a_final_state(plan: Plan, fate: int, order: int, batch: int) -> None:
    simulation = Simulation(plan, fates(plan, fate), random.Random(order)).run(batch=batch)

    assert simulation.end is RunStatus.SUCCEEDED
    assert all(step.status.is_final for step in simulation.steps.states.values())
    assert simulation.open_steps == 0


@given(random_plans(joins=st.just(JoinRule())), SEEDS, SEEDS, SEEDS)
def test_the_order_of_completions_does_not_change_the_outcome(
    plan: Plan, fate: int, one: int, other: int
) -> None:
    first = Simulation(plan, fates(plan, fate), random.Random(one)).run()
    second = Simulation(plan, fates(plan, fate), random.Random(other)).run(batch=3)

    states = [(s.status, s.ports, s.failures) for s in first.steps.states.values()]
    assert states == [(s.status, s.ports, s.failures) for s in second.steps.states.values()]


@given(random_plans(), SEEDS, SEEDS, st.integers(1, 4))
def test_nothing_runs_before_its_inputs(plan: Plan, fate: int, order: int, batch: int) -> None:
    simulation = Simulation(plan, fates(plan, fate), random.Random(order)).run(batch=batch)

    for no, sources in simulation.inputs_seen.items():
        rule = plan.nodes[no].join
        if rule.mode == "all":
            assert all(status.is_final for status in sources.values())
        taken = sum(
            edge.source_port in simulation.steps.get(edge.source).ports
            for edge in plan.incoming[no]
            if sources[edge.source].is_final
        )
        assert not plan.incoming[no] or taken >= (1 if rule.mode == "all" else rule.needed)


@given(random_plans(), SEEDS, SEEDS, st.integers(1, 4))
def test_folding_the_events_gives_the_state(plan: Plan, fate: int, order: int, batch: int) -> None:
    simulation = Simulation(plan, fates(plan, fate), random.Random(order)).run(batch=batch)

    view = simulation.view()

    assert view.status is simulation.end
    assert view.seq == len(simulation.log)
    for step in simulation.steps.states.values():
        seen = view.steps[step.id]
        assert (seen.status, seen.ports, seen.finished_at) == (
            step.status,
            step.ports if step.status is not StepStatus.CANCELLED else (),
            step.finished_at,
        )


@given(random_plans(), SEEDS, SEEDS, st.integers(1, 4))
def test_each_step_succeeds_once_and_after_what_it_waited_for(
    plan: Plan, fate: int, order: int, batch: int
) -> None:
    simulation = Simulation(plan, fates(plan, fate), random.Random(order)).run(batch=batch)

    success: dict[str | None, int] = {}
    started: dict[str | None, int] = defaultdict(int)
    for event in simulation.log:
        if event.type == STEP_SUCCEEDED:
            assert event.step_id not in success
            success[event.step_id] = event.seq
        if event.type == STEP_STARTED:
            started.setdefault(event.step_id, event.seq)
    for edge in plan.edges:
        if plan.nodes[edge.target].join.mode == "all":
            source, target = f"step-{edge.source}", f"step-{edge.target}"
            if source in success and target in started:
                assert success[source] < started[target]


@given(random_plans(), SEEDS, SEEDS)
def test_counters_say_how_many_predecessors_are_left(plan: Plan, fate: int, order: int) -> None:
    simulation = Simulation(plan, fates(plan, fate), random.Random(order)).run()

    for step in simulation.steps.states.values():
        left = sum(
            not simulation.steps.get(edge.source).status.is_final for edge in plan.incoming[step.no]
        )
        assert step.pending == left == 0
