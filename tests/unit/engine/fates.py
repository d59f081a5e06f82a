"""What becomes of the steps of a run, by dice that fall alike for the same step."""

import random
from dataclasses import dataclass
from typing import Any

from backend.engine.outcomes import Called, Failed, Opened, Outcome, Parked, Stopped, Succeeded
from backend.engine.plan import Plan, PlanNode
from backend.engine.step_state import Computed, StepState, Task
from tests.unit.engine.plan_changes import changed_plan
from tests.unit.engine.settings_answers import answer
from tests.unit.engine.simulation import Simulation

OPERATIONS = ({"op": "whatever the test makes of it"},)


@dataclass(frozen=True)
class Fates:
    """How often what happens. The order in which steps end changes nothing."""

    seed: int
    failing: float = 0.1
    waiting: float = 0.1
    stopping: float = 0.0
    patching: float = 0.0
    #: How often a task is left to another process, or for later.
    hesitating: float = 0.0

    def outcome(self, node: PlanNode, step: StepState) -> Outcome:
        """How an attempt ends, or a wait."""
        dice = self._dice(f"{step.path} {step.failures} {step.parked_at is not None}")
        if dice.random() < self.failing:
            return Failed("broken", "It broke.", retryable=dice.random() < 0.5)
        if node.container is not None:
            return _opened(node, dice)
        if not node.inline and step.parked_at is None and dice.random() < self.waiting:
            waits: list[Outcome] = [Parked(), Parked(signal=True), Called("w", None, {})]
            return dice.choice(waits)
        if node.inline and dice.random() < self.stopping:
            return Stopped("enough", dice.choice([None, "Too much."]))
        patch = OPERATIONS if dice.random() < self.patching else ()
        ports = dice.sample(["out", "other"], dice.randint(1, 2))
        return Succeeded(step.path, tuple(ports), patch=patch)

    def answer(self, simulation: Simulation, task: Task) -> Outcome | Computed | None:
        """What a container's settings come to."""
        dice = self._dice(f"{simulation.steps.get(task.key).path} {task.what} {task.scope}")
        if dice.random() < self.failing / 2:
            return Failed("expression_failed", "It cannot be computed.")
        return answer(simulation, task)

    def _dice(self, what: str) -> random.Random:
        return random.Random(f"{self.seed} {what}")


def _opened(node: PlanNode, dice: random.Random) -> Opened:
    count = dice.randint(0, 5)
    if node.container is not None and node.container.mode == "map":
        return Opened(items=list(range(count)))
    if node.config:
        return Opened(times=dice.choice([None, count]), state=0)
    return Opened(times=count, items=dice.choice([None, ["a", "b"]]), state=0)


def simulate(plan: Plan, fates: Fates, *, order: int, **more: Any) -> Simulation:
    """Make a run of these fates, in an order by dice of its own."""
    simulation = Simulation(
        plan,
        lambda step: fates.outcome(simulation.plan.nodes[step.no], step),
        random.Random(order),
        answer_of=fates.answer,
        changed=changed_plan,
        hesitates=fates.hesitating,
        **more,
    )
    return simulation
