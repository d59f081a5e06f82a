"""One scheduling pass over a run: outcomes go in, changes come out. Pure: a shell stores them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol, assert_never

from backend.engine import events, schedule
from backend.engine.commands import (
    Cancel,
    Command,
    Counters,
    Evaluate,
    MakeReady,
    SetCounters,
    Settled,
    Skip,
)
from backend.engine.outcomes import Failed, Outcome, Parked, Succeeded
from backend.engine.plan import Plan
from backend.engine.retry import GiveUp, TryAgain, after_failure
from backend.engine.state import RunStatus, StepStatus

RUN_FAILED = "The run failed."


@dataclass(slots=True)
class StepState:
    """A step's row inside a pass. The pass changes it; the shell stores what changed."""

    id: str
    no: int
    path: str
    status: StepStatus = StepStatus.PENDING
    pending: int = 0
    taken: int = 0
    attempt: int = 0
    failures: int = 0
    losses: int = 0
    lease_id: str | None = None
    session_id: str | None = None
    ready_at: datetime | None = None
    not_before: datetime | None = None
    waiting_until: datetime | None = None
    parked_at: datetime | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    ports: tuple[str, ...] = ()
    error: Mapping[str, Any] | None = None
    usage: Mapping[str, Any] | None = None
    reason: str | None = None


class Steps(Protocol):
    """Where a pass finds the steps of its run; for one step it is always the same object."""

    def get(self, no: int) -> StepState:
        """The step with this number."""
        ...

    def prefetch(self, numbers: Iterable[int]) -> None:
        """Say which steps will be asked for, so that they are read at once."""
        ...

    def open(self) -> Iterable[StepState]:
        """Every step that is not final."""
        ...


@dataclass(frozen=True)
class EventDraft:
    """An event that has no sequence number yet; `no` is the step's number, if it is about one."""

    type: str
    no: int | None = None
    attempt: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RunEnd:
    """How the run ended."""

    status: RunStatus
    error: Mapping[str, Any] | None = None
    reason: str = ""


#: Computes inline steps: an outcome for each number, or None for those that a worker shall run.
EvaluateInline = Callable[[Sequence[int]], Sequence[Outcome | None]]
#: Reads the output of a step that succeeded.
OutputOf = Callable[[int], Any]


