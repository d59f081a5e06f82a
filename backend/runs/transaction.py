"""The frame of every transition: lock the runs, pass over them, store everything, then announce.

Every change of a run or its steps happens while the run's row is locked, and the rows are locked
first, in the order of their ids. So two transitions of one run never overlap, and none deadlock.
"""

import json
import logging
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from backend.engine import events
from backend.engine.advance import EvaluateInline, EventDraft, Pass, RunEnd, StepState
from backend.engine.outcomes import Outcome
from backend.engine.plan import Plan
from backend.engine.state import RunStatus, StepStatus
from backend.runs import dispatch, log, outputs, results, rows
from backend.runs.dispatch import Hint
from backend.runs.log import LogEntry
from backend.runs.outputs import Outputs
from backend.runs.results import Encoded
from backend.runs.sql import execute, query

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """A run whose row is locked, as it was when the lock was taken."""

    id: UUID
    workspace_id: UUID
    workflow_id: UUID
    workflow_name: str
    graph_id: UUID
    status: RunStatus
    inputs: Mapping[str, Any]
    open_steps: int
    event_seq: int
    started_at: datetime | None
    now: datetime


LOCK = """
SELECT r.id, r.workspace_id, r.workflow_id, w.name, r.graph_id, r.status, r.inputs, r.open_steps,
       r.event_seq, r.started_at, clock_timestamp()
FROM runs_run r JOIN workflows_workflow w ON w.id = r.workflow_id
WHERE r.id = ANY(%s) AND r.status IN ('queued', 'running', 'paused')
ORDER BY r.id FOR UPDATE OF r
"""


def lock_runs(ids: Iterable[UUID], *, skip_locked: bool = False) -> list[RunRow]:
    """Lock those of the runs that have not ended, in the order of their ids.

    With `skip_locked` the runs that another transition holds are left out instead of waited for.
    """
    statement = LOCK + ("SKIP LOCKED" if skip_locked else "")
    return [_run_row(row) for row in query(statement, [sorted(set(ids))])]


def _run_row(row: tuple[Any, ...]) -> RunRow:
    return RunRow(
        id=row[0],
        workspace_id=row[1],
        workflow_id=row[2],
        workflow_name=row[3],
        graph_id=row[4],
        status=RunStatus(row[5]),
        inputs=row[6],
        open_steps=row[7],
        event_seq=row[8],
        started_at=row[9],
        now=row[10],
    )


@dataclass(frozen=True, kw_only=True)
class Claimed:
    """A step that this process may run, under the lease in `step`."""

    run: RunRow
    step: StepState


@dataclass
class Announcement:
    """What is said after the commit, gathered over all runs of a transaction."""

    lanes: set[str] = field(default_factory=set)
    hints: list[Hint] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)

    def send(self) -> None:
        """Say it. To be called when the transaction is committed."""
        dispatch.announce(lanes=self.lanes, hints=self.hints, stopped=self.stopped)


#: Makes the function by which a pass computes inline steps.
InlineFactory = Callable[["RunChange"], EvaluateInline]


class RunChange:
    """A pass over one locked run, with what the shell adds to it: leases, encoded outputs."""

    def __init__(self, run: RunRow, plan: Plan, evaluate: InlineFactory) -> None:
        self.run = run
        self.plan = plan
        self.steps = rows.StepRows(run.id)
        self.encoded: dict[int, Encoded] = {}
        self.claimed: list[Claimed] = []
        self.started_now = False
        self.pass_ = Pass(
            plan,
            self.steps,
            open_steps=run.open_steps,
            now=run.now,
            evaluate=evaluate(self),
            uniform=random.uniform,
        )
        self.outputs = Outputs(
            run_id=run.id, workspace_id=run.workspace_id, unsaved=self.pass_.outputs
        )

    def apply(self, outcomes: Sequence[tuple[int, Outcome]]) -> None:
        """Take outcomes and follow what they unlock."""
        self.pass_.apply(outcomes)

    def claim(self, step: StepState, session_id: UUID) -> Claimed:
        """Give a ready step to a worker process under a new lease."""
        if self.run.status is RunStatus.QUEUED and not self.started_now:
            self.started_now = True
            self.pass_.events.insert(0, EventDraft(events.RUN_STARTED))
        step.status = StepStatus.RUNNING
        step.attempt += 1
        step.lease_id = str(uuid4())
        step.session_id = str(session_id)
        step.started_at = self.run.now
        step.not_before = None
        self.pass_.changed[step.no] = step
        self.pass_.events.append(EventDraft(events.STEP_STARTED, step.no, step.attempt))
        claimed = Claimed(run=self.run, step=step)
        self.claimed.append(claimed)
        return claimed

    def ready_steps(self) -> list[StepState]:
        """Steps that this pass made ready and that may start now, the most urgent first."""
        steps = [self.steps.get(no) for no in dict.fromkeys(self.pass_.ready)]
        ready = [s for s in steps if s.status is StepStatus.READY and s.not_before is None]
        return sorted(ready, key=lambda step: (-self.plan.nodes[step.no].rank, step.no))


