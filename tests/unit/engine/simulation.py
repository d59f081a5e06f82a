"""Runs plans in memory: the scheduling pass with dictionaries for rows and dice for workers."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from backend.engine import events
from backend.engine.advance import EventDraft, Pass, StepState
from backend.engine.events import Event, RunView, fold
from backend.engine.outcomes import Failed, Outcome, Succeeded
from backend.engine.plan import Plan
from backend.engine.state import RunStatus, StepStatus

START = datetime(2026, 1, 1, tzinfo=UTC)


class MemorySteps:
    """The steps of one run in a dictionary."""

    def __init__(self, plan: Plan) -> None:
        self.states = {
            node.no: StepState(
                id=f"step-{node.no}", no=node.no, path=node.id, pending=len(plan.incoming[node.no])
            )
            for node in plan.nodes
        }

    def get(self, no: int) -> StepState:
        return self.states[no]

    def prefetch(self, numbers: Iterable[int]) -> None:
        assert all(no in self.states for no in numbers)

    def open(self) -> list[StepState]:
        return [step for step in self.states.values() if not step.status.is_final]


@dataclass
class Simulation:
    """One run, driven to its end by outcomes that `outcome_of` chooses for each node."""

    plan: Plan
    outcome_of: Any
    dice: random.Random
    log: list[Event] = field(default_factory=list)
    end: RunStatus | None = None
    inputs_seen: dict[int, dict[int, StepStatus]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.steps = MemorySteps(self.plan)
        self.now = START
        self.open_steps = len(self.plan.nodes)
        created = {node.id: f"step-{node.no}" for node in self.plan.nodes}
        self._append([EventDraft(events.RUN_CREATED, data={"steps": created})])

    def run(self, *, batch: int = 1) -> "Simulation":
        """Complete running steps, `batch` at a time and in random order, until nothing is left."""
        self._change(Pass.begin)
        while self.end is None:
            self._claim()
            running = [s for s in self.steps.states.values() if s.status is StepStatus.RUNNING]
            assert running, "nothing runs and the run has not ended"
            chosen = self.dice.sample(running, min(batch, len(running)))
            outcomes = [(step.no, self.outcome_of(step.no)) for step in chosen]
            self._change(partial(Pass.apply, outcomes=outcomes))
        return self

    def view(self) -> RunView:
        return fold(self.log)

    def _claim(self) -> None:
        for step in self.steps.states.values():
            if step.status is StepStatus.READY:
                step.status = StepStatus.RUNNING
                step.attempt += 1
                step.not_before = None
                self._observe(step.no)
                self._append([EventDraft(events.STEP_STARTED, step.no, step.attempt)])

    def _observe(self, no: int) -> None:
        sources = {edge.source for edge in self.plan.incoming[no]}
        self.inputs_seen[no] = {source: self.steps.get(source).status for source in sources}

    def _inline(self, numbers: Sequence[int]) -> list[Outcome | None]:
        for no in numbers:
            self._observe(no)
        return [self.outcome_of(no) for no in numbers]

    def _change(self, act: Any) -> None:
        self.now += timedelta(milliseconds=1)
        pass_ = Pass(
            self.plan,
            self.steps,
            open_steps=self.open_steps,
            now=self.now,
            evaluate=self._inline,
            uniform=self.dice.uniform,
        )
        act(pass_)
        self.open_steps = pass_.open_steps
        self._append(pass_.events)
        if pass_.end is not None:
            self.end = pass_.end.status
            self._append([EventDraft(f"run.{self.end.value}", data={"error": pass_.end.error})])

    def _append(self, drafts: Sequence[EventDraft]) -> None:
        for draft in drafts:
            step = self.steps.get(draft.no) if draft.no is not None else None
            self.log.append(
                Event(
                    seq=len(self.log) + 1,
                    type=draft.type,
                    at=self.now,
                    step_id=step.id if step else None,
                    node=self.plan.nodes[step.no].id if step else None,
                    path=step.path if step else None,
                    attempt=draft.attempt,
                    data=draft.data,
                )
            )


def succeed(_: int) -> Outcome:
    return Succeeded("done")


def fail(*, retryable: bool = False) -> Outcome:
    return Failed("broken", "It broke.", retryable=retryable)
