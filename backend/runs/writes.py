"""What passes left behind, first as rows and then as statements: few, and each for many runs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson

from backend.api.sql import execute
from backend.engine.containers import ScopeState
from backend.engine.plan import Plan
from backend.engine.state import StepStatus
from backend.engine.step_state import StepState
from backend.limits.ledger import Ended, Ledger
from backend.runs import results
from backend.runs.copying import array, copy, escaped, line, moment
from backend.runs.patching import Change
from backend.runs.results import Encoded

#: What COPY reads as no value.
NULL = "\\N"
#: One unit of a run's priority outweighs the longest way through any graph.
RANKS_PER_PRIORITY = 10_000
#: Events that one row of the log holds at most.
CHUNK = 1000

STEP_COLUMNS = (
    "id, run_id, scope, no, node, path, kind, lane, workspace_id, priority, status, pending, "
    "taken, attempt, failures, losses, lease_id, session_id, ready_at, not_before, waiting_until, "
    "parked_at, started_at, finished_at, ports, error, usage, reason, limits, limited_by, "
    "awaits_signal, child_run_id, queue_until, waited_slot_s, waited_limit_s, waited_retry_s"
)
SCOPE_COLUMNS = (
    "run_id, no, container_scope, container_no, index, path, status, open, state, result, "
    "result_digest"
)
OUTPUT_COLUMNS = "step_id, value, digest, size, preview"
CHUNK_COLUMNS = "run_id, first, last, events"

UPDATE_STEPS = """
UPDATE runs_step s SET
    status = c.status, pending = c.pending, taken = c.taken, attempt = c.attempt,
    failures = c.failures, losses = c.losses, lease_id = c.lease_id, ready_at = c.ready_at,
    not_before = c.not_before, waiting_until = c.waiting_until, started_at = c.started_at,
    finished_at = c.finished_at, ports = c.ports, error = c.error, usage = c.usage,
    reason = c.reason, session_id = c.session_id, parked_at = c.parked_at, limits = c.limits,
    limited_by = c.limited_by, awaits_signal = c.awaits_signal, child_run_id = c.child_run_id,
    queue_until = c.queue_until, waited_slot_s = c.waited_slot_s,
    waited_limit_s = c.waited_limit_s, waited_retry_s = c.waited_retry_s
FROM json_to_recordset(%s::json) AS c(
    id uuid, status text, pending int, taken int, attempt int, failures int, losses int,
    lease_id uuid, ready_at timestamptz, not_before timestamptz, waiting_until timestamptz,
    started_at timestamptz, finished_at timestamptz, ports text[], error json, usage json,
    reason text, session_id uuid, parked_at timestamptz, limits text[], awaits_signal boolean,
    child_run_id uuid, queue_until timestamptz, limited_by text,
    waited_slot_s float8, waited_limit_s float8, waited_retry_s float8)
WHERE s.id = c.id
"""
UPDATE_SCOPES = """
UPDATE runs_itemscope s SET status = c.status, open = c.open, result = c.result,
    result_digest = c.result_digest
FROM unnest(%s::uuid[], %s::int[], %s::text[], %s::int[], %s::json[], %s::text[])
    AS c(run_id, no, status, open, result, result_digest)
WHERE s.run_id = c.run_id AND s.no = c.no
"""
WRITE_CONTAINERS = """
INSERT INTO runs_container
    (step_id, total, begun, done, failed, state, last_scope, items, items_digest)
SELECT step_id, total, begun, done, failed, state, last_scope, NULL, ''
FROM unnest(%s::uuid[], %s::int[], %s::int[], %s::int[], %s::int[], %s::json[], %s::int[])
    AS c(step_id, total, begun, done, failed, state, last_scope)
ON CONFLICT (step_id) DO UPDATE SET
    total = excluded.total, begun = excluded.begun, done = excluded.done,
    failed = excluded.failed, state = excluded.state, last_scope = excluded.last_scope
"""
SET_ITEMS = """
UPDATE runs_container c SET items = v.items, items_digest = v.digest
FROM unnest(%s::uuid[], %s::json[], %s::text[]) AS v(step_id, items, digest)
WHERE c.step_id = v.step_id
"""
INSERT_RUN = """
INSERT INTO runs_run (
    id, workspace_id, workflow_id, graph_id, version, status, inputs, trigger, priority,
    deadline_at, event_seq, open_steps, made_steps, scope_count, plan_version, unfinished_at,
    parent_step_id, parent_run_id, depth, budget_id, idempotency_key, request_digest,
    created_by_id, created_at, started_at, finished_at, error)
