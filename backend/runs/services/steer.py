"""What people do to a run under way: pause and resume it, decide about steps that are held."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal
from uuid import UUID

from django.db import transaction

from backend.engine.advance import PAUSED, Pass
from backend.engine.errors import DomainError
from backend.engine.outcomes import Failed, Succeeded
from backend.engine.plan import Key
from backend.engine.state import StepStatus
from backend.limits.budgets import raise_budget
from backend.runs.inline import no_inline
from backend.runs.live import LiveRun
from backend.runs.models import Step
from backend.runs.plans import plan_of
from backend.runs.services.follow_up import follow_up
from backend.runs.transaction import lock_runs, store

Decision = Literal["rerun", "fail", "skip"]


class RunNotSteerable(DomainError):
    """The run, or the step, is in no state in which this can be done to it."""

    code: ClassVar[str] = "not_possible_now"
    status: ClassVar[int] = 409


def pause_run(run_id: UUID, *, reason: str) -> None:
    """Let nothing new start; what runs goes on to its end.

    Raises:
        RunNotSteerable: It has ended, or is paused already.
    """

    def act(live: LiveRun, current: Pass) -> None:
        if live.is_paused:
            raise RunNotSteerable("The run is paused already.")
        current.pause(reason)

    _change(run_id, act)


def resume_run(run_id: UUID, *, budget: Mapping[str, Any] | None = None) -> None:
    """Go on with a paused run, with a larger budget if one is given.

    Raises:
        RunNotSteerable: It is not paused.
    """

    def act(live: LiveRun, current: Pass) -> None:
        if not live.is_paused:
            raise RunNotSteerable("The run is not paused.")
        if budget is not None and live.row.budget_id is not None:
            raise_budget(live.row.budget_id, budget)
        current.resume_run()

    _change(run_id, act)


def decide_step(step: Step, *, decision: Decision, by: str) -> None:
    """Let a held step run again, or end it.

    Raises:
        RunNotSteerable: It is not held, or the whole run is paused.
    """

    def act(live: LiveRun, current: Pass) -> None:
        state = live.steps.get(Key(step.scope, step.no))
        if state.status is not StepStatus.HELD:
            raise RunNotSteerable("The step is not held; there is nothing to decide.")
        if state.reason == PAUSED:
            raise RunNotSteerable("The step waits because its run is paused; resume the run.")
        match decision:
            case "rerun":
                current.release(state)
            case "skip":
                current.apply([(state.key, Succeeded(None))])
            case "fail":
                failed = Failed("failed_by_person", f"{by} decided that it has failed.")
                current.apply([(state.key, failed)])

    _change(step.run_id, act)


def _change(run_id: UUID, act: Callable[[LiveRun, Pass], None]) -> None:
    with transaction.atomic():
        runs = lock_runs([run_id])
        if not runs:
            raise RunNotSteerable("The run has ended.")
        live = LiveRun(runs[0], plan_of(runs[0].graph_id), no_inline)
        current = live.begin_pass()
        act(live, current)
        current.follow()
        live.close_pass(current)
        announcement = store([live])
    follow_up(announcement)
