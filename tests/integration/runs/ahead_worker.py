"""A worker driven by hand that keeps one run in memory, and stores it when a test says so."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from backend.engine.plan import Key
from backend.engine.step_state import Draft, StepState
from backend.runs.live import LiveRun
from backend.runs.models import Run
from backend.runs.rows import StepRows
from backend.runs.services.ahead import Advanced, Due, Happened, advance, take_if_changed
from backend.runs.services.finish import Completion, Finished
from backend.runs.services.follow_up import follow_up
from backend.runs.services.pull import pull
from backend.runs.taken import Taken
from backend.runs.transaction import commit
from tests.integration.runs.hand_worker import HandWorker
from workers.sandbox.evaluator import Evaluator


class AheadWorker(HandWorker):
    """`live` is the run in memory; `taken` is what is to be stored of it next."""

    def __init__(self, evaluator: Evaluator, *, slots: int = 100) -> None:
        super().__init__(evaluator, slots=slots)
        self.live: LiveRun | None = None
        self.taken: Taken | None = None
        self.stored: list[Draft] = []
        #: Completions that are being stored, and those that were applied since.
        self.being_stored: list[Completion] = []
        self.applied: list[Completion] = []
        #: Leases of claims that were made in memory and are not stored.
        self.unstored: set[str] = set()
        self.unstored_being_stored: set[str] = set()
        #: Completions that were given away when the run was let go.
        self.redone: list[Completion] = []

    def keep(self) -> list[str]:
        """Pull, and keep the run that came; gives the paths that are held."""
        pulled = pull(self.seat, resolve=self.resolve, ahead=True)
        follow_up(pulled.announcement, resolve=self.resolve)
        self.hold(pulled.claimed)
        self.live = pulled.lives[0] if pulled.lives else None
        return sorted(self.held)

    @property
    def run(self) -> LiveRun:
        assert self.live is not None
        return self.live

    def go_ahead(self, outcomes: dict[str, Any], *, dues: tuple[Key, ...] = ()) -> Advanced:
        """Apply completions of held steps, by path, and hold what that unlocks."""
        completions = [self.completion(path, outcome) for path, outcome in outcomes.items()]
        self.applied.extend(completions)
        advanced = advance(
            self.run,
            Happened(
                completions=completions,
                dues=[Due(key=key) for key in dues],
                stored=self._told(),
            ),
            seat=self.seat,
            resolve=self.resolve,
            takes=self.taken is None,
        )
        claimed = [*advanced.now, *advanced.later]
        self.hold(claimed)
        self.unstored |= {item.lease_id for item in claimed}
        if advanced.taken is not None:
            self._begin_storing(advanced.taken)
        return advanced

    def _begin_storing(self, taken: Taken) -> None:
        self.taken = taken
        self.being_stored, self.applied = self.applied, []
        self.unstored_being_stored, self.unstored = self.unstored, set()

    def commit(self) -> bool:
        """Store what was taken; false if somebody else had moved the run."""
        if self.taken is None:
            taken = take_if_changed(self.run, stored=self._told())
            if taken is None:
                return True
            self._begin_storing(taken)
        assert self.taken is not None
        good, announcement = commit([self.taken])
        if not good:
            return False
        self.stored.append(self.taken.draft)
        self.taken = None
        self.being_stored = []
        self.unstored_being_stored = set()
        follow_up(announcement, resolve=self.resolve)
        return True

    def commit_all(self) -> None:
        """Store until memory and tables say the same."""
        assert self.commit()
        assert self.commit()
        assert_same(self.run)

    def forget(self) -> set[str]:
        """Forget the run with claims that are not stored; gives their leases."""
        self.live = self.taken = None
        self.stored = []
        unstored = self.unstored | self.unstored_being_stored
        self.unstored, self.unstored_being_stored = set(), set()
        self.held = {p: item for p, item in self.held.items() if item.lease_id not in unstored}
        return unstored

    def let_go(self) -> Finished:
        """Forget what ran ahead; what was completed of claims goes the ordinary way."""
        completions = [*self.being_stored, *self.applied]
        self.being_stored, self.applied = [], []
        unstored = self.forget()
        self.redone = [item for item in completions if item.lease_id not in unstored]
        return self.finish(self.redone)

    def _told(self) -> list[Draft]:
        stored, self.stored = self.stored, []
        return stored


def assert_same(live: LiveRun) -> None:
    """The run in memory is what its rows say."""
    row = Run.objects.get(id=live.row.id)
    assert (row.status, row.open_steps, row.made_steps, row.event_seq) == (
        live.status_now,
        live.open_steps,
        live.made_steps,
        live.seq,
    )
    fresh = StepRows(live.row.id, next_scope=lambda: 0)
    for step in list(live.steps.known()):
        assert shown(step) == shown(fresh.get(step.key))


def shown(step: StepState) -> dict[str, Any]:
    """A step without what is of this process alone."""
    state = asdict(step)
    state["is_new"] = False
    state["usage"] = state["usage"] or None
    for name in ("lease_id", "session_id"):
        state[name] = state[name] and UUID(state[name])
    return {name: rounded(value) for name, value in state.items()}


def rounded(value: Any) -> Any:
    return round(value, 3) if isinstance(value, float) else value