VALUES (
    %(id)s, %(workspace_id)s, %(workflow_id)s, %(graph_id)s, %(version)s, %(status)s,
    %(inputs)s::json, %(trigger)s, %(priority)s, %(deadline_at)s, %(event_seq)s, %(open_steps)s,
    %(made_steps)s, %(scope_count)s, 0, %(unfinished_at)s, %(parent_step_id)s, %(parent_run_id)s,
    %(depth)s, %(budget_id)s, %(idempotency_key)s, %(request_digest)s, %(created_by_id)s,
    %(created_at)s, %(started_at)s, %(finished_at)s, NULL)
ON CONFLICT (workspace_id, idempotency_key) DO NOTHING
"""
INSERT_GRAPH = """
INSERT INTO workflows_graph (id, workspace_id, digest, document, plan, created_at)
SELECT %(graph_id)s, workspace_id, %(digest)s, %(document)s::json, %(plan)s::jsonb, %(at)s
FROM runs_run WHERE id = %(run_id)s
"""
INSERT_CHANGE = """
INSERT INTO runs_graphchange
    (run_id, number, operations, graph_id, step_id, created_by_id, note, created_at)
VALUES (%(run_id)s, %(number)s, %(operations)s::json, %(graph_id)s, %(step_id)s, %(user_id)s,
    %(note)s, %(at)s)
"""
# A node that was replaced may be of another kind.
RETYPE = """
UPDATE runs_step s SET kind = n.kind, lane = n.lane
FROM unnest(%(ids)s::text[], %(kinds)s::text[], %(lanes)s::text[]) AS n(node, kind, lane)
WHERE s.run_id = %(run_id)s AND s.scope = 0 AND s.node = n.node
AND s.status IN ('pending', 'ready')
"""
UPDATE_RUNS = """
UPDATE runs_run r SET
    status = c.status, open_steps = c.open_steps, made_steps = c.made_steps,
    scope_count = c.scope_count, event_seq = c.event_seq, error = c.error,
    started_at = COALESCE(r.started_at, c.started_at), finished_at = c.finished_at,
    unfinished_at = c.unfinished_at, graph_id = c.graph_id, plan_version = c.plan_version,
    commit_id = c.commit_id
FROM json_to_recordset(%s::json) AS c(
    id uuid, status text, open_steps int, made_steps int, scope_count int, event_seq bigint,
    error json, started_at timestamptz, finished_at timestamptz, unfinished_at timestamptz,
    graph_id uuid, plan_version int, commit_id uuid)
WHERE r.id = c.id
"""


@dataclass
class Writes:
    """Everything that one commit writes about one run."""

    run: dict[str, Any]
    #: The columns of a run that is stored for the first time, beside those in `run`.
    new_run: dict[str, Any] | None = None
    changes: list[dict[str, Any]] = field(default_factory=list)
    #: Ids of steps whose output counts no more.
    reopened: list[str] = field(default_factory=list)
    #: Attempts of a run with a budget that have ended.
    ended: list[Ended] = field(default_factory=list)
    new_steps: list[str] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    new_scopes: list[str] = field(default_factory=list)
    scopes: list[tuple[Any, ...]] = field(default_factory=list)
    containers: list[tuple[Any, ...]] = field(default_factory=list)
    items: list[tuple[str, Encoded]] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    chunks: list[str] = field(default_factory=list)
    #: Results that belong into the store, and whose.
    large: list[Encoded] = field(default_factory=list)
    workspace_id: UUID | None = None


def insert_run(writes: Writes) -> bool:
    """Write a new run's row; false if there is one with the same idempotency key."""
    return execute(INSERT_RUN, {**(writes.new_run or {}), **writes.run}) == 1


