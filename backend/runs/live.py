"""A run in a process's memory: passes change it, and what they changed is taken to be stored."""

import random
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings

from backend.api.ids import new_id
from backend.api.sql import query
from backend.engine import events
from backend.engine.advance import BUDGET_EXCEEDED, Pass
from backend.engine.document import Document
from backend.engine.outcomes import Failed, Outcome
from backend.engine.plan import ROOT_SCOPE, Key, Plan
from backend.engine.state import RunStatus, StepStatus
from backend.engine.step_state import (
    Draft,
    EventDraft,
    Means,
    RunEnd,
    RunLimits,
    Standing,
    StepState,
)
from backend.limits.ledger import Ended
from backend.runs import results, writes
from backend.runs.inline import ComputeFactory, no_inline
from backend.runs.outputs import Outputs
from backend.runs.patching import patch_for_step
from backend.runs.results import Encoded
from backend.runs.rows import StepRows
from backend.runs.scope import View
from backend.runs.writes import Owner, Writes


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """A run's row as it was read."""

    id: UUID
    workspace_id: UUID
    workflow_id: UUID
    workflow_name: str
    graph_id: UUID
    status: RunStatus
    inputs: Mapping[str, Any]
    open_steps: int
    made_steps: int
    scope_count: int
    event_seq: int
    plan_version: int
    priority: int
    depth: int
    parent_run_id: UUID | None
    parent_step_id: UUID | None
    budget_id: UUID | None
    started_at: datetime | None
    now: datetime
    #: What is limited in the workspace, as steps name it in `limits`.
    limited: frozenset[str] = frozenset()
    #: Over its budget the run pauses; else it fails.
    pauses_over_budget: bool = False
    #: A pass was left for the next to go on with.
    unfinished: bool = False


@dataclass(frozen=True, kw_only=True)
class Claimed:
    """A step that this process may run, under the lease in `lease_id`."""

    run: RunRow
    key: Key
    step_id: str
    path: str
    attempt: int
    lease_id: str
    #: When it was claimed, by the database's clock and by this process's monotonic one.
    at: datetime
    monotonic: float = field(default_factory=time.monotonic)

    @property
    def now(self) -> datetime:
        """The database's time; a worker's own clock may be wrong."""
        return self.at + timedelta(seconds=time.monotonic() - self.monotonic)


