"""Answers what containers ask, as their settings say."""

from typing import TYPE_CHECKING, Any

from backend.engine.outcomes import Outcome
from backend.engine.plan import Key
from backend.engine.step_state import Computed, Task

if TYPE_CHECKING:
    from tests.unit.engine.simulation import Simulation


def answer(simulation: "Simulation", task: Task) -> Outcome | Computed | None:
    """A loop goes on for as many rounds as its `while` says; items give what their ends gave."""
    step = simulation.steps.get(task.key)
    assert step.progress is not None
    match task.what:
        case "while":
            rounds = simulation.plan.nodes[step.no].config["while"]
            return Computed(step.progress.begun < rounds)
        case "item" | "next" if task.scope is not None:
            return Computed(_given(simulation, task.key.no, task.scope))
        case "collect":
            return Computed(collected(simulation, task.key))
        case _:
            return Computed(step.progress.state)


def _given(simulation: "Simulation", container: int, scope: int) -> Any:
    outputs = simulation.draft.outputs
    ends = [Key(scope, no) for no in simulation.plan.ends_in(container)]
    values = [outputs.get(key, simulation.outputs.get(key)) for key in ends]
    return values[0] if len(values) == 1 else values


def collected(simulation: "Simulation", container: Key) -> list[Any]:
    """The results of a map, in the order of its items."""
    results = simulation.results | simulation.draft.results
    scopes = sorted(simulation.steps.scopes_of(container), key=lambda scope: scope.index)
    return [results[scope.no] for scope in scopes if scope.no in results]