def write(all_writes: Sequence[Writes]) -> None:
    """Write it, each table with one statement. Large results are in the store before their rows.

    The row of a new run is there already.
    """
    for writes in all_writes:
        for encoded in writes.large:
            if writes.workspace_id is not None:
                results.keep(writes.workspace_id, encoded)
    for record in _all(w.changes for w in all_writes):
        execute(INSERT_GRAPH, record)
        execute(INSERT_CHANGE, record)
        execute(RETYPE, record)
    reopened = _all(w.reopened for w in all_writes)
    if reopened:
        execute("DELETE FROM runs_stepoutput WHERE step_id = ANY(%s)", [reopened])
    copy("runs_step", STEP_COLUMNS, _all(w.new_steps for w in all_writes))
    _update(UPDATE_STEPS, _all(w.steps for w in all_writes))
    copy("runs_itemscope", SCOPE_COLUMNS, _all(w.new_scopes for w in all_writes))
    _update_arrays(UPDATE_SCOPES, _all(w.scopes for w in all_writes))
    _update_arrays(WRITE_CONTAINERS, _all(w.containers for w in all_writes))
    _write_items(_all(w.items for w in all_writes))
    copy("runs_stepoutput", OUTPUT_COLUMNS, _all(w.outputs for w in all_writes))
    copy("runs_eventchunk", CHUNK_COLUMNS, _all(w.chunks for w in all_writes))
    _update(UPDATE_RUNS, [w.run for w in all_writes if w.new_run is None])
    _settle(_all(w.ended for w in all_writes))


def _settle(ended: Sequence[Ended]) -> None:
    if not ended:
        return
    ledger = Ledger.lock(one.budget_id for one in ended)
    ledger.settle(ended)
    ledger.save()


def _all(lists: Iterable[list[Any]]) -> list[Any]:
    return [item for items in lists for item in items]


def _update(statement: str, records: list[dict[str, Any]]) -> None:
    if records:
        execute(statement, [_json(records)])


def _update_arrays(statement: str, rows: list[tuple[Any, ...]]) -> None:
    # Arrays of JSON texts, not one JSON array: a value may hold NUL, which `json` itself stores.
    if rows:
        execute(statement, [list(column) for column in zip(*rows, strict=True)])


def _json(value: Any) -> str:
    try:
        return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:
        # Integers beyond 64 bits: rare, and the standard library writes them.
        return json.dumps(value, default=str, separators=(",", ":"))


def _write_items(items: list[tuple[str, Encoded]]) -> None:
    if items:
        execute(
            SET_ITEMS,
            [
                [step_id for step_id, _ in items],
                [None if encoded.digest else encoded.text for _, encoded in items],
                [encoded.digest for _, encoded in items],
            ],
        )


# -- rows -----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Owner:
    """What every step of a run has in common."""

    run_id: str
    workspace_id: str
    workflow_id: str
    priority: int
    plan: Plan


def new_step(owner: Owner, step: StepState) -> str:
    """The row of a step that was not stored before."""
    node = owner.plan.nodes[step.no]
    # One text, not a list of fields: a map of ten thousand items writes tens of thousands.
    return (
        f"{step.id}\t{owner.run_id}\t{step.key.scope}\t{step.no}\t{node.id}\t{escaped(step.path)}"
        f"\t{escaped(node.kind)}\t{node.lane}\t{owner.workspace_id}"
        f"\t{owner.priority * RANKS_PER_PRIORITY + node.rank}\t{step.status.value}"
        f"\t{step.pending}\t{step.taken}\t{step.attempt}\t{step.failures}\t{step.losses}"
        f"\t{step.lease_id or NULL}\t{step.session_id or NULL}\t{moment(step.ready_at)}"
        f"\t{moment(step.not_before)}\t{moment(step.waiting_until)}\t{moment(step.parked_at)}"
        f"\t{moment(step.started_at)}\t{moment(step.finished_at)}\t{array(step.ports)}"
        f"\t{_document(step.error)}\t{_document(step.usage)}\t{escaped(step.reason or '')}"
        f"\t{array(_counted_by(owner, step))}\t{step.limited_by}"
        f"\t{'t' if step.awaits_signal else 'f'}\t{step.child_run_id or NULL}"
        f"\t{moment(queue_until(owner, step))}\t{step.waited_slot_s}\t{step.waited_limit_s}"
        f"\t{step.waited_retry_s}\n"
    )


def _document(value: Mapping[str, Any] | None) -> str:
    return NULL if value is None else escaped(_json(value))


def limit_keys(owner: Owner, no: int) -> tuple[str, ...]:
    """What steps of a node are counted by while they run; a container is no work of its own."""
    node = owner.plan.nodes[no]
    if node.container is not None:
        return ()
    return ("workspace", f"workflow:{owner.workflow_id}", *node.limits)