class Pass:
    """Applies outcomes to one run and follows their consequences until nothing moves.

    The order is fixed: outcomes in the order given, then settled steps level by level, inline
    steps of a level together. Equal inputs give equal changes.
    """

    def __init__(
        self,
        plan: Plan,
        steps: Steps,
        *,
        open_steps: int,
        now: datetime,
        evaluate: EvaluateInline,
        uniform: Callable[[float, float], float],
    ) -> None:
        self.plan = plan
        self.steps = steps
        self.open_steps = open_steps
        self.now = now
        self._evaluate = evaluate
        self._uniform = uniform
        #: What the shell must store.
        self.changed: dict[int, StepState] = {}
        self.events: list[EventDraft] = []
        self.outputs: dict[int, Any] = {}
        self.ready: list[int] = []
        #: Steps that were running elsewhere and must be stopped there.
        self.stopped: list[StepState] = []
        self.end: RunEnd | None = None
        self._frontier: list[Settled] = []
        self._inline: list[int] = []

    def begin(self) -> None:
        """Start the run's first steps. Inline ones are offered to workers like all others."""
        for command in schedule.begin(self.plan):
            self._carry_out(MakeReady(command.no) if isinstance(command, Evaluate) else command)
        self._follow()

    def apply(self, outcomes: Sequence[tuple[int, Outcome]]) -> None:
        """Take the outcomes of steps (by number) and follow what they unlock."""
        self.steps.prefetch(self.plan.inline_reach([no for no, _ in outcomes]))
        for no, outcome in outcomes:
            self._record(self.steps.get(no), outcome)
        self._follow()

    def cancel(self, reason: str) -> None:
        """End the run as cancelled."""
        self.finish(RunEnd(RunStatus.CANCELLED, reason=reason), reason)

    def finish(self, end: RunEnd, reason: str) -> None:
        """End the run now; what has not ended is cancelled for `reason`."""
        for step in list(self.steps.open()):
            self._cancel_step(step, reason)
        self._frontier.clear()
        self._inline.clear()
        self.end = end

    def recount(self) -> None:
        """Set every pending step's counters to what its incoming edges say, and follow."""
        self.steps.prefetch(range(len(self.plan.nodes)))
        for step in list(self.steps.open()):
            if step.status is not StepStatus.PENDING:
                continue
            sources = [(self.steps.get(e.source), e) for e in self.plan.incoming[step.no]]
            step.pending = sum(not source.status.is_final for source, _ in sources)
            step.taken = sum(edge.source_port in source.ports for source, edge in sources)
            self.changed[step.no] = step
            counters = Counters(step.status, step.pending, step.taken)
            for command in schedule.unlock(self.plan, self.plan.nodes[step.no], counters):
                self._carry_out(command)
        self._follow()

    def offer_again(self, step: StepState, *, at: datetime | None = None) -> None:
        """Make a step ready once more, not before `at`."""
        step.status = StepStatus.READY
        step.ready_at = self.now
        step.not_before = at
        step.lease_id = None
        self.changed[step.no] = step
        if at is None:
            self.ready.append(step.no)

    def _follow(self) -> None:
        while self.end is None and (self._frontier or self._inline):
            if self._frontier:
                settled, self._frontier = self._frontier, []
                for command in schedule.settle(self.plan, settled, self._counters):
                    self._carry_out(command)
            else:
                self._compute_inline()
        if self.end is None and self.open_steps == 0:
            self.end = RunEnd(RunStatus.SUCCEEDED)

    def _counters(self, no: int) -> Counters:
        step = self.steps.get(no)
        return Counters(step.status, step.pending, step.taken)

    def _carry_out(self, command: Command) -> None:
        match command:
            case SetCounters(no, pending, taken):
                step = self.steps.get(no)
                step.pending, step.taken = pending, taken
                self.changed[no] = step
            case MakeReady(no):
                self._make_ready(no)
            case Evaluate(no):
                self._inline.append(no)
            case Skip(no, reason):
                self._skip(no, reason)
            case Cancel(numbers, reason):
                self.steps.prefetch(numbers)
                for number in numbers:
                    self._cancel_step(self.steps.get(number), reason)
            case _:
                assert_never(command)

    def _is_pending(self, no: int) -> bool:
        # A join that fired in the same round may have cancelled the step since the decision.
        return self.steps.get(no).status is StepStatus.PENDING

    def _skip(self, no: int, reason: str) -> None:
        if not self._is_pending(no):
            return
        step = self.steps.get(no)
        step.reason = reason
        self._settle(step, StepStatus.SKIPPED)
        self._note(events.STEP_SKIPPED, step, {"reason": reason})

    def _make_ready(self, no: int) -> None:
        if not self._is_pending(no):
            return
        step = self.steps.get(no)
        self.offer_again(step)
        self._note(events.STEP_READY, step)

    def _compute_inline(self) -> None:
        # A join may fire twice before it is computed, and be cancelled after it fired.
        numbers = [no for no in dict.fromkeys(self._inline) if self._is_pending(no)]
        self._inline = []
        for no, outcome in zip(numbers, self._evaluate(numbers), strict=True):
            if self.end is not None:
                return
            if outcome is None:
                self._make_ready(no)
                continue
            step = self.steps.get(no)
            step.attempt += 1
            step.ready_at = step.started_at = self.now
            self._note(events.STEP_READY, step)
            self._note(events.STEP_STARTED, step)
            self._record(step, outcome)

    def _record(self, step: StepState, outcome: Outcome) -> None:
        if self.end is not None:
            return
        match outcome:
            case Succeeded():
                self._succeed(step, outcome)
            case Failed():
                self._fail(step, outcome)
            case Parked(until):
                step.status = StepStatus.WAITING
                step.waiting_until = until
                step.parked_at = self.now
                self.changed[step.no] = step
                self._note(events.STEP_WAITING, step, {"until": until.isoformat()})
            case _:
                assert_never(outcome)

    def _succeed(self, step: StepState, outcome: Succeeded) -> None:
        step.ports = outcome.ports
        step.usage = outcome.usage
        step.error = None
        self.outputs[step.no] = outcome.output
        self._settle(step, StepStatus.SUCCEEDED)
        self._note(
            events.STEP_SUCCEEDED, step, {"ports": list(outcome.ports), "usage": outcome.usage}
        )

    def _fail(self, step: StepState, outcome: Failed) -> None:
        step.failures += 1
        error = outcome.to_json(self.plan.nodes[step.no].id)
        step.error = error
        decision = after_failure(
            self.plan.nodes[step.no].policy,
            failures=step.failures,
            retryable=outcome.retryable,
            retry_after_s=outcome.retry_after_s,
            uniform=self._uniform,
        )
        match decision:
            case TryAgain(delay_s):
                at = self.now + timedelta(seconds=delay_s)
                self._note(
                    events.STEP_RETRYING,
                    step,
                    {"error": error, "not_before": at.isoformat(), "failures": step.failures},
                )
                self.offer_again(step, at=at if delay_s > 0 else None)
            case GiveUp(ports, fails_run):
                self._give_up(step, error, ports, fails_run=fails_run)
            case _:
                assert_never(decision)

    def _give_up(
        self, step: StepState, error: dict[str, Any], ports: tuple[str, ...], *, fails_run: bool
    ) -> None:
        step.ports = ports
        # The error port carries the error as its value; to go on after an error is to give None.
        self.outputs[step.no] = error if ports == ("error",) else None
        self._settle(step, StepStatus.FAILED)
        self._note(events.STEP_FAILED, step, {"error": error, "ports": list(ports)})
        if fails_run:
            self.finish(RunEnd(RunStatus.FAILED, error), RUN_FAILED)

    def _cancel_step(self, step: StepState, reason: str) -> None:
        if step.status.is_final:
            return
        if step.status is StepStatus.RUNNING:
            self.stopped.append(step)
        step.reason = reason
        self._settle(step, StepStatus.CANCELLED)
        self._note(events.STEP_CANCELLED, step, {"reason": reason})

    def _settle(self, step: StepState, status: StepStatus) -> None:
        step.status = status
        step.finished_at = self.now
        step.not_before = step.waiting_until = None
        self.changed[step.no] = step
        self.open_steps -= 1
        ports = step.ports if status in (StepStatus.SUCCEEDED, StepStatus.FAILED) else ()
        self._frontier.append(Settled(step.no, status, ports))

    def _note(self, type_: str, step: StepState, data: Mapping[str, Any] | None = None) -> None:
        self.events.append(EventDraft(type_, step.no, step.attempt or None, data or {}))
