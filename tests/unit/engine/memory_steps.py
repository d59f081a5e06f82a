"""The steps and scopes of one run in dictionaries, as a pass asks for them."""

from collections.abc import Iterable
from typing import Any

from backend.engine.containers import ScopeState
from backend.engine.plan import ROOT_SCOPE, Key, Plan
from backend.engine.state import StepStatus
from backend.engine.step_state import StepState


class MemorySteps:
    """Rows that were never stored."""

    def __init__(self, plan: Plan) -> None:
        self.states: dict[Key, StepState] = {}
        self.scopes: dict[int, ScopeState] = {}
        for no in plan.inside(None):
            self.create(Key(ROOT_SCOPE, no), path=plan.nodes[no].id, pending=len(plan.incoming[no]))

    def get(self, key: Key) -> StepState:
        return self.states[key]

    def at(self, no: int) -> StepState:
        """The step of a node that is in no container."""
        return self.states[Key(ROOT_SCOPE, no)]

    def prefetch(self, keys: Iterable[Key]) -> None:
        assert all(key in self.states for key in keys)

    def open(self) -> list[StepState]:
        return [step for step in self._sorted() if not step.status.is_final]

    def open_in(self, scope: int) -> list[StepState]:
        return [step for step in self.all_in(scope) if not step.status.is_final]

    def all_in(self, scope: int) -> list[StepState]:
        return [step for step in self._sorted() if step.key.scope == scope]

    def scopes_of(self, container: Key) -> list[ScopeState]:
        return [scope for scope in self.scopes.values() if scope.container == container]

    def create(self, key: Key, *, path: str, pending: int) -> StepState:
        assert key not in self.states
        step = StepState(f"step-{key.scope}-{key.no}", key, path, pending=pending, is_new=True)
        self.states[key] = step
        return step

    def scope(self, no: int) -> ScopeState:
        return self.scopes[no]

    def running_scopes(self, container: Key) -> list[ScopeState]:
        return [s for s in self.scopes_of(container) if s.status is StepStatus.RUNNING]

    def create_scope(self, container: StepState, *, index: int, state: Any) -> ScopeState:
        scope = ScopeState(
            len(self.scopes) + 1,
            container.key,
            index,
            f"{container.path}[{index}]/",
            state=state,
            is_new=True,
        )
        self.scopes[scope.no] = scope
        return scope

    def _sorted(self) -> list[StepState]:
        return [self.states[key] for key in sorted(self.states)]
