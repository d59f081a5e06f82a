"""One scheduling pass over a run: outcomes go in, changes come out. Pure: a shell stores them."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, assert_never

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
from backend.engine.expansion import Expansion
from backend.engine.outcomes import Called, Failed, Opened, Outcome, Parked, Stopped, Succeeded
from backend.engine.plan import ROOT_SCOPE, Key, Plan
from backend.engine.retry import GiveUp, TryAgain, after_failure, after_the_last
from backend.engine.state import RunStatus, StepStatus
from backend.engine.step_state import (
    Computed,
    Draft,
    EventDraft,
    Means,
    RunEnd,
    Standing,
    Steps,
    StepState,
    Task,
)

RUN_FAILED = "The run failed."
PAUSED = "The run is paused."
BUDGET_EXCEEDED = "budget_exceeded"
#: What an attempt counts for that gave nothing.
NOTHING_USED: Mapping[str, Any] = {}
REMOVED = "A change of the graph removed it."


class Pass:
    """Applies outcomes to one run and follows their consequences until nothing moves.

    The order is fixed: outcomes in the order given, then settled steps level by level, what is
    evaluated in the pass together, then new items of containers. Equal inputs give equal changes.
    """

    def __init__(
        self, plan: Plan, steps: Steps, draft: Draft, *, standing: Standing, means: Means
    ) -> None:
        self.plan = plan
        self.steps = steps
        self.draft = draft
        self.now = standing.now
        self.open_steps = standing.open_steps
        self.made_steps = standing.made_steps
        self.is_paused = standing.is_paused
        self.limits = means.limits
        self.room = means.room
        self.end: RunEnd | None = None
        #: Something is left that another pass must do: `resume` finds out what.
        self.unfinished = False
        self._pauses_over_budget = standing.pauses_over_budget
        self._means = means
        self._frontier: list[Settled] = []
        self._tasks: dict[Task, None] = {}
        self._expansion = Expansion(self)

    # -- what the shell asks ----------------------------------------------------------------------

    def begin(self) -> None:
        """Start the run's first steps. Inline ones are offered to workers like all others."""
        for command in schedule.begin(self.plan):
            self._carry_out(MakeReady(command.key) if isinstance(command, Evaluate) else command)
        self.follow()

    def apply(self, outcomes: Sequence[tuple[Key, Outcome]]) -> None:
        """Take the outcomes of steps and follow what they unlock."""
        self.steps.prefetch(_reach(self.plan, [key for key, _ in outcomes]))
        for key, outcome in outcomes:
            self._record(self.steps.get(key), outcome)
        self.follow()

    def compute(self, keys: Sequence[Key]) -> None:
        """Evaluate inline steps that are ready, here and now, and follow."""
        self.steps.prefetch(_reach(self.plan, keys))
        self._tasks.update(dict.fromkeys(Task("node", key) for key in keys))
        self.follow()

    def resume(self) -> None:
        """Do what an earlier pass left: items to begin, results to evaluate."""
        for step in list(self.steps.open()):
            if step.status is StepStatus.RUNNING and step.progress is not None:
                self._expansion.resume(step)
        self.follow()

    def cancel(self, reason: str) -> None:
        """End the run as cancelled."""
        self.finish(RunEnd(RunStatus.CANCELLED, reason=reason), reason)

    def finish(self, end: RunEnd, reason: str) -> None:
        """End the run now; what has not ended is cancelled for `reason`."""
        self.end = end
        for step in list(self.steps.open()):
            self.cancel_step(step, reason)
        self._frontier.clear()
        self._tasks.clear()

    def recount(self) -> None:
        """Set every pending step's counters to what its incoming edges say, and follow."""
        self._recount([s for s in self.steps.open() if s.status is StepStatus.PENDING])
        self.follow()

    def _recount(self, steps: Sequence[StepState]) -> None:
        """Count the inputs of pending steps anew, then start or skip those whose time has come."""
        self.steps.prefetch(
            Key(s.key.scope, e.source) for s in steps for e in self.plan.incoming[s.no]
        )
        # All of them first: what is skipped here is counted out when it is followed.
        for step in steps:
            edges = self.plan.incoming[step.no]
            sources = [(self.steps.get(Key(step.key.scope, e.source)), e) for e in edges]
            step.pending = sum(not source.status.is_final for source, _ in sources)
            step.taken = sum(_has_taken(source, edge.source_port) for source, edge in sources)
            self.draft.steps[step.key] = step
        for step in steps:
            for command in schedule.reconsider(self.plan, step.key, self._counters(step.key)):
                self._carry_out(command)

    def adopt(self, plan: Plan) -> tuple[dict[str, str], list[str]]:
        """Go on with a changed plan: make new steps, end removed ones, count inputs anew.

        Only steps at the top are touched: what is inside a container has steps when it starts.

        Returns:
            Ids of the steps that were made, by node; and the nodes that were removed.
        """
        before, self.plan = self.plan, plan
        added: dict[str, str] = {}
        removed: list[str] = []
        for node in plan.nodes:
            key = Key(ROOT_SCOPE, node.no)
            if node.parent is not None:
                continue
            if node.no >= len(before.nodes):
                step = self.steps.create(key, path=node.id, pending=len(plan.incoming[node.no]))
                self.draft.steps[key] = step
                self.open_steps += 1
                self.made_steps += 1
                added[node.id] = step.id
            elif node.removed and not before.nodes[node.no].removed:
                removed.append(node.id)
                self.cancel_step(self.steps.get(key), REMOVED)
        waiting = [self.steps.get(Key(ROOT_SCOPE, no)) for no in _waiting_for_other(before, plan)]
        for step in waiting:
            self._take_back(step)
        self._recount([step for step in waiting if step.status is StepStatus.PENDING])
        return added, removed

    def _take_back(self, step: StepState) -> None:
        """Let a step wait again that was ready and has never started."""
        if step.status is not StepStatus.PENDING and not step.has_started:
            step.status = StepStatus.PENDING
            step.ready_at = step.not_before = step.reason = None
            self.draft.steps[step.key] = step
            self.draft.ready.pop(step.key, None)
            self.note(events.STEP_REOPENED, step)

    def pause(self, reason: str) -> None:
        """Let nothing new start: steps that are ready are held."""
        self.is_paused = True
        self.draft.events.append(EventDraft(events.RUN_PAUSED, self.now, data={"reason": reason}))
        for step in list(self.steps.open()):
            if step.status is StepStatus.READY:
                self.hold(step, PAUSED)

    def resume_run(self) -> None:
        """Let the steps start that were held while the run was paused."""
        self.is_paused = False
        self.draft.events.append(EventDraft(events.RUN_RESUMED, self.now))
        for step in list(self.steps.open()):
            if step.status is StepStatus.HELD and step.reason == PAUSED:
                self.release(step)

    def release(self, step: StepState) -> None:
        """Offer a step again that was held."""
        step.reason = None
        self.offer_again(step)
        if not self.is_paused:
            self.note(events.STEP_READY, step)

    def reopen(self) -> None:
        """Let a run that has ended go on from what succeeded; what did not waits once more."""
        self._expansion.reopen()
        # Containers are looked at by a process that evaluates.
        self.unfinished = True
        self.recount()

    def offer_again(self, step: StepState, *, at: datetime | None = None) -> None:
        """Make a step ready once more, not before `at`; in a run that is paused it is held."""
        self._end_lease(step)
        if self.is_paused:
            self.hold(step, PAUSED)
            return
        step.status = StepStatus.READY
        step.ready_at = self.now
        step.not_before = at
        step.lease_id = None
        self.draft.steps[step.key] = step
        if at is None:
            self.draft.ready[step.key] = None

    def hold(self, step: StepState, reason: str) -> None:
        """Keep a step until a person decides about it."""
        self._end_lease(step)
        step.status = StepStatus.HELD
        step.reason = reason
        step.lease_id = None
        self.draft.steps[step.key] = step
        self.draft.ready.pop(step.key, None)
        self.note(events.STEP_HELD, step, {"reason": reason})

    # -- following --------------------------------------------------------------------------------

    def follow(self) -> None:
        """Go on until nothing moves, the run has ended, or the pass has no room left."""
        while self.end is None:
            if self._frontier:
                self._unlock()
            elif self._tasks:
                self._compute_tasks()
            elif not self._expansion.admit():
                break
        if self.end is None and self.open_steps == 0:
            self.end = RunEnd(RunStatus.SUCCEEDED)

    def _unlock(self) -> None:
        """Carry out what follows from the steps that have settled."""
        settled, self._frontier = self._frontier, []
        for command in schedule.settle(self.plan, settled, self._counters):
            self._carry_out(command)

    def ask(self, task: Task) -> None:
        """Have something evaluated in this pass."""
        self._tasks[task] = None

    def launch_scope(self, container: int, scope: int) -> None:
        """Start the first steps of an item or round."""
        for command in schedule.begin(self.plan, container=container, scope=scope):
            self._carry_out(command)

    def _counters(self, key: Key) -> Counters:
        step = self.steps.get(key)
        return Counters(step.status, step.pending, step.taken)

    def _carry_out(self, command: Command) -> None:
        match command:
            case SetCounters(key, pending, taken):
                step = self.steps.get(key)
                step.pending, step.taken = pending, taken
                self.draft.steps[key] = step
            case MakeReady(key):
                self._make_ready(key)
            case Evaluate(key):
                self._tasks[Task("node", key)] = None
            case Skip(key, reason):
                self._skip(key, reason)
            case Cancel(keys, reason):
                self.steps.prefetch(keys)
                for key in keys:
                    self.cancel_step(self.steps.get(key), reason)
            case _:
                assert_never(command)

    def _skip(self, key: Key, reason: str) -> None:
        step = self.steps.get(key)
        # A join that fired in the same round may have cancelled the step since the decision.
        if step.status is not StepStatus.PENDING:
            return
        step.reason = reason
        self.settle(step, StepStatus.SKIPPED)
        self.note(events.STEP_SKIPPED, step, {"reason": reason})

    def _make_ready(self, key: Key) -> None:
        step = self.steps.get(key)
        if step.status is not StepStatus.PENDING:
            return
        self.offer_again(step)
        if not self.is_paused:
            self.note(events.STEP_READY, step)

    def _end_lease(self, step: StepState, usage: Mapping[str, Any] | None = NOTHING_USED) -> None:
        if step.lease_id is not None:
            self.draft.ended[step.lease_id] = usage

    # -- evaluation -------------------------------------------------------------------------------

    def _compute_tasks(self) -> None:
        tasks = [task for task in self._tasks if self._is_wanted(task)]
        self._tasks = {}
        plan = self.plan
        for task, answer in zip(tasks, self._means.compute(tasks), strict=True):
            if self.end is not None:
                return
            # An answer before it may have cancelled what this one is about.
            if not self._is_wanted(task):
                continue
            if self.plan is not plan:
                # One before it has changed the graph from which this one was computed.
                self.ask(task)
            elif task.what == "node":
                self._take_node(self.steps.get(task.key), answer)
            elif answer is None:
                self.unfinished = True
            else:
                self._expansion.take(task, answer)

    def _is_wanted(self, task: Task) -> bool:
        step = self.steps.get(task.key)
        if task.what == "node":
            return step.status is StepStatus.READY or (
                step.status is StepStatus.PENDING
                and schedule.may_start(self.plan, task.key, self._counters(task.key))
            )
        return step.status is StepStatus.RUNNING and self._expansion.is_wanted(task)

    def _take_node(self, step: StepState, answer: Outcome | Computed | None) -> None:
        if answer is None:
            self._make_ready(step.key)
            return
        if isinstance(answer, Computed):
            raise TypeError("a node is answered by an outcome")
        step.attempt += 1
        if step.status is StepStatus.PENDING:
            step.ready_at = self.now
            self.note(events.STEP_READY, step)
        step.status = StepStatus.RUNNING
        step.started_at = self.now
        step.not_before = None
        self.draft.ready.pop(step.key, None)
        self.note(events.STEP_STARTED, step)
        self._record(step, answer)

    # -- outcomes ---------------------------------------------------------------------------------

    def _record(self, step: StepState, outcome: Outcome) -> None:
        if isinstance(outcome, Succeeded) and outcome.patch:
            # A change of the graph finds counted what has settled before it.
            while self._frontier and self.end is None:
                self._unlock()
        # What was taken before it may have ended the run, or cancelled this step.
        if self.end is None and not step.status.is_final:
            self._take(step, outcome)

    def _take(self, step: StepState, outcome: Outcome) -> None:
        match outcome:
            case Succeeded():
                self.succeed(step, outcome)
            case Failed():
                self._fail(step, outcome)
            case Parked():
                self._park(step, outcome)
            case Called():
                self._call(step, outcome)
            case Opened():
                self._expansion.open(step, outcome)
            case Stopped():
                self._stop(step, outcome)
            case _:
                assert_never(outcome)

    def succeed(self, step: StepState, outcome: Succeeded) -> None:
        """End a step well; the change of the graph that it asks for comes first."""
        if outcome.patch:
            refused = self._means.patch(self, step.key, outcome.patch)
            if refused is not None:
                self._fail(step, refused)
                return
            if step.status.is_final:
                # A join that came with the change does not need the step any more.
                return
        step.ports = outcome.ports
        step.usage = outcome.usage
        step.error = None
        self.draft.outputs[step.key] = outcome.output
        self._end_lease(step, outcome.usage)
        self.settle(step, StepStatus.SUCCEEDED)
        self.note(
            events.STEP_SUCCEEDED,
            step,
            {"ports": list(outcome.ports), "usage": outcome.usage, **_progress_of(step)},
        )

    def _park(self, step: StepState, outcome: Parked) -> None:
        step.waiting_until = outcome.until
        step.awaits_signal = outcome.signal
        until = outcome.until.isoformat() if outcome.until else None
        self._wait(step, {"until": until, "for": "signal" if outcome.signal else "time"})

    def _call(self, step: StepState, outcome: Called) -> None:
        step.child_run_id = self._means.new_id()
        self.draft.calls[step.key] = outcome
        self.wait_for_call(step)

    def wait_for_call(self, step: StepState) -> None:
        """Let a step wait for the run that another workflow makes for it."""
        self._wait(step, {"until": None, "for": "workflow", "run_id": step.child_run_id})

    def _wait(self, step: StepState, data: Mapping[str, Any]) -> None:
        step.status = StepStatus.WAITING
        step.parked_at = self.now
        self.draft.steps[step.key] = step
        self.note(events.STEP_WAITING, step, data)

    def _stop(self, step: StepState, outcome: Stopped) -> None:
        node = self.plan.nodes[step.no]
        name = node.label or node.id
        if outcome.error is None:
            self.succeed(step, Succeeded(outcome.output, ports=()))
            self.finish(RunEnd(RunStatus.SUCCEEDED), f"{name} ended the run.")
        else:
            error = Failed("stopped", outcome.error).to_json(node.id)
            step.error = error
            self.settle(step, StepStatus.FAILED)
            self.note(events.STEP_FAILED, step, {"error": error, "ports": []})
            self.finish(RunEnd(RunStatus.FAILED, error), f"{name} ended the run.")

    def _fail(self, step: StepState, outcome: Failed) -> None:
        if outcome.code == BUDGET_EXCEEDED:
            self._go_over_budget(step, outcome)
            return
        step.failures += 1
        error = outcome.to_json(self.plan.nodes[step.no].id)
        step.error = error
        policy = self.plan.nodes[step.no].policy
        decision = after_failure(
            policy, outcome, failures=step.failures, uniform=self._means.uniform
        )
        match decision:
            case TryAgain(delay_s):
                at = self.now + timedelta(seconds=delay_s)
                self.note(
                    events.STEP_RETRYING,
                    step,
                    {"error": error, "not_before": at.isoformat(), "failures": step.failures},
                )
                self.offer_again(step, at=at if delay_s > 0 else None)
            case GiveUp(ports, fails_run):
                self.give_up(step, error, ports, fails_scope=fails_run)
            case _:
                assert_never(decision)

    def _go_over_budget(self, step: StepState, outcome: Failed) -> None:
        if self._pauses_over_budget:
            self.hold(step, PAUSED)
            if not self.is_paused:
                self.pause(outcome.message)
            return
        # No policy of a node goes on past what the run may spend.
        error = outcome.to_json(self.plan.nodes[step.no].id)
        step.error = error
        self.settle(step, StepStatus.FAILED)
        self.note(events.STEP_FAILED, step, {"error": error, "ports": []})
        self.finish(RunEnd(RunStatus.FAILED, error), RUN_FAILED)

    def fail_for_good(self, step: StepState, error: Mapping[str, Any]) -> None:
        """Fail a step that cannot be tried again, as its policy says."""
        step.error = error
        decision = after_the_last(self.plan.nodes[step.no].policy)
        self.give_up(step, error, decision.ports, fails_scope=decision.fails_run)

    def give_up(
        self,
        step: StepState,
        error: Mapping[str, Any],
        ports: tuple[str, ...],
        *,
        fails_scope: bool,
    ) -> None:
        """End a step as failed; the failure may reach its item, and through it the run."""
        step.ports = ports
        # The error port carries the error as its value; to go on after an error is to give None.
        self.draft.outputs[step.key] = dict(error) if ports == ("error",) else None
        self.settle(step, StepStatus.FAILED, leaves=not fails_scope)
        self.note(
            events.STEP_FAILED, step, {"error": error, "ports": list(ports), **_progress_of(step)}
        )
        if not fails_scope:
            return
        if step.key.scope == ROOT_SCOPE:
            self.finish(RunEnd(RunStatus.FAILED, error), RUN_FAILED)
        else:
            self._expansion.fail_scope(step.key.scope, error)

    def cancel_step(self, step: StepState, reason: str) -> None:
        """End a step that nobody needs; a container with all that is inside."""
        if step.status.is_final:
            return
        if step.progress is not None and self.end is None:
            self._expansion.cancel_inside(step, reason)
        elif step.status is StepStatus.RUNNING or step.child_run_id is not None:
            self.draft.stopped.append(step)
        step.reason = reason
        self.settle(step, StepStatus.CANCELLED)
        self.note(events.STEP_CANCELLED, step, {"reason": reason})

    def settle(self, step: StepState, status: StepStatus, *, leaves: bool = True) -> None:
        """Make a step final. Its scope ends with its last step, if it `leaves` it so."""
        if status is not StepStatus.SUCCEEDED:
            self._end_lease(step)
        step.status = status
        step.finished_at = self.now
        step.not_before = step.waiting_until = None
        self.draft.steps[step.key] = step
        self.draft.ready.pop(step.key, None)
        self.open_steps -= 1
        ports = step.ports if status in (StepStatus.SUCCEEDED, StepStatus.FAILED) else ()
        self._frontier.append(Settled(step.key, status, ports))
        if step.key.scope != ROOT_SCOPE:
            self._expansion.leave(step.key.scope, ends=leaves)

    def note(self, type_: str, step: StepState, data: Mapping[str, Any] | None = None) -> None:
        """Write an event about a step."""
        self.draft.events.append(
            EventDraft(type_, self.now, step.key, step.attempt or None, data or {})
        )


def _progress_of(step: StepState) -> Mapping[str, Any]:
    return {"progress": step.progress.to_json()} if step.progress is not None else {}


def _has_taken(step: StepState, port: str) -> bool:
    return step.status in (StepStatus.SUCCEEDED, StepStatus.FAILED) and port in step.ports


def _waiting_for_other(before: Plan, after: Plan) -> list[int]:
    """Top nodes of a changed plan that wait for something else than they did."""
    return [
        no
        for no in after.inside(None)
        if no >= len(before.nodes) or _waits_for(before, no) != _waits_for(after, no)
    ]


def _waits_for(plan: Plan, no: int) -> tuple[Any, ...]:
    return set(plan.incoming[no]), plan.nodes[no].join, plan.nodes[no].disabled


def _reach(plan: Plan, keys: Sequence[Key]) -> list[Key]:
    """Steps that a pass over these may touch: to the first that is not inline, in each scope."""
    by_scope: dict[int, list[int]] = {}
    for key in keys:
        by_scope.setdefault(key.scope, []).append(key.no)
    return [
        Key(scope, no)
        for scope, numbers in by_scope.items()
        for no in (*numbers, *plan.inline_reach(numbers))
    ]
