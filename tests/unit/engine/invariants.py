"""What must hold of a run after every pass."""

from collections import Counter
from typing import TYPE_CHECKING

from backend.engine import containers, events, schedule
from backend.engine.commands import Counters, Skip
from backend.engine.containers import Progress
from backend.engine.plan import Key
from backend.engine.state import StepStatus
from backend.engine.step_state import StepState
from tests.unit.engine.settings_answers import collected

if TYPE_CHECKING:
    from tests.unit.engine.simulation import Simulation

SETTLED = {
    events.STEP_SUCCEEDED,
    events.STEP_FAILED,
    events.STEP_SKIPPED,
    events.STEP_CANCELLED,
}


def assert_sound(simulation: "Simulation") -> None:
    """Check all of it."""
    assert_counted(simulation)
    for step in simulation.steps.states.values():
        assert_told(simulation, step)
        if simulation.end is None and step.status is StepStatus.PENDING:
            assert_waits(simulation, step)
        if step.progress is not None:
            assert_within_bounds(simulation, step, step.progress)


def assert_counted(simulation: "Simulation") -> None:
    """The run and its scopes know how many of their steps are open."""
    left = Counter(s.key.scope for s in simulation.steps.states.values() if not s.status.is_final)
    assert simulation.open_steps == left.total()
    assert simulation.made_steps == len(simulation.steps.states)
    assert simulation.end is None or simulation.open_steps == 0
    for scope in simulation.steps.scopes.values():
        assert scope.open == left[scope.no]
        assert scope.status is StepStatus.RUNNING or scope.open == 0
        container = simulation.steps.get(scope.container)
        assert container.status is StepStatus.RUNNING or scope.open == 0


def assert_told(simulation: "Simulation", step: StepState) -> None:
    """The events tell what is the case."""
    seen = simulation.view.steps.get(step.id)
    if seen is None:
        assert step.status is StepStatus.PENDING
        return
    assert (seen.status, seen.attempt, seen.path) == (step.status, step.attempt, step.path)
    if step.status.is_final:
        taken = () if step.status is StepStatus.CANCELLED else step.ports
        assert (seen.ports, seen.finished_at) == (taken, step.finished_at)
    if step.status in (StepStatus.SUCCEEDED, StepStatus.RUNNING) and step.progress is not None:
        assert seen.progress == step.progress.to_json()


def assert_waits(simulation: "Simulation", step: StepState) -> None:
    """A step that has not started counts its inputs rightly, and has something to wait for."""
    pending, taken = _inputs(simulation, step.key)
    assert (step.pending, step.taken) == (pending, taken)
    commands = list(
        schedule.unlock(simulation.plan, step.key, Counters(step.status, pending, taken))
    )
    # A join that wants more than there are is skipped once the first of them has ended.
    edges = len(simulation.plan.incoming[step.no])
    assert not commands or (isinstance(commands[0], Skip) and 0 < edges == pending)


def assert_may_start(simulation: "Simulation", key: Key) -> None:
    """A step starts when its join says so, and not before."""
    pending, taken = _inputs(simulation, key)
    if simulation.plan.incoming[key.no]:
        rule = simulation.plan.nodes[key.no].join
        assert taken >= rule.needed
        assert rule.mode != "all" or pending == 0


def assert_within_bounds(simulation: "Simulation", step: StepState, progress: Progress) -> None:
    """A container is never over its window, counts its items rightly, and is never idle."""
    rule = simulation.plan.nodes[step.no].container
    assert rule is not None
    scopes = simulation.steps.scopes_of(step.key)
    assert [scope.index for scope in scopes] == list(range(progress.begun))
    count = Counter(scope.status for scope in scopes)
    assert progress.done == count[StepStatus.SUCCEEDED]
    assert progress.failed == count[StepStatus.FAILED]
    window = rule.window if rule.mode == "map" else 1
    # A retry lets all items go on at once that had failed.
    assert count[StepStatus.RUNNING] <= window or simulation.was_retried
    if rule.mode == "map" and step.status is StepStatus.SUCCEEDED:
        assert progress.begun == progress.total
        kept = progress.failed if rule.on_item_error == "collect" else 0
        assert len(collected(simulation, step.key)) == progress.done + kept
    if simulation.end is None and step.status is StepStatus.RUNNING and not simulation.unfinished:
        assert count[StepStatus.RUNNING] > 0
        assert all(s.open > 0 for s in scopes if s.status is StepStatus.RUNNING)
        assert rule.mode == "loop" or containers.admits(rule, progress) == 0


def assert_each_settled_once(simulation: "Simulation") -> None:
    """No step ends twice, unless a retry has put it back to waiting."""
    ended: set[str | None] = set()
    for event in simulation.log:
        if event.type == events.STEP_REOPENED:
            ended.discard(event.step_id)
        if event.type in SETTLED:
            assert event.step_id not in ended
            ended.add(event.step_id)


def _inputs(simulation: "Simulation", key: Key) -> tuple[int, int]:
    """Incoming edges that are not settled, and those that were taken."""
    pending = taken = 0
    for edge in simulation.plan.incoming[key.no]:
        source = simulation.steps.get(Key(key.scope, edge.source))
        pending += not source.status.is_final
        went_on = source.status in (StepStatus.SUCCEEDED, StepStatus.FAILED)
        taken += went_on and edge.source_port in source.ports
    return pending, taken