def _counted_by(owner: Owner, step: StepState) -> tuple[str, ...]:
    is_counted = step.status in (StepStatus.READY, StepStatus.RUNNING)
    return limit_keys(owner, step.no) if is_counted else ()


def queue_until(owner: Owner, step: StepState) -> datetime | None:
    """When a step that is ready has waited for a worker as long as its policy allows."""
    if step.status is not StepStatus.READY or step.ready_at is None:
        return None
    limit = owner.plan.nodes[step.no].policy.queue_timeout_s
    if limit is None:
        return None
    return max(step.ready_at, step.not_before or step.ready_at) + timedelta(seconds=limit)


def changed_step(owner: Owner, step: StepState) -> dict[str, Any]:
    """The new state of a step that is stored already."""
    return {
        "id": step.id,
        "status": step.status.value,
        "pending": step.pending,
        "taken": step.taken,
        "attempt": step.attempt,
        "failures": step.failures,
        "losses": step.losses,
        "lease_id": step.lease_id,
        "ready_at": step.ready_at,
        "not_before": step.not_before,
        "waiting_until": step.waiting_until,
        "started_at": step.started_at,
        "finished_at": step.finished_at,
        "ports": step.ports,
        "error": step.error,
        "usage": step.usage,
        "reason": step.reason or "",
        "session_id": step.session_id,
        "parked_at": step.parked_at,
        "limits": _counted_by(owner, step),
        "awaits_signal": step.awaits_signal,
        "child_run_id": step.child_run_id,
        "queue_until": queue_until(owner, step),
        "limited_by": step.limited_by,
        "waited_slot_s": step.waited_slot_s,
        "waited_limit_s": step.waited_limit_s,
        "waited_retry_s": step.waited_retry_s,
    }


def new_scope(run_id: str, scope: ScopeState, result: Encoded | None) -> str:
    """The row of a scope that was not stored before."""
    return line(
        (
            run_id,
            scope.no,
            scope.container.scope,
            scope.container.no,
            scope.index,
            scope.path,
            scope.status.value,
            scope.open,
            None if scope.state is None else _json(scope.state),
            *_result(result),
        )
    )


def changed_scope(run_id: str, scope: ScopeState, result: Encoded | None) -> tuple[Any, ...]:
    """The new state of a scope that is stored already."""
    return (run_id, scope.no, scope.status.value, scope.open, *_result(result))


def _result(result: Encoded | None) -> tuple[str | None, str]:
    if result is None:
        return None, ""
    return (None if result.digest else result.text), result.digest


def container(step: StepState) -> tuple[Any, ...] | None:
    """How far a container has got."""
    progress = step.progress
    if progress is None:
        return None
    return (
        step.id,
        progress.total,
        progress.begun,
        progress.done,
        progress.failed,
        None if progress.state is None else _json(progress.state),
        progress.last_scope,
    )


def output(step_id: str, encoded: Encoded) -> str:
    """The row of a step's output."""
    text = None if encoded.digest else encoded.text
    return line((step_id, text, encoded.digest, encoded.size, encoded.preview))


def change(run_id: UUID, made: Change) -> dict[str, Any]:
    """A change of the graph as columns."""
    nodes = [node for node in made.plan.nodes if node.parent is None and not node.removed]
    return {
        "run_id": run_id,
        "number": made.number,
        "operations": json.dumps(made.operations, ensure_ascii=False),
        "graph_id": made.graph_id,
        "digest": made.digest,
        "document": json.dumps(made.document, ensure_ascii=False),
        "plan": json.dumps(made.plan.to_json()),
        "step_id": made.author.step_id,
        "user_id": made.author.user_id,
        "note": made.author.note,
        "at": made.at,
        "ids": [node.id for node in nodes],
        "kinds": [node.kind for node in nodes],
        "lanes": [node.lane for node in nodes],
    }


def chunks(run_id: str, first: int, events: Sequence[list[Any]]) -> list[str]:
    """Rows of the log for events that come one after another from the number `first`."""
    lines = []
    for start in range(0, len(events), CHUNK):
        part = events[start : start + CHUNK]
        number = first + start
        lines.append(line((run_id, number, number + len(part) - 1, _json(part))))
    return lines


def micros(at: datetime) -> int:
    """Microseconds since 1970, as the log stores a time."""
    return int(at.timestamp() * 1_000_000 + 0.5)