class LiveRun:
    """A run's state, good as long as nobody else has moved it: `seq` tells by the row's."""

    def __init__(
        self, row: RunRow, plan: Plan, compute: ComputeFactory, *, ahead: bool = False
    ) -> None:
        self.row = row
        self.plan = plan
        self.graph_id = row.graph_id
        self.plan_version = row.plan_version
        self.status = row.status
        self.open_steps = row.open_steps
        self.made_steps = row.made_steps
        self.scope_count = row.scope_count
        #: The number of the latest event that is stored, and of the latest that was taken.
        self.stored_seq = row.event_seq
        self.seq = row.event_seq
        self.started_at = row.started_at
        self.end: RunEnd | None = None
        self.unfinished = row.unfinished
        #: Seconds of evaluation in the pass that is under way.
        self.evaluated_s = 0.0
        self.steps = StepRows(row.id, next_scope=self._next_scope)
        self.outputs = Outputs(run_id=row.id, workspace_id=row.workspace_id)
        self.encoded: dict[Key, Encoded] = {}
        self.encoded_results: dict[int, Encoded] = {}
        self.claimed: list[Claimed] = []
        self.draft = Draft()
        self.outputs.add(self.draft)
        self.new_run: dict[str, Any] | None = None
        #: The document of the graph, once it was read to be changed.
        self.document: Document | None = None
        self._ahead = ahead
        self._read_at = time.monotonic()
        #: Whether this process evaluates what passes ask for.
        self.computes = compute is not no_inline
        self._compute = compute(self)

    # -- what a pass is given ---------------------------------------------------------------------

    @property
    def now(self) -> datetime:
        """The database's time; in a run that is kept, as far as it has gone on since."""
        if not self._ahead:
            return self.row.now
        return self.row.now + timedelta(seconds=time.monotonic() - self._read_at)

    @property
    def view(self) -> View:
        """The run as its steps see it."""
        return View(
            self.plan,
            steps=self,
            outputs=self.outputs,
            inputs=self.row.inputs,
            run_names=run_names(self.row, self.started_at),
        )

    def ports_of(self, key: Key) -> Sequence[str]:
        """Out ports that a step took."""
        return self.steps.get(key).ports

    def scope(self, no: int) -> Any:
        """The scope with this number."""
        return self.steps.scope(no)

    def index_of(self, scopes: Collection[int]) -> Mapping[int, int]:
        """The places of items in their map, by the numbers of their scopes."""
        sql = "SELECT no, index FROM runs_itemscope WHERE run_id = %s AND no = ANY(%s)"
        stored: dict[int, int] = dict(query(sql, [self.row.id, list(scopes)]))
        missing = [no for no in scopes if no not in stored]
        return stored | {no: self.steps.scope(no).index for no in missing}

    def _next_scope(self) -> int:
        self.scope_count += 1
        return self.scope_count

    # -- passes -----------------------------------------------------------------------------------

    def begin_pass(self) -> Pass:
        """Make a pass over the run as it stands. To be closed by `close_pass`."""
        self.evaluated_s = 0.0
        return Pass(
            self.plan,
            self.steps,
            self.draft,
            standing=Standing(
                now=self.now,
                open_steps=self.open_steps,
                made_steps=self.made_steps,
                is_paused=self.is_paused,
                pauses_over_budget=self.row.pauses_over_budget,
            ),
            means=Means(
                compute=self._compute,
                uniform=random.uniform,
                new_id=lambda: str(new_id()),
                patch=self._patch,
                limits=RunLimits(
                    max_items=settings.HEDDLE_MAX_MAP_ITEMS,
                    max_steps=settings.HEDDLE_MAX_RUN_STEPS,
                ),
            ),
        )

    def close_pass(self, done: Pass) -> None:
        """Take over what the pass came to."""
        self.open_steps = done.open_steps
        self.made_steps = done.made_steps
        if done.is_paused:
            self.status = RunStatus.PAUSED
        elif self.status is RunStatus.PAUSED:
            self.status = RunStatus.RUNNING
        self.end = self.end or done.end
        # What was left stays left until a pass goes on with it.
        self.unfinished = self.end is None and (self.unfinished or done.unfinished)

    def apply(self, outcomes: Sequence[tuple[Key, Outcome]]) -> None:
        """Take outcomes and follow what they unlock."""
        current = self.begin_pass()
        current.apply(outcomes)
        self.close_pass(current)

    def compute(self, keys: Sequence[Key]) -> None:
        """Evaluate inline steps that are ready, and follow what they unlock."""
        self._start()
        current = self.begin_pass()
        current.compute(keys)
        self.close_pass(current)

    def resume(self) -> None:
        """Go on with what an earlier pass left."""
        self.unfinished = False
        current = self.begin_pass()
        current.resume()
        self.close_pass(current)

    def finish(self, end: RunEnd, reason: str) -> None:
        """End the run now."""
        current = self.begin_pass()
        current.finish(end, reason)
        self.close_pass(current)

    def go_over_budget(self, message: str) -> None:
        """Pause the run, or fail it, for it may start no more steps."""
        current = self.begin_pass()
        if self.row.pauses_over_budget:
            current.pause(message)
        else:
            error = Failed(BUDGET_EXCEEDED, message).to_json("")
            current.finish(RunEnd(RunStatus.FAILED, {**error, "node_id": None}), message)
        self.close_pass(current)

    def claim(self, step: StepState, session_id: UUID) -> Claimed:
        """Give a ready step to a worker process under a new lease."""
        self._start()
        step.status = StepStatus.RUNNING
        step.attempt += 1
        step.lease_id = str(uuid4())
        step.session_id = str(session_id)
        step.started_at = self.now
        step.count_wait(step.started_at)
        step.not_before = None
        step.limited_by = ""
        self.draft.steps[step.key] = step
        self.draft.ready.pop(step.key, None)
        self.draft.events.append(EventDraft(events.STEP_STARTED, self.now, step.key, step.attempt))
        claimed = Claimed(
            run=self._row_now(),
            key=step.key,
            step_id=step.id,
            path=step.path,
            attempt=step.attempt,
            lease_id=step.lease_id,
            at=step.started_at,
        )
        self.claimed.append(claimed)
        return claimed

    def _row_now(self) -> RunRow:
        """The row as whoever runs a step needs it, with the graph and the start of now."""
        if (self.row.graph_id, self.row.started_at) != (self.graph_id, self.started_at):
            self.row = replace(self.row, graph_id=self.graph_id, started_at=self.started_at)
        return self.row

    def ready_steps(self) -> list[StepState]:
        """Steps that were made ready and may start now, the most urgent first."""
        steps = [self.steps.get(key) for key in self.draft.ready]
        now = self.now
        ready = [
            step
            for step in steps
            if step.status is StepStatus.READY and (step.not_before or now) <= now
        ]
        return sorted(ready, key=lambda step: (-self.plan.nodes[step.no].rank, step.key))

    def _start(self) -> None:
        if self.status is RunStatus.QUEUED:
            self.status = RunStatus.RUNNING
            self.started_at = self.now
            self.draft.events.append(EventDraft(events.RUN_STARTED, self.now))

    def _patch(
        self, current: Pass, key: Key, operations: Sequence[Mapping[str, Any]]
    ) -> Failed | None:
        return patch_for_step(self, current, key, operations)

    @property
    def is_paused(self) -> bool:
        """Whether nothing new may start."""
        return self.status is RunStatus.PAUSED

    @property
    def is_counted(self) -> bool:
        """Whether every start is counted against a budget, as only a pull does."""
        return self.row.budget_id is not None

    @property
    def has_ready_steps(self) -> bool:
        """Whether steps that it knows of could start and were not claimed."""
        return any(
            step.status is StepStatus.READY and step.not_before is None
            for step in self.steps.known()
        )

    @property
    def starts_by_pull(self) -> bool:
        """Whether some of its steps need a seat or are counted: only a pull starts them."""
        limited = bool(self.row.limited)
        return self.is_counted or (limited and any(self.is_limited(n.no) for n in self.plan.nodes))

    def is_limited(self, no: int) -> bool:
        """Whether steps of a node need a seat, as only a pull gives them."""
        limited = self.row.limited
        return bool(limited) and not limited.isdisjoint(self.limit_keys(no))

    def limit_keys(self, no: int) -> tuple[str, ...]:
        """What steps of a node are counted by while they run."""
        return writes.limit_keys(self.owner, no)

    # -- taking -----------------------------------------------------------------------------------

    @property
    def owner(self) -> Owner:
        """What every step of the run has in common."""
        return Owner(
            run_id=str(self.row.id),
            workspace_id=str(self.row.workspace_id),
            workflow_id=str(self.row.workflow_id),
            priority=self.row.priority,
            plan=self.plan,
        )

    def take(self) -> tuple[Draft, Writes]:
        """Take what passes changed since the last time, as rows. The run goes on from there."""
        draft, self.draft = self.draft, Draft()
        self.outputs.add(self.draft)
        # What waits for its turn is not stored twice, and is not forgotten.
        self.draft.ready = {
            key: None for key in draft.ready if self.steps.get(key).status is StepStatus.READY
        }
        self._note_progress(draft)
        taken = Writes(run={}, workspace_id=self.row.workspace_id)
        taken.new_run, self.new_run = self.new_run, None
        taken.reopened = draft.reopened
        if self.row.budget_id is not None:
            budget_id = self.row.budget_id
            taken.ended = [
                Ended(UUID(lease), budget_id, usage) for lease, usage in draft.ended.items()
            ]
        taken.changes = [writes.change(self.row.id, made) for made in draft.changes]
        owner = self.owner
        self._take_outputs(draft, taken)
        for step in draft.steps.values():
            if step.is_new:
                taken.new_steps.append(writes.new_step(owner, step))
                step.is_new = False
            else:
                taken.steps.append(writes.changed_step(owner, step))
        self._take_scopes(draft, taken)
        self._take_events(draft, taken)
        taken.run = self._run_record()
        return draft, taken

    def saved(self, draft: Draft) -> None:
        """Say that what was taken is stored; drop from memory what has ended."""
        self.stored_seq = self.seq
        self.outputs.saved(draft)
        ended = {
            scope.no
            for scope in draft.scopes.values()
            if scope.status is not StepStatus.RUNNING and scope.no not in self.draft.scopes
        }
        if ended:
            self.outputs.forget([key for key in draft.outputs if key.scope in ended])
            self.steps.forget(ended)

    def _note_progress(self, draft: Draft) -> None:
        for step in draft.moved.values():
            if step.status is StepStatus.RUNNING and step.progress is not None:
                draft.events.append(
                    EventDraft(
                        events.STEP_PROGRESS,
                        self.now,
                        step.key,
                        step.attempt,
                        step.progress.to_json(),
                    )
                )

    def _take_outputs(self, draft: Draft, taken: Writes) -> None:
        for key, value in draft.outputs.items():
            encoded = self.encoded.get(key) or results.encode(value)
            self.encoded[key] = encoded
            taken.outputs.append(writes.output(self.steps.get(key).id, encoded))
            if encoded.digest:
                taken.large.append(encoded)
        for key, items in draft.items.items():
            encoded = results.encode(list(items))
            taken.items.append((self.steps.get(key).id, encoded))
            if encoded.digest:
                taken.large.append(encoded)
        for step in draft.moved.values():
            record = writes.container(step)
            if record is not None:
                taken.containers.append(record)

    def _take_scopes(self, draft: Draft, taken: Writes) -> None:
        run_id = str(self.row.id)
        for no in {**draft.scopes, **dict.fromkeys(draft.results)}:
            scope = self.steps.scope(no)
            result = self.encoded_results.pop(no, None)
            if result is None and no in draft.results:
                result = results.encode(draft.results[no])
            if result is not None and result.digest:
                taken.large.append(result)
            if scope.is_new:
                taken.new_scopes.append(writes.new_scope(run_id, scope, result))
                scope.is_new = False
            else:
                taken.scopes.append(writes.changed_scope(run_id, scope, result))

    def _take_events(self, draft: Draft, taken: Writes) -> None:
        rows = [self._event(event) for event in draft.events]
        if self.end is not None:
            at = writes.micros(self.now)
            type_ = f"run.{self.end.status.value}"
            rows.append([type_, at, None, None, None, None, self._end_data(self.end)])
        if rows:
            taken.chunks = writes.chunks(str(self.row.id), self.seq + 1, rows)
            self.seq += len(rows)
        for key in draft.outputs:
            self.encoded.pop(key, None)

    def _event(self, event: EventDraft) -> list[Any]:
        at = writes.micros(event.at)
        if event.key is None:
            return [event.type, at, None, None, None, None, event.data]
        step = self.steps.get(event.key)
        data = event.data
        if event.type == events.STEP_SUCCEEDED:
            data = {**data, "preview": self.encoded[event.key].preview}
        node_id = step.path.rpartition("/")[2]
        return [event.type, at, step.id, node_id, step.path, event.attempt, data]

    def _run_record(self) -> dict[str, Any]:
        ended = self.end is not None
        return {
            "id": str(self.row.id),
            "status": self.status_now.value,
            "open_steps": self.open_steps,
            "made_steps": self.made_steps,
            "scope_count": self.scope_count,
            "event_seq": self.seq,
            "error": self.end.error if self.end else None,
            "started_at": self.started_at,
            "finished_at": self.now if ended else None,
            "unfinished_at": self.now if self.unfinished else None,
            "commit_id": str(uuid4()),
            "graph_id": str(self.graph_id),
            "plan_version": self.plan_version,
        }

    @property
    def status_now(self) -> RunStatus:
        """The run's status when what was taken is stored."""
        return self.end.status if self.end is not None else self.status

    def _end_data(self, end: RunEnd) -> dict[str, Any]:
        match end.status:
            case RunStatus.SUCCEEDED:
                return self._success_data()
            case RunStatus.FAILED:
                return {"error": end.error}
            case _:
                return {"reason": end.reason}

    def _success_data(self) -> dict[str, Any]:
        # The log stays small: large outputs are read from the run.
        values = None
        try:
            values = self.run_outputs()
            fits = not results.encode(values).digest
        except (results.ResultNotStorable, OSError):
            # The run has ended all the same; who reads its outputs is told what is missing.
            fits = False
        return {"outputs": values} if fits else {"outputs": None, "large": True}

    def run_outputs(self) -> dict[str, Any]:
        """The run's outputs: what its io.output and flow.stop steps gave, by name."""
        named = {node.no: node.output_name for node in self.plan.nodes if node.output_name}
        tops = [Key(ROOT_SCOPE, no) for no in named if self.plan.nodes[no].parent is None]
        self.steps.prefetch(tops)
        given = [
            step.key
            for step in self.steps.known()
            if step.no in named and step.status is StepStatus.SUCCEEDED
        ]
        values = self.outputs.of(given)
        return {str(named[key.no]): values[key] for key in sorted(given)}


def run_names(row: RunRow, started_at: datetime | None) -> Mapping[str, Any]:
    """What expressions read as `run`."""
    return {
        "id": str(row.id),
        "started_at": started_at.isoformat() if started_at else None,
        "workflow": row.workflow_name,
    }
