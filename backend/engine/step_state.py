"""Steps, scopes and what a pass leaves behind: the values between a pass and the shell."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol

from backend.engine.containers import Progress, ScopeState
from backend.engine.outcomes import Called, Failed, Outcome
from backend.engine.plan import Key
from backend.engine.state import RunStatus, StepStatus


@dataclass(slots=True)
class StepState:
    """A step's row inside a pass. The pass changes it; the shell stores what changed."""

    id: str
    key: Key
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
    #: The limit that kept it from being started when it was last looked at.
    limited_by: str = ""
    #: Seconds for which it was ready and did not run: for want of a worker, under a limit, before
    #: it was tried again.
    waited_slot_s: float = 0.0
    waited_limit_s: float = 0.0
    waited_retry_s: float = 0.0
    #: Waits for a signal from outside.
    awaits_signal: bool = False
    #: The run that another workflow makes for it.
    child_run_id: str | None = None
    #: Set while and after a container goes over its items.
    progress: Progress | None = None
    #: Not stored yet.
    is_new: bool = False

    @property
    def no(self) -> int:
        """The number of its node in the plan."""
        return self.key.no

    @property
    def has_started(self) -> bool:
        """Whether its node stays as it is; one that is ready, or held by a pause, may not have."""
        if self.status is StepStatus.PENDING:
            return False
        return self.status not in (StepStatus.READY, StepStatus.HELD) or self.attempt > 0

    def count_wait(self, now: datetime) -> None:
        """Count for what it waited since it was ready; to be called when it starts."""
        since = self.ready_at or now
        if self.not_before is not None and self.not_before > since:
            put_off = (min(self.not_before, now) - since).total_seconds()
            since = max(since, min(self.not_before, now))
            if self.limited_by:
                self.waited_limit_s += put_off
            else:
                self.waited_retry_s += put_off
        left = max(0.0, (now - since).total_seconds())
        if self.limited_by:
            self.waited_limit_s += left
        else:
            self.waited_slot_s += left


class Steps(Protocol):
    """Where a pass finds the steps of its run; for one step it is always the same object."""

    def get(self, key: Key) -> StepState:
        """The step with this key."""
        ...

    def prefetch(self, keys: Iterable[Key]) -> None:
        """Say which steps will be asked for, so that they are read at once."""
        ...

    def open(self) -> Sequence[StepState]:
        """Every step that is not final, in the order of keys."""
        ...

    def open_in(self, scope: int) -> Sequence[StepState]:
        """Every step of a scope that is not final, those of inner scopes not included."""
        ...

    def all_in(self, scope: int) -> Sequence[StepState]:
        """Every step of a scope, those of inner scopes not included."""
        ...

    def scopes_of(self, container: Key) -> Sequence[ScopeState]:
        """Every item or round of a container, in their order."""
        ...

    def create(self, key: Key, *, path: str, pending: int) -> StepState:
        """Make a step that was not there before."""
        ...

    def scope(self, no: int) -> ScopeState:
        """The scope with this number; never asked for the run itself."""
        ...

    def running_scopes(self, container: Key) -> Sequence[ScopeState]:
        """The items or rounds of a container that have not ended."""
        ...

    def create_scope(self, container: StepState, *, index: int, state: Any) -> ScopeState:
        """Make a scope for an item or a round."""
        ...


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event that has no sequence number yet; `key` is the step's, if it is about one."""

    type: str
    at: datetime
    key: Key | None = None
    attempt: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RunEnd:
    """How the run ended."""

    status: RunStatus
    error: Mapping[str, Any] | None = None
    reason: str = ""


@dataclass
class Draft:
    """What passes changed and the shell has not stored yet."""

    steps: dict[Key, StepState] = field(default_factory=dict)
    scopes: dict[int, ScopeState] = field(default_factory=dict)
    events: list[EventDraft] = field(default_factory=list)
    #: Outputs of steps, and what each item of a map came to.
    outputs: dict[Key, Any] = field(default_factory=dict)
    results: dict[int, Any] = field(default_factory=dict)
    #: What containers that were opened go over.
    items: dict[Key, Sequence[Any]] = field(default_factory=dict)
    #: Workflows to be run for steps.
    calls: dict[Key, Called] = field(default_factory=dict)
    #: Steps that were made ready, and steps that run elsewhere and must be stopped.
    ready: dict[Key, None] = field(default_factory=dict)
    stopped: list[StepState] = field(default_factory=list)
    #: Steps (by id) that a retry put back to waiting: what they gave counts no more.
    reopened: list[str] = field(default_factory=list)
    #: Leases whose attempt has ended, with what it used; None if nobody tells.
    ended: dict[str, Mapping[str, Any] | None] = field(default_factory=dict)
    #: Changes of the graph, as the shell stores them.
    changes: list[Any] = field(default_factory=list)
    #: Containers whose counts moved.
    moved: dict[Key, StepState] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to store."""
        return not (self.steps or self.scopes or self.events)


class Task(NamedTuple):
    """Something to be evaluated inside the pass.

    `node`: the inline node `key`. Of the container `key`: `item`, the result of the map's item
    `scope`; `next`, the state after the loop's round `scope`; `while`, whether a loop goes on;
    `result`, what it gives in the end; `collect`, the list of a map's results.
    """

    what: Literal["node", "item", "next", "while", "result", "collect"]
    key: Key
    scope: int | None = None


@dataclass(frozen=True, slots=True)
class Computed:
    """The value of a task that is no node."""

    value: Any


#: Evaluates tasks; None leaves a task for a process that can evaluate it, or for later.
Compute = Callable[[Sequence[Task]], Sequence[Outcome | Computed | Failed | None]]
#: Changes the run's plan for a step that asked for it; gives the reason if it cannot be done.
Patch = Callable[[Any, Key, Sequence[Mapping[str, Any]]], Failed | None]


@dataclass(frozen=True, kw_only=True)
class RunLimits:
    """How large a run may grow; named by the settings in messages."""

    max_items: int = 100_000
    max_steps: int = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Where a run stands when a pass begins."""

    now: datetime
    #: Steps that are not final, and steps that were ever made.
    open_steps: int
    made_steps: int
    #: Nothing new may start; steps that would are held.
    is_paused: bool = False
    #: Over its budget the run pauses; else it fails.
    pauses_over_budget: bool = False


@dataclass(frozen=True, kw_only=True)
class Means:
    """What a pass does not do itself."""

    compute: Compute
    uniform: Callable[[float, float], float]
    new_id: Callable[[], str]
    patch: Patch
    limits: RunLimits = RunLimits()
    #: Steps that one pass makes before it lets the shell store them.
    room: int = 1000
