"""Completions become state: outcomes guarded by their lease, successors, events, and new claims."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings
from django.db import transaction

from backend.engine.outcomes import Outcome
from backend.engine.plan import Key
from backend.engine.state import StepStatus
from backend.engine.step_state import StepState
from backend.runs.inline import ComputeFactory, inline_evaluation, no_inline
from backend.runs.live import Claimed, LiveRun, RunRow
from backend.runs.plans import plan_of
from backend.runs.prepare import Resolve
from backend.runs.results import Encoded
from backend.runs.taken import Announcement
from backend.runs.transaction import lock_runs, store


@dataclass(frozen=True, kw_only=True)
class Completion:
    """An attempt that ended, under the lease by which it was claimed."""

    run_id: UUID
    key: Key
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
    """A step that something must be done about in a while: it waits, or is to be tried again."""

    run_id: UUID
    key: Key
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
    #: The runs as they stand after the commit; good until somebody else moves them.
    lives: list[LiveRun] = field(default_factory=list)
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
    compute = inline_evaluation(resolve) if resolve else no_inline
    with transaction.atomic():
        runs = {run.id: run for run in lock_runs(c.run_id for c in completions)}
        for run_id, own in by_run(completions).items():
            if (run := runs.get(run_id)) is None:
                finished.fenced.extend(own)
                continue
            finished.lives.append(_live(run, own, finished, compute))
        if seat is not None:
            finished.claimed = claim_unlocked(finished.lives, seat)
        finished.timers = [t for live in finished.lives for t in timers_of(live)]
        finished.announcement = store(finished.lives)
    return finished


def _live(
    run: RunRow, own: list[Completion], finished: Finished, compute: ComputeFactory
) -> LiveRun:
    live = LiveRun(run, plan_of(run.graph_id), compute)
    live.steps.prefetch(completion.key for completion in own)
    finished.fenced.extend(apply(live, own))
    return live


def apply(live: LiveRun, completions: Sequence[Completion]) -> list[Completion]:
    """Apply completions whose lease is good to a run; gives those whose lease is not."""
    accepted: list[Completion] = []
    fenced: list[Completion] = []
    for completion in completions:
        good = _holds(live.steps.get(completion.key), completion)
        (accepted if good else fenced).append(completion)
    for completion in accepted:
        if completion.encoded is not None:
            live.encoded[completion.key] = completion.encoded
    live.apply([(completion.key, completion.outcome) for completion in accepted])
    return fenced


def _holds(step: StepState, completion: Completion) -> bool:
    return step.status is StepStatus.RUNNING and step.lease_id == completion.lease_id


def timers_of(live: LiveRun) -> Iterable[Timer]:
    """When steps are due that the passes since the last commit put off."""
    for step in live.draft.steps.values():
        parked = step.status is StepStatus.WAITING
        at = step.waiting_until if parked else step.not_before
        if at is not None:
            in_s = (at - live.now).total_seconds()
            yield Timer(run_id=live.row.id, key=step.key, in_s=in_s, parked=parked)


def claim_unlocked(lives: Iterable[LiveRun], seat: Seat) -> list[Claimed]:
    """Claim unlocked steps of the seat's lane, as many as it has room for."""
    claimed: list[Claimed] = []
    for live in lives:
        claimed.extend(claim_ready(live, seat, room=seat.free - len(claimed)))
    return claimed


def claim_ready(live: LiveRun, seat: Seat, *, room: int) -> list[Claimed]:
    """Claim steps that the passes over a run made ready; what is limited is left to a pull."""
    if live.end is not None or live.is_paused or live.is_counted:
        return []
    wanted = [
        step
        for step in live.ready_steps()
        if live.plan.nodes[step.no].lane == seat.lane and not live.is_limited(step.no)
    ]
    return [live.claim(step, seat.session_id) for step in wanted[: max(0, room)]]


def runs_ahead() -> bool:
    """Whether steps may start from results that are not stored yet."""
    return bool(settings.HEDDLE_RUN_AHEAD)


def by_run(completions: Sequence[Completion]) -> Mapping[UUID, list[Completion]]:
    """Completions by their run, each list in their order."""
    groups: dict[UUID, list[Completion]] = {}
    for completion in completions:
        groups.setdefault(completion.run_id, []).append(completion)
    return groups
