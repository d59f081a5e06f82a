"""The part of a pass that opens containers, begins their items, and ends them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from backend.engine import containers, events
from backend.engine.containers import Progress, ScopeState
from backend.engine.outcomes import Failed, Opened, Outcome, Succeeded
from backend.engine.plan import ROOT_SCOPE, ContainerRule, Key
from backend.engine.state import StepStatus
from backend.engine.step_state import Computed, StepState, Task

if TYPE_CHECKING:
    from backend.engine.advance import Pass

ITEM_FAILED = "The item failed."


class Expansion:
    """Maps and loops within one pass. A container runs, without a lease, while its items do."""

    def __init__(self, pass_: "Pass") -> None:
        self._pass = pass_
        self._admitting: dict[Key, None] = {}

    def open(self, step: StepState, outcome: Opened) -> None:
        """Start a container: nothing inside has begun yet."""
        total = containers.total_of(outcome.items, outcome.times)
        most = self._pass.limits.max_items
        if total is not None and total > most:
            text = (
                f"It would go over {total} items; at most {most} are allowed "
                "(HEDDLE_MAX_MAP_ITEMS). Go over pages of items, or less of them."
            )
            self._pass.fail_for_good(step, Failed("too_many_items", text).to_json(self._id(step)))
            return
        step.status = StepStatus.RUNNING
        step.lease_id = step.session_id = None
        step.progress = Progress(total=total, state=outcome.state)
        if outcome.items is not None:
            self._pass.draft.items[step.key] = outcome.items
        self._moved(step)
        self._go_on(step)

    def resume(self, step: StepState) -> None:
        """Find out what an earlier pass left to do for a container."""
        scopes = self._pass.steps.running_scopes(step.key)
        for scope in scopes:
            if scope.open == 0:
                self._ask_end(scope)
        if not scopes or self._rule(step).mode == "map":
            self._go_on(step)

    def leave(self, number: int, *, ends: bool) -> None:
        """Count a step out of its scope; the last one ends it, unless it failed the scope."""
        scope = self._pass.steps.scope(number)
        scope.open -= 1
        self._pass.draft.scopes[number] = scope
        if ends and scope.open == 0 and scope.status is StepStatus.RUNNING:
            self._ask_end(scope)

    def is_wanted(self, task: Task) -> bool:
        """Whether what a task is about still runs."""
        if task.what in ("item", "next") and task.scope is not None:
            return self._pass.steps.scope(task.scope).status is StepStatus.RUNNING
        return True

    def take(self, task: Task, answer: Outcome | Computed) -> None:
        """Take the answer to a task about a container."""
        step = self._pass.steps.get(task.key)
        if isinstance(answer, Failed):
            self._take_failure(step, task, answer)
            return
        if not isinstance(answer, Computed):
            raise TypeError("a container's task is answered by a value")
        match task.what:
            case "item" if task.scope is not None:
                self._item_done(step, self._pass.steps.scope(task.scope), answer.value)
            case "next" if task.scope is not None:
                self._round_done(step, self._pass.steps.scope(task.scope), answer.value)
            case "while":
                self._take_condition(step, goes_on=bool(answer.value))
            case _:
                self._pass.succeed(step, Succeeded(answer.value))

    def admit(self) -> bool:
        """Begin items of containers that have some left; whether that moved anything."""
        moved = False
        while self._admitting and not moved:
            key = next(iter(self._admitting))
            step = self._pass.steps.get(key)
            progress = step.progress
            if step.status is not StepStatus.RUNNING or progress is None:
                del self._admitting[key]
                continue
            while containers.admits(self._rule(step), progress) and self._pass.room > 0:
                moved = True
                if not self._begin_item(step, progress.begun):
                    break
            if containers.admits(self._rule(step), progress) and self._pass.room <= 0:
                self._pass.unfinished = True
            del self._admitting[key]
        return moved

    def fail_scope(self, number: int, error: Mapping[str, Any]) -> None:
        """Fail an item or round; its container decides how far that reaches."""
        scope = self._pass.steps.scope(number)
        if scope.status is not StepStatus.RUNNING:
            return
        scope.status = StepStatus.FAILED
        self._pass.draft.scopes[number] = scope
        for inner in list(self._pass.steps.open_in(number)):
            self._pass.cancel_step(inner, ITEM_FAILED)
        step = self._pass.steps.get(scope.container)
        self._item_failed(step, scope, error)

    def cancel_inside(self, step: StepState, reason: str) -> None:
        """Cancel everything inside a container."""
        for scope in list(self._pass.steps.running_scopes(step.key)):
            scope.status = StepStatus.CANCELLED
            self._pass.draft.scopes[scope.no] = scope
            for inner in list(self._pass.steps.open_in(scope.no)):
                self._pass.cancel_step(inner, reason)

    def reopen(self) -> None:
        """Put back to waiting what did not succeed, at the top and inside what did not."""
        self._reopen_in(ROOT_SCOPE)

    def _reopen_in(self, scope: int) -> None:
        steps = self._pass.steps.all_in(scope)
        spared = self._not_needed(steps)
        for step in steps:
            if step.no not in spared:
                self._reopen(step)

    def _not_needed(self, steps: Sequence[StepState]) -> frozenset[int]:
        """What joins cancelled that have what they waited for: nobody wants it now either."""
        plan = self._pass.plan
        fired = [
            step.no
            for step in steps
            if step.status is StepStatus.SUCCEEDED and plan.nodes[step.no].join.cancels_feeders
        ]
        return frozenset().union(*(plan.only_feeders(no) for no in fired))

    def _reopen(self, step: StepState) -> None:
        if step.status is StepStatus.SUCCEEDED or not step.status.is_final:
            return
        if step.status is StepStatus.FAILED and step.ports:
            # Its failure was dealt with: the run went on by its ports.
            return
        step.failures = step.losses = 0
        step.ports = ()
        step.error = step.reason = step.finished_at = step.lease_id = None
        step.status = StepStatus.PENDING
        self._pass.open_steps += 1
        self._pass.note(events.STEP_REOPENED, step)
        self._pass.draft.reopened.append(step.id)
        if step.child_run_id is not None:
            # The workflow that it called goes on as well, from what succeeded there.
            self._pass.wait_for_call(step)
        if step.progress is not None:
            # What it went over is known, and items that succeeded are kept.
            step.status = StepStatus.RUNNING
            self._reopen_inside(step)
        self._pass.draft.steps[step.key] = step

    def _reopen_inside(self, step: StepState) -> None:
        progress = _progress(step)
        for scope in self._pass.steps.scopes_of(step.key):
            if scope.status is StepStatus.SUCCEEDED:
                continue
            if scope.status is StepStatus.FAILED:
                progress.failed -= 1
            scope.status = StepStatus.RUNNING
            self._reopen_in(scope.no)
            scope.open = len(self._pass.steps.open_in(scope.no))
            self._pass.draft.scopes[scope.no] = scope
        self._moved(step)

    # -- both -------------------------------------------------------------------------------------

    def _rule(self, step: StepState) -> ContainerRule:
        rule = self._pass.plan.nodes[step.no].container
        if rule is None:
            raise ValueError(f"{self._id(step)} is no container")
        return rule

    def _id(self, step: StepState) -> str:
        return self._pass.plan.nodes[step.no].id

    def _go_on(self, step: StepState) -> None:
        if self._rule(step).mode == "loop":
            self._next_round(step)
        elif step.progress is not None and containers.is_complete(step.progress):
            self._pass.ask(Task("collect", step.key))
        else:
            self._admitting[step.key] = None

    def _ask_end(self, scope: ScopeState) -> None:
        rule = self._rule(self._pass.steps.get(scope.container))
        self._pass.ask(Task("item" if rule.mode == "map" else "next", scope.container, scope.no))

    def _begin_item(self, step: StepState, index: int) -> bool:
        inside = self._pass.plan.inside(step.no)
        if self._pass.made_steps + len(inside) > self._pass.limits.max_steps:
            text = (
                f"The run would have more than {self._pass.limits.max_steps} steps "
                "(HEDDLE_MAX_RUN_STEPS). Go over less items, or put less into each."
            )
            self._fail(step, Failed("too_many_steps", text).to_json(self._id(step)))
            return False
        progress = _progress(step)
        scope = self._pass.steps.create_scope(step, index=index, state=progress.state)
        scope.open = len(inside)
        progress.begun += 1
        progress.last_scope = scope.no
        self._pass.draft.scopes[scope.no] = scope
        self._pass.room -= len(inside)
        self._pass.made_steps += len(inside)
        self._pass.open_steps += len(inside)
        for no in inside:
            inner = self._pass.steps.create(
                Key(scope.no, no),
                path=f"{scope.path}{self._pass.plan.nodes[no].id}",
                pending=len(self._pass.plan.incoming[no]),
            )
            self._pass.draft.steps[inner.key] = inner
        self._moved(step)
        self._pass.launch_scope(step.no, scope.no)
        return True

    def _fail(self, step: StepState, error: Mapping[str, Any]) -> None:
        self.cancel_inside(step, f"{self._name(step)} failed.")
        self._pass.fail_for_good(step, error)

    def _name(self, step: StepState) -> str:
        node = self._pass.plan.nodes[step.no]
        return node.label or node.id

    def _moved(self, step: StepState) -> None:
        self._pass.draft.steps[step.key] = step
        self._pass.draft.moved[step.key] = step

    def _take_failure(self, step: StepState, task: Task, failed: Failed) -> None:
        error = failed.to_json(self._id(step))
        if task.what == "item" and task.scope is not None:
            self.fail_scope(task.scope, error)
        else:
            self._fail(step, error)

    # -- maps -------------------------------------------------------------------------------------

    def _item_done(self, step: StepState, scope: ScopeState, result: Any) -> None:
        scope.status = StepStatus.SUCCEEDED
        self._pass.draft.scopes[scope.no] = scope
        self._pass.draft.results[scope.no] = result
        _progress(step).done += 1
        self._moved(step)
        self._go_on(step)

    def _item_failed(self, step: StepState, scope: ScopeState, error: Mapping[str, Any]) -> None:
        progress, rule = _progress(step), self._rule(step)
        progress.failed += 1
        self._moved(step)
        if step.status is not StepStatus.RUNNING:
            return
        fatal = (
            error if rule.mode == "loop" else containers.failure_after_item(rule, progress, error)
        )
        if fatal is not None:
            self._fail(step, fatal)
            return
        if rule.on_item_error == "collect":
            self._pass.draft.results[scope.no] = {"error": dict(error)}
        self._go_on(step)

    # -- loops ------------------------------------------------------------------------------------

    def _next_round(self, step: StepState) -> None:
        if containers.has_counted_out(_progress(step)):
            self._pass.ask(Task("result", step.key, _progress(step).last_scope))
        elif "while" in self._pass.plan.nodes[step.no].config:
            self._pass.ask(Task("while", step.key))
        else:
            self._take_condition(step, goes_on=True)

    def _take_condition(self, step: StepState, *, goes_on: bool) -> None:
        progress, rule = _progress(step), self._rule(step)
        if not goes_on:
            self._pass.ask(Task("result", step.key, progress.last_scope))
        elif not containers.may_begin_round(rule, progress):
            text = (
                f"It would go on after {rule.max_rounds} rounds. Raise max_iterations, or mend the "
                "condition by which it ends."
            )
            self._fail(step, Failed("too_many_rounds", text).to_json(self._id(step)))
        elif self._pass.room > 0:
            self._begin_item(step, progress.begun)
        else:
            self._pass.unfinished = True

    def _round_done(self, step: StepState, scope: ScopeState, state: Any) -> None:
        scope.status = StepStatus.SUCCEEDED
        self._pass.draft.scopes[scope.no] = scope
        progress = _progress(step)
        progress.state = state
        progress.done += 1
        self._moved(step)
        self._next_round(step)


def _progress(step: StepState) -> Progress:
    if step.progress is None:
        raise ValueError(f"{step.path} has not been opened")
    return step.progress
