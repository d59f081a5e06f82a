"""Runs plans in memory: scheduling passes with dictionaries for rows and dice for workers."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from backend.engine import events
from backend.engine.advance import Pass
from backend.engine.events import Event, RunView, fold
from backend.engine.outcomes import Failed, Outcome, Succeeded
from backend.engine.plan import Key, Plan
from backend.engine.state import RunStatus, StepStatus
from backend.engine.step_state import (
    Computed,
    Draft,
    EventDraft,
    Means,
    RunLimits,
    Standing,
    StepState,
    Task,
)
from tests.unit.engine.invariants import assert_may_start, assert_sound
from tests.unit.engine.memory_steps import MemorySteps
from tests.unit.engine.settings_answers import answer

START = datetime(2026, 1, 1, tzinfo=UTC)
#: More than any run of a test needs.
MOST_TURNS = 20_000

Answer = Outcome | Computed | None
Disturbance = Callable[["Simulation"], None]


@dataclass
class Simulation:
    """One run, driven to its end by outcomes that `outcome_of` chooses for each step.

    After every pass the invariants are checked.
    """

    plan: Plan
    outcome_of: Callable[[StepState], Outcome]
    dice: random.Random
    #: Answers what is no node; by default what the settings say.
    answer_of: "Callable[[Simulation, Task], Answer]" = answer
    #: How a plan is changed by a step that asks for it.
    changed: "Callable[[Simulation], Plan] | None" = None
    #: How often a task is left to another process, or for later.
    hesitates: float = 0.0
    #: Off for a run that a test has damaged.
    is_checked: bool = True
    room: int = 2000
    limits: RunLimits = field(default_factory=RunLimits)
    log: list[Event] = field(default_factory=list)
    view: RunView = field(default_factory=RunView)
    end: RunStatus | None = None
    is_paused: bool = False
    was_retried: bool = False
    unfinished: bool = False
    outputs: dict[Key, Any] = field(default_factory=dict)
    results: dict[int, Any] = field(default_factory=dict)
    draft: Draft = field(default_factory=Draft)
    #: The statuses of the steps before, when a step was started.
    inputs_seen: dict[Key, dict[int, StepStatus]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.steps = MemorySteps(self.plan)
        self.now = START
        self.open_steps = self.made_steps = len(self.steps.states)
        created = {step.path: step.id for step in self.steps.states.values()}
        self._append([EventDraft(events.RUN_CREATED, START, data={"steps": created})])

    # -- to the end -------------------------------------------------------------------------------

    def run(self, *, batch: int = 1, disturbances: Sequence[Disturbance] = ()) -> "Simulation":
        """Go on in a random order, completing at most `batch` steps at once, until the end."""
        self.change(Pass.begin)
        return self.go_on(batch=batch, disturbances=disturbances)

    def go_on(self, *, batch: int = 1, disturbances: Sequence[Disturbance] = ()) -> "Simulation":
        for _ in range(MOST_TURNS):
            for disturb in disturbances:
                if self.end is None and self.dice.random() < 0.1:
                    disturb(self)
            if self.end is not None:
                return self
            self.turn(batch)
        raise AssertionError("the run does not end")

    def turn(self, batch: int) -> None:
        """Do one of the things that may happen next."""
        self.claim()
        running = [s for s in self.having(StepStatus.RUNNING) if s.progress is None]
        waiting = self.having(StepStatus.WAITING)
        ways: list[Callable[[], None]] = []
        if running:
            ways.append(lambda: self.complete(self._some(running, batch)))
        if waiting:
            ways.append(lambda: self.complete(self._some(waiting, 1)))
        if self.unfinished:
            ways.append(self.resume)
        if self.is_paused:
            ways.append(self.resume_run)
        assert ways, "nothing runs, and the run has not ended"
        self.dice.choice(ways)()

    # -- what may happen --------------------------------------------------------------------------

    def claim(self) -> None:
        """Give every step that is ready to a worker."""
        for step in self.having(StepStatus.READY):
            self._observe(step.key)
            step.status = StepStatus.RUNNING
            step.attempt += 1
            step.lease_id = f"lease-{step.id}-{step.attempt}"
            step.not_before = None
            self._append([EventDraft(events.STEP_STARTED, self.now, step.key, step.attempt)])

    def complete(self, steps: Sequence[StepState]) -> None:
        """End attempts, or waits, of these steps in one pass."""
        outcomes = [(step.key, self.outcome_of(step)) for step in steps]
        self.change(partial(Pass.apply, outcomes=outcomes))

    def resume(self) -> None:
        """Go on with what passes have left."""
        self.unfinished = False
        self.change(Pass.resume)

    def resume_run(self) -> None:
        self.change(Pass.resume_run, Pass.follow)

    def retry(self) -> None:
        """Let a run that failed or was cancelled go on from what succeeded."""
        self.end = None
        self.was_retried = True
        self._append([EventDraft(events.RUN_RETRIED, self.now)])
        self.change(Pass.reopen)

    def having(self, status: StepStatus) -> list[StepState]:
        """Steps with this status."""
        return [step for step in self.steps.states.values() if step.status is status]

    def change(self, *acts: Callable[[Pass], object]) -> Pass:
        """Make a pass, and keep what it came to."""
        self.now += timedelta(milliseconds=1)
        self.draft = Draft()
        current = self._pass()
        for act in acts:
            act(current)
        self._take(current)
        if self.is_checked:
            assert_sound(self)
        return current

    # -- the shell --------------------------------------------------------------------------------

    def _pass(self) -> Pass:
        return Pass(
            self.plan,
            self.steps,
            self.draft,
            standing=Standing(
                now=self.now,
                open_steps=self.open_steps,
                made_steps=self.made_steps,
                is_paused=self.is_paused,
            ),
            means=Means(
                compute=self._compute,
                uniform=self.dice.uniform,
                new_id=lambda: f"run-{len(self.log)}",
                patch=self._patch,
                limits=self.limits,
                room=self.room,
            ),
        )

    def _take(self, done: Pass) -> None:
        self.open_steps, self.made_steps = done.open_steps, done.made_steps
        self.is_paused = done.is_paused
        self.unfinished = done.end is None and (self.unfinished or done.unfinished)
        self.outputs |= self.draft.outputs
        self.results |= self.draft.results
        self._append(self.draft.events)
        for step in self.draft.moved.values():
            if step.status is StepStatus.RUNNING and step.progress is not None:
                data = step.progress.to_json()
                self._append(
                    [EventDraft(events.STEP_PROGRESS, self.now, step.key, step.attempt, data)]
                )
        if done.end is not None:
            self.end = done.end.status
            data = {"error": done.end.error}
            self._append([EventDraft(f"run.{self.end.value}", self.now, data=data)])

    def _compute(self, tasks: Sequence[Task]) -> list[Answer]:
        hesitate = [self.dice.random() < self.hesitates for _ in tasks]
        return [
            None if hesitates else self._answer(task)
            for task, hesitates in zip(tasks, hesitate, strict=True)
        ]

    def _answer(self, task: Task) -> Answer:
        if task.what != "node":
            return self.answer_of(self, task)
        self._observe(task.key)
        return self.outcome_of(self.steps.get(task.key))

    def _patch(self, current: Pass, key: Key, operations: object) -> Failed | None:
        del operations
        if self.changed is None:
            return Failed("bad_patch", "It cannot be changed.")
        self.adopt(current, self.changed(self), by=key)
        return None

    def adopt(self, current: Pass, plan: Plan, *, by: Key | None = None) -> None:
        """Go on with another plan."""
        self.plan = plan
        place = len(self.draft.events)
        added, removed = current.adopt(plan)
        data = {"added": added, "removed": removed, "by": by and self.steps.get(by).id}
        self.draft.events.insert(place, EventDraft(events.PLAN_PATCHED, self.now, data=data))

    def _observe(self, key: Key) -> None:
        assert_may_start(self, key)
        sources = {edge.source for edge in self.plan.incoming[key.no]}
        self.inputs_seen[key] = {
            no: self.steps.get(Key(key.scope, no)).status for no in sorted(sources)
        }

    def _some(self, steps: Sequence[StepState], most: int) -> list[StepState]:
        return self.dice.sample(steps, self.dice.randint(1, min(most, len(steps))))

    def _append(self, drafts: Sequence[EventDraft]) -> None:
        new = [self._event(number, draft) for number, draft in enumerate(drafts, len(self.log) + 1)]
        self.log.extend(new)
        self.view = fold(new, self.view)

    def _event(self, seq: int, draft: EventDraft) -> Event:
        step = self.steps.get(draft.key) if draft.key is not None else None
        return Event(
            seq=seq,
            type=draft.type,
            at=draft.at,
            step_id=step.id if step else None,
            node=self.plan.nodes[step.no].id if step else None,
            path=step.path if step else None,
            attempt=draft.attempt,
            data=draft.data,
        )


def succeed(_: StepState) -> Outcome:
    return Succeeded("done")


def fail(*, retryable: bool = False) -> Outcome:
    return Failed("broken", "It broke.", retryable=retryable)
