"""What comes from outside while a run goes on: lost workers, people, changes of the graph."""

from backend.engine import events
from backend.engine.advance import Pass
from backend.engine.state import StepStatus
from tests.unit.engine.plan_changes import changed_plan
from tests.unit.engine.simulation import Simulation


def lose_a_worker(simulation: Simulation) -> None:
    """Give a step back that a worker had."""
    running = [s for s in simulation.having(StepStatus.RUNNING) if s.lease_id is not None]
    if not running:
        return
    step = simulation.dice.choice(running)

    def act(current: Pass) -> None:
        step.losses += 1
        current.note(events.STEP_LOST, step, {"losses": step.losses})
        current.offer_again(step)

    simulation.change(act)


def pause(simulation: Simulation) -> None:
    """Let nothing new start."""
    if not simulation.is_paused:
        simulation.change(lambda current: current.pause("Wait."))


def resume_run(simulation: Simulation) -> None:
    """Go on with a run that is paused."""
    if simulation.is_paused:
        simulation.resume_run()


def repair(simulation: Simulation) -> None:
    """Count anew what steps wait for, as the sweeper does; it must change nothing."""
    simulation.change(Pass.recount)


def cancel(simulation: Simulation) -> None:
    """End the run, now and then."""
    if simulation.dice.random() < 0.2:
        simulation.change(lambda current: current.cancel("Enough."))


def change_the_graph(simulation: Simulation) -> None:
    """A person changes the graph."""
    plan = changed_plan(simulation)
    simulation.change(lambda current: simulation.adopt(current, plan), Pass.follow)
