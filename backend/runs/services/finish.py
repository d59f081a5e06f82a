"""Completions become state: outcomes guarded by their lease, successors, events, and new claims."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db import transaction

from backend.engine.advance import StepState
from backend.engine.outcomes import Outcome
from backend.engine.state import StepStatus
from backend.runs.inline import inline_evaluation
from backend.runs.plans import plan_of
from backend.runs.prepare import Resolve
from backend.runs.results import Encoded
from backend.runs.transaction import (
    Announcement,
    Claimed,
    InlineFactory,
    RunChange,
    RunRow,
    lock_runs,
    no_inline,
    store,
)


@dataclass(frozen=True, kw_only=True)
class Completion:
    """An attempt that ended, under the lease by which it was claimed."""

    run_id: UUID
    no: int
    lease_id: str
    outcome: Outcome
    #: The output as it will be stored, made outside the transaction.
    encoded: Encoded | None = None


@dataclass(frozen=True, kw_only=True)
class Seat:
    """A worker process that would go on with what its completions unlock."""

    session_id: UUID
    lane: str
    free: int


@dataclass(frozen=True, kw_only=True)
class Timer:
    """A step that something must be done about in a while."""

    run_id: UUID
    no: int
    in_s: float
    #: Whether it waits to be finished; else it waits to be tried again.
    parked: bool


@dataclass
class Finished:
    """What a batch of completions came to."""

    claimed: list[Claimed] = field(default_factory=list)
    #: When steps that wait, or wait to be tried again, are due.
    timers: list[Timer] = field(default_factory=list)
    #: Completions whose lease was not theirs any more; their outcome is dropped.
    fenced: list[Completion] = field(default_factory=list)
    announcement: Announcement = field(default_factory=Announcement)


def finish(
    completions: Sequence[Completion], *, resolve: Resolve | None = None, seat: Seat | None = None
) -> Finished:
    """Record completions of any number of runs in one transaction.

    1. Lock the runs, in the order of their ids.
    2. Drop what another attempt, a cancel or a sweep has overtaken (the lease is not the row's).
    3. Pass over each run: outcomes, successors, inline steps.
    4. Claim for `seat` as many of the unlocked steps as it has room for.
    5. Store all of it.

    Calling it twice with the same completions changes nothing the second time: the lease that
    succeeded is no longer running. The caller announces after the commit.

    `resolve` evaluates expressions of inline steps; without it they are left to workers.
    """
    finished = Finished()
    evaluate = inline_evaluation(resolve) if resolve else no_inline
    with transaction.atomic():
        runs = {run.id: run for run in lock_runs(c.run_id for c in completions)}
        changes: list[RunChange] = []
        for run_id, own in _by_run(completions).items():
            if (run := runs.get(run_id)) is None:
                finished.fenced.extend(own)
                continue
            changes.append(_change(run, own, finished, evaluate))
        if seat is not None:
            finished.claimed = claim_unlocked(changes, seat)
        finished.announcement = store(changes)
    finished.timers = [timer for change in changes for timer in _timers(change)]
    return finished


def _change(
    run: RunRow, own: list[Completion], finished: Finished, evaluate: InlineFactory
) -> RunChange:
    change = RunChange(run, plan_of(run.graph_id), evaluate)
    change.steps.prefetch(completion.no for completion in own)
    accepted = []
    for completion in own:
        if _holds(change.steps.get(completion.no), completion):
            accepted.append(completion)
        else:
            finished.fenced.append(completion)
    for completion in accepted:
        if completion.encoded is not None:
            change.encoded[completion.no] = completion.encoded
    change.apply([(completion.no, completion.outcome) for completion in accepted])
    return change


def _holds(step: StepState, completion: Completion) -> bool:
    return step.status is StepStatus.RUNNING and step.lease_id == completion.lease_id


def _timers(change: RunChange) -> Iterable[Timer]:
    for step in change.pass_.changed.values():
        parked = step.status is StepStatus.WAITING
        at = step.waiting_until if parked else step.not_before
        if at is not None:
            in_s = (at - change.run.now).total_seconds()
            yield Timer(run_id=change.run.id, no=step.no, in_s=in_s, parked=parked)


def claim_unlocked(changes: Iterable[RunChange], seat: Seat) -> list[Claimed]:
    """Claim unlocked steps of the seat's lane, as many as it has room for."""
    claimed: list[Claimed] = []
    for change in changes:
        if change.pass_.end is not None:
            continue
        for step in change.ready_steps():
            if len(claimed) >= seat.free:
                return claimed
            if change.plan.nodes[step.no].lane == seat.lane:
                claimed.append(change.claim(step, seat.session_id))
    return claimed


def _by_run(completions: Sequence[Completion]) -> Mapping[UUID, list[Completion]]:
    groups: dict[UUID, list[Completion]] = {}
    for completion in completions:
        groups.setdefault(completion.run_id, []).append(completion)
    return groups
