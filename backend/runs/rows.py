"""Steps and scopes between their rows and a scheduling pass: read what is asked for, keep it."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from backend.api.ids import new_id
from backend.api.sql import query
from backend.engine.containers import Progress, ScopeState
from backend.engine.plan import ROOT_SCOPE, Key
from backend.engine.state import FINAL_STEP, StepStatus
from backend.engine.step_state import StepState

COLUMNS = """
s.id, s.scope, s.no, s.path, s.status, s.pending, s.taken, s.attempt, s.failures, s.losses,
s.lease_id, s.ready_at, s.not_before, s.waiting_until, s.started_at, s.finished_at, s.ports,
s.error, s.usage, s.reason, s.session_id, s.parked_at, s.awaits_signal, s.child_run_id,
s.limited_by, s.waited_slot_s, s.waited_limit_s, s.waited_retry_s, c.step_id, c.total, c.begun,
c.done, c.failed, c.state, c.last_scope
"""
SELECT = f"""
SELECT {COLUMNS} FROM runs_step s LEFT JOIN runs_container c ON c.step_id = s.id
WHERE s.run_id = %s AND
"""  # noqa: S608 - no text of others
SCOPES = """
SELECT no, container_scope, container_no, index, path, status, open, state FROM runs_itemscope
WHERE run_id = %s AND
"""
FINAL = sorted(status.value for status in FINAL_STEP)


class StepRows:
    """The steps and scopes of one run, read at most once; what a pass changed is newer."""

    def __init__(self, run_id: UUID, *, next_scope: Callable[[], int]) -> None:
        self._run_id = run_id
        self._next_scope = next_scope
        self._steps: dict[Key, StepState] = {}
        self._scopes: dict[int, ScopeState] = {}
        self._by_container: dict[Key, set[int]] = {}
        self._in_scope: dict[int, list[StepState]] = {}
        #: Whether every open step, and the running scopes of these containers, were read.
        self._has_open = False
        self._has_scopes: set[Key] = set()

    def get(self, key: Key) -> StepState:
        """The step with this key."""
        step = self._steps.get(key)
        if step is None:
            self.prefetch([key])
            step = self._steps[key]
        return step

    def prefetch(self, keys: Iterable[Key]) -> None:
        """Read these steps at once."""
        wanted = [key for key in keys if key not in self._steps]
        if wanted:
            scopes, numbers = [k.scope for k in wanted], [k.no for k in wanted]
            self._read(
                "(s.scope, s.no) IN (SELECT * FROM unnest(%s::int[], %s::int[]))", scopes, numbers
            )

    def read_top(self) -> None:
        """Read every step that is in no container, at once."""
        self._read("s.scope = %s", ROOT_SCOPE)

    def open(self) -> list[StepState]:
        """Every step that is not final, in the order of keys."""
        if not self._has_open:
            self._read("s.status <> ALL(%s)", FINAL)
            self._has_open = True
        return sorted(
            (step for step in self._steps.values() if not step.status.is_final),
            key=lambda step: step.key,
        )

    def open_in(self, scope: int) -> list[StepState]:
        """Every step of a scope that is not final."""
        if not self._has_open and scope not in self._in_scope:
            self._read("s.scope = %s AND s.status <> ALL(%s)", scope, FINAL)
        return [s for s in self._in_scope.get(scope, ()) if not s.status.is_final]

    def all_in(self, scope: int) -> list[StepState]:
        """Every step of a scope, by number."""
        self._read("s.scope = %s", scope)
        found = [step for step in self._steps.values() if step.key.scope == scope]
        return sorted(found, key=lambda step: step.key)

    def scopes_of(self, container: Key) -> list[ScopeState]:
        """Every item or round of a container, in their order."""
        self._read_scopes("container_scope = %s AND container_no = %s", *container)
        return [self._scopes[no] for no in sorted(self._by_container.get(container, ()))]

    def known(self) -> Iterable[StepState]:
        """Steps that were read or made."""
        return self._steps.values()

    def create(self, key: Key, *, path: str, pending: int) -> StepState:
        """Make a step that was not there before."""
        step = StepState(str(new_id()), key, path, pending=pending, is_new=True)
        self._keep(step)
        return step

    def scope(self, no: int) -> ScopeState:
        """The scope with this number."""
        if no not in self._scopes:
            self._read_scopes("no = %s", no)
        return self._scopes[no]

    def running_scopes(self, container: Key) -> list[ScopeState]:
        """The items or rounds of a container that have not ended."""
        if container not in self._has_scopes:
            self._read_scopes(
                "container_scope = %s AND container_no = %s AND status = 'running'", *container
            )
            self._has_scopes.add(container)
        found = [self._scopes[no] for no in sorted(self._by_container.get(container, ()))]
        return [scope for scope in found if scope.status is StepStatus.RUNNING]

    def create_scope(self, container: StepState, *, index: int, state: Any) -> ScopeState:
        """Make a scope for an item or a round."""
        scope = ScopeState(
            self._next_scope(),
            container.key,
            index,
            f"{container.path}[{index}]/",
            state=state,
            is_new=True,
        )
        self._keep_scope(scope)
        self._in_scope[scope.no] = []
        return scope

    def forget(self, scopes: Iterable[int]) -> None:
        """Drop what ended from memory: a map of ten thousand items must not stay in it."""
        for no in scopes:
            for step in self._in_scope.pop(no, ()):
                self._steps.pop(step.key, None)
            scope = self._scopes.pop(no, None)
            if scope is not None:
                self._by_container.get(scope.container, set()).discard(no)

    def _read(self, condition: str, *parameters: Any) -> None:
        for row in query(SELECT + condition, [self._run_id, *parameters]):
            if Key(row[1], row[2]) not in self._steps:
                self._keep(_state(row))

    def _keep(self, step: StepState) -> None:
        self._steps[step.key] = step
        if step.key.scope != ROOT_SCOPE:
            self._in_scope.setdefault(step.key.scope, []).append(step)

    def _read_scopes(self, condition: str, *parameters: Any) -> None:
        for row in query(SCOPES + condition, [self._run_id, *parameters]):
            if row[0] not in self._scopes:
                self._keep_scope(
                    ScopeState(
                        row[0],
                        Key(row[1], row[2]),
                        row[3],
                        row[4],
                        status=StepStatus(row[5]),
                        open=row[6],
                        state=row[7],
                    )
                )

    def _keep_scope(self, scope: ScopeState) -> None:
        self._scopes[scope.no] = scope
        self._by_container.setdefault(scope.container, set()).add(scope.no)


def _state(row: tuple[Any, ...]) -> StepState:
    return StepState(
        id=str(row[0]),
        key=Key(row[1], row[2]),
        path=row[3],
        status=StepStatus(row[4]),
        pending=row[5],
        taken=row[6],
        attempt=row[7],
        failures=row[8],
        losses=row[9],
        lease_id=str(row[10]) if row[10] else None,
        ready_at=row[11],
        not_before=row[12],
        waiting_until=row[13],
        started_at=row[14],
        finished_at=row[15],
        ports=tuple(row[16]),
        error=row[17],
        usage=row[18],
        reason=row[19] or None,
        session_id=str(row[20]) if row[20] else None,
        parked_at=row[21],
        awaits_signal=row[22],
        child_run_id=str(row[23]) if row[23] else None,
        limited_by=row[24],
        waited_slot_s=row[25],
        waited_limit_s=row[26],
        waited_retry_s=row[27],
        progress=Progress(*row[29:]) if row[28] else None,
    )


def database_now() -> datetime:
    """The database's clock; no other clock decides about state."""
    now: datetime = query("SELECT clock_timestamp()")[0][0]
    return now
