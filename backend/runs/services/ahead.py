"""Passes over a run that is kept in memory: what follows may start before it is stored."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from backend.engine.outcomes import Outcome
from backend.engine.plan import Key
from backend.engine.state import StepStatus
from backend.engine.step_state import Draft
from backend.runs.live import Claimed, LiveRun
from backend.runs.prepare import Prepared, Resolve
from backend.runs.services.finish import Completion, Seat, Timer, apply, claim_ready, timers_of
from backend.runs.services.load import prepare_claimed
from backend.runs.services.sweep import woken
from backend.runs.taken import Taken, take


@dataclass(frozen=True, kw_only=True)
class Due:
    """A step that waited, or was to be tried again: its time has come."""

    key: Key


@dataclass(frozen=True, kw_only=True)
class Happened:
    """What a pass over a run in memory is about."""

    completions: Sequence[Completion] = ()
    dues: Sequence[Due] = ()
    #: Drafts that were taken earlier and are in the tables now.
    stored: Sequence[Draft] = ()


@dataclass
class Advanced:
    """What a pass came to."""

    #: Steps that may start now, and steps that may when what they follow from is stored.
    now: list[Claimed] = field(default_factory=list)
    later: list[Claimed] = field(default_factory=list)
    prepared: dict[str, Prepared] = field(default_factory=dict)
    fenced: list[Completion] = field(default_factory=list)
    timers: list[Timer] = field(default_factory=list)
    #: What is to be stored, if it was asked for and there is something.
    taken: Taken | None = None
    #: Whether the run should stay in memory: everything that may run has a slot here.
    stays: bool = True


def advance(
    live: LiveRun, happened: Happened, *, seat: Seat | None, resolve: Resolve, takes: bool
) -> Advanced:
    """Apply what happened to a run in memory, and claim what it unlocks.

    With `takes` what changed is taken to be stored.
    """
    advanced = Advanced()
    for draft in happened.stored:
        live.saved(draft)
    if happened.completions:
        advanced.fenced = apply(live, happened.completions)
    _apply_dues(live, happened.dues)
    if live.unfinished and live.end is None:
        live.resume()
    advanced.timers = list(timers_of(live))
    claimed = claim_ready(live, seat, room=seat.free) if seat is not None else []
    live.claimed.clear()
    for item in claimed:
        effects = live.plan.nodes[item.key.no].effects
        (advanced.now if effects == "none" else advanced.later).append(item)
    if claimed:
        advanced.prepared = prepare_claimed(live.view, claimed, resolve=resolve)
    advanced.stays = live.end is None and not live.draft.ready
    if takes:
        advanced.taken = take_if_changed(live)
    return advanced


def take_if_changed(live: LiveRun, *, stored: Sequence[Draft] = ()) -> Taken | None:
    """Take what passes changed, if there is anything."""
    for draft in stored:
        live.saved(draft)
    return None if live.draft.is_empty else take(live)


def _apply_dues(live: LiveRun, dues: Sequence[Due]) -> None:
    outcomes: list[tuple[Key, Outcome]] = []
    for step in (live.steps.get(due.key) for due in dues):
        if step.status is StepStatus.WAITING and _has_come(step.waiting_until, live.now):
            outcomes.append((step.key, woken(step)))
        elif step.status is StepStatus.READY and _has_come(step.not_before, live.now):
            live.draft.ready[step.key] = None
    if outcomes:
        live.apply(outcomes)


def _has_come(at: datetime | None, now: datetime) -> bool:
    return at is not None and at <= now
