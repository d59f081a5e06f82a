"""What is taken of a run to be stored, and what is said and done once it is."""

from dataclasses import dataclass, field
from uuid import UUID

from backend.engine.state import StepStatus
from backend.engine.step_state import Draft
from backend.runs import dispatch
from backend.runs.dispatch import Hint
from backend.runs.live import LiveRun
from backend.runs.writes import Writes


@dataclass
class Announcement:
    """What is said and done after the commit, gathered over all runs of a transaction."""

    lanes: set[str] = field(default_factory=set)
    hints: list[Hint] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    #: Runs that have ended, whatever of them still runs somewhere.
    ended: list[UUID] = field(default_factory=list)
    #: Runs that were made for steps that are not needed any more.
    orphans: list[UUID] = field(default_factory=list)
    #: Steps (run and step) that waited for a run that has ended.
    callers: list[tuple[UUID, UUID]] = field(default_factory=list)

    #: Runs with steps that have come to wait for a signal, which may have come before.
    parked: list[UUID] = field(default_factory=list)

    @property
    def needs_work(self) -> bool:
        """Whether more is to be done than to say it."""
        return bool(self.orphans or self.callers or self.parked)

    def send(self) -> None:
        """Say it. To be called when the transaction is committed."""
        dispatch.announce(
            lanes=self.lanes, hints=self.hints, stopped=self.stopped, ended=self.ended
        )

    def add(self, other: "Announcement") -> None:
        """Take what another transaction has to say."""
        self.lanes |= other.lanes
        for name in ("hints", "stopped", "ended", "orphans", "callers", "parked"):
            getattr(self, name).extend(getattr(other, name))


@dataclass(frozen=True)
class Taken:
    """What was taken of a run to be stored; it is stored only if the run is where it was."""

    live: LiveRun
    draft: Draft
    writes: Writes
    #: The number of the latest stored event that it follows.
    base: int


def take(live: LiveRun) -> Taken:
    """Take what passes changed, as rows."""
    base = live.seq
    draft, taken = live.take()
    return Taken(live, draft, taken, base)


def gather(announcement: Announcement, taken: Taken) -> None:
    """Add what has to be said about a run that was stored."""
    row, record = taken.live.row, taken.writes.run
    if taken.writes.chunks:
        hint = Hint(
            row.id, row.workspace_id, row.workflow_id, record["event_seq"], record["status"]
        )
        announcement.hints.append(hint)
    announcement.lanes |= _lanes(taken)
    _gather_steps(announcement, taken)
    if taken.live.end is not None:
        announcement.ended.append(row.id)
        if row.parent_run_id is not None and row.parent_step_id is not None:
            announcement.callers.append((row.parent_run_id, row.parent_step_id))


def _lanes(taken: Taken) -> set[str]:
    """Lanes in which something can be done now."""
    nodes = taken.live.plan.nodes
    lanes = {nodes[key.no].lane for key in taken.draft.ready if not nodes[key.no].removed}
    if taken.live.row.limited and any(s.status.is_final for s in taken.draft.steps.values()):
        # Seats have become free, for steps of any run.
        lanes |= {node.lane for node in nodes}
    if taken.writes.run["unfinished_at"] is not None:
        lanes.add("io")
    return lanes


def _gather_steps(announcement: Announcement, taken: Taken) -> None:
    for step in taken.draft.stopped:
        if step.child_run_id is not None:
            announcement.orphans.append(UUID(step.child_run_id))
        elif step.lease_id is not None:
            announcement.stopped.append(step.lease_id)
    steps = taken.draft.steps.values()
    if any(step.awaits_signal and step.status is StepStatus.WAITING for step in steps):
        announcement.parked.append(taken.live.row.id)