def no_inline(change: RunChange) -> EvaluateInline:
    """Leave inline steps to workers: for processes that evaluate nothing."""
    del change
    return lambda numbers: [None] * len(numbers)


def store(changes: Sequence[RunChange]) -> Announcement:
    """Write what the passes changed: outputs, steps, events and runs, each as one statement."""
    announcement = Announcement()
    entries: list[LogEntry] = []
    for change in changes:
        _encode_outputs(change)
        entries.extend(_entries(change))
        outputs.write(change.run.workspace_id, _outputs_by_step(change))
    rows.write(step for change in changes for step in change.pass_.changed.values())
    latest = log.append(entries)
    _update_runs(changes)
    for change in changes:
        _gather(announcement, change, latest.get(change.run.id))
    return announcement


def _encode_outputs(change: RunChange) -> None:
    for no, value in change.pass_.outputs.items():
        if no not in change.encoded:
            change.encoded[no] = results.encode(value)


def _outputs_by_step(change: RunChange) -> dict[str, Encoded]:
    return {change.steps.get(no).id: change.encoded[no] for no in change.pass_.outputs}


def _entries(change: RunChange) -> list[LogEntry]:
    run = change.run
    entries = [_entry(change, draft) for draft in change.pass_.events]
    end = change.pass_.end
    if end is not None:
        entries.append(
            LogEntry(
                run_id=run.id,
                type=f"run.{end.status.value}",
                at=run.now,
                data=_end_data(change, end),
            )
        )
    return entries


def _entry(change: RunChange, draft: EventDraft) -> LogEntry:
    run = change.run
    if draft.no is None:
        return LogEntry(run_id=run.id, type=draft.type, at=run.now, data=draft.data)
    step = change.steps.get(draft.no)
    data = dict(draft.data)
    if draft.type == events.STEP_SUCCEEDED:
        data["preview"] = change.encoded[draft.no].preview
    return LogEntry(
        run_id=run.id,
        type=draft.type,
        at=run.now,
        step_id=step.id,
        node=change.plan.nodes[draft.no].id,
        path=step.path,
        attempt=draft.attempt,
        data=data,
    )


def _end_data(change: RunChange, end: RunEnd) -> dict[str, Any]:
    match end.status:
        case RunStatus.SUCCEEDED:
            return _success_data(change)
        case RunStatus.FAILED:
            return {"error": end.error}
        case _:
            return {"reason": end.reason}


def _success_data(change: RunChange) -> dict[str, Any]:
    # The log stays small: large outputs are read from the run.
    values = None
    try:
        values = run_outputs(change)
        fits = not results.encode(values).digest
    except results.ResultNotStorable:
        fits = False
    except OSError:
        # The run has ended all the same; who reads its outputs is told that one is missing.
        logger.exception("result_unreadable", extra={"run": str(change.run.id)})
        fits = False
    return {"outputs": values} if fits else {"outputs": None, "large": True}


def run_outputs(change: RunChange) -> dict[str, Any]:
    """The run's outputs: what its io.output steps gave, by name."""
    ends = [node for node in change.plan.nodes if node.output_name is not None]
    given = [n for n in ends if change.steps.get(n.no).status is StepStatus.SUCCEEDED]
    values = change.outputs.of([node.no for node in given])
    return {str(node.output_name): values[node.no] for node in given}


UPDATE_RUNS = """
UPDATE runs_run r SET
    status = c.status, open_steps = c.open_steps, error = c.error,
    started_at = COALESCE(r.started_at, c.started_at), finished_at = c.finished_at
FROM json_to_recordset(%s::json) AS c(
    id uuid, status text, open_steps int, error json, started_at timestamptz,
    finished_at timestamptz)
WHERE r.id = c.id
"""


def status_after(change: RunChange) -> RunStatus:
    """The run's status when the change is stored."""
    if change.pass_.end is not None:
        return change.pass_.end.status
    return RunStatus.RUNNING if change.started_now else change.run.status


def _update_runs(changes: Sequence[RunChange]) -> None:
    records = []
    for change in changes:
        end = change.pass_.end
        now = change.run.now.isoformat()
        records.append(
            {
                "id": str(change.run.id),
                "status": status_after(change).value,
                "open_steps": change.pass_.open_steps,
                "error": end.error if end else None,
                "started_at": now if change.started_now else None,
                "finished_at": now if end else None,
            }
        )
    if records:
        execute(UPDATE_RUNS, [json.dumps(records)])


def _gather(announcement: Announcement, change: RunChange, seq: int | None) -> None:
    run = change.run
    if seq is not None:
        announcement.hints.append(
            Hint(run.id, run.workspace_id, run.workflow_id, seq, status_after(change).value)
        )
    announcement.lanes.update(change.plan.nodes[step.no].lane for step in change.ready_steps())
    announcement.stopped.extend(step.lease_id for step in change.pass_.stopped if step.lease_id)
