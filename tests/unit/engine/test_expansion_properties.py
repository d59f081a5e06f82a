from hypothesis import given, settings
from hypothesis import strategies as st

from backend.engine.plan import Plan
from backend.engine.state import RunStatus, StepStatus
from backend.engine.step_state import RunLimits
from tests.unit.engine.disturbances import (
    cancel,
    change_the_graph,
    lose_a_worker,
    pause,
    repair,
    resume_run,
)
from tests.unit.engine.fates import Fates, simulate
from tests.unit.engine.invariants import assert_each_settled_once
from tests.unit.engine.nested_plans import nested_plans
from tests.unit.engine.plans import random_plans

SEEDS = st.integers(0, 2**32)
FEW = RunLimits(max_steps=150)


@settings(deadline=None, max_examples=150)
@given(nested_plans(), SEEDS, SEEDS, st.integers(1, 4))
def test_containers_end_whatever_their_items_do(
    plan: Plan, fate: int, order: int, batch: int
) -> None:
    simulation = simulate(plan, Fates(fate), order=order, limits=FEW).run(batch=batch)

    assert simulation.view.status is simulation.end
    assert_each_settled_once(simulation)


@settings(deadline=None, max_examples=150)
@given(nested_plans(), SEEDS, SEEDS, st.integers(1, 8))
def test_what_a_pass_leaves_is_done_by_later_ones(
    plan: Plan, fate: int, order: int, room: int
) -> None:
    fates = Fates(fate, failing=0.05, hesitating=0.3, stopping=0.02)

    simulation = simulate(plan, fates, order=order, limits=FEW, room=room).run(batch=3)

    assert_each_settled_once(simulation)


@settings(deadline=None, max_examples=150)
@given(nested_plans(), SEEDS, SEEDS)
def test_losses_pauses_repairs_and_cancels_leave_no_run_without_an_end(
    plan: Plan, fate: int, order: int
) -> None:
    fates = Fates(fate, failing=0.05, hesitating=0.1)
    simulation = simulate(plan, fates, order=order, limits=FEW, room=10)

    simulation.run(batch=3, disturbances=[lose_a_worker, pause, resume_run, repair, cancel])

    assert_each_settled_once(simulation)


@settings(deadline=None, max_examples=150)
@given(nested_plans() | random_plans(max_nodes=6), SEEDS, SEEDS)
def test_any_interleaving_of_patches_and_completions_leaves_a_valid_run(
    plan: Plan, fate: int, order: int
) -> None:
    fates = Fates(fate, failing=0.05, hesitating=0.1, patching=0.3)
    simulation = simulate(plan, fates, order=order, limits=FEW, room=10)

    simulation.run(batch=3, disturbances=[change_the_graph, lose_a_worker])

    assert_each_settled_once(simulation)


@settings(deadline=None, max_examples=150)
@given(nested_plans(), SEEDS, SEEDS)
def test_a_run_that_is_retried_goes_on_from_what_succeeded(
    plan: Plan, fate: int, order: int
) -> None:
    simulation = simulate(plan, Fates(fate, failing=0.2), order=order, limits=FEW)
    simulation.run(batch=3, disturbances=[cancel])
    done = {s.id: s.attempt for s in simulation.having(StepStatus.SUCCEEDED)}
    if simulation.end is RunStatus.SUCCEEDED:
        return

    better = Fates(fate, failing=0.0)
    simulation.outcome_of = lambda step: better.outcome(simulation.plan.nodes[step.no], step)
    simulation.answer_of = better.answer
    simulation.retry()
    simulation.go_on(batch=3)

    assert {s.id: s.attempt for s in simulation.steps.states.values() if s.id in done} == done
    assert_each_settled_once(simulation)


@settings(deadline=None, max_examples=30)
@given(nested_plans(), SEEDS, SEEDS)
def test_equal_inputs_give_equal_changes(plan: Plan, fate: int, order: int) -> None:
    fates = Fates(fate, hesitating=0.1, patching=0.1)
    one, other = (simulate(plan, fates, order=order, limits=FEW, room=10) for _ in range(2))

    one.run(batch=3, disturbances=[change_the_graph, cancel])
    other.run(batch=3, disturbances=[change_the_graph, cancel])

    assert one.log == other.log
    assert one.outputs == other.outputs
