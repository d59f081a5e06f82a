"""Starting a run: one transaction writes it, its steps and first events; then the doorbell."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, ClassVar, Literal
from uuid import UUID

from django.db import transaction

from backend.api.ids import new_id
from backend.engine import events, schemas
from backend.engine.errors import DomainError
from backend.engine.plan import Plan, PlanNode
from backend.runs import log
from backend.runs.log import LogEntry
from backend.runs.models import Run
from backend.runs.plans import plan_of
from backend.runs.rows import database_now
from backend.runs.sql import execute
from backend.runs.transaction import Announcement, RunChange, lock_runs, no_inline, store
from backend.workflows.models import Graph, Workflow
from backend.workflows.services.drafts import VersionUnknown
from backend.workflows.services.graphs import runnable_graph
from backend.workspaces.principal import Principal

#: One unit of a run's priority outweighs the longest way through any graph.
RANKS_PER_PRIORITY = 10_000


class InputsInvalid(DomainError):
    """The inputs do not fit the workflow's schema."""

    code: ClassVar[str] = "invalid_inputs"


class IdempotencyConflict(DomainError):
    """The same key came with another request."""

    code: ClassVar[str] = "idempotency_conflict"
    status: ClassVar[int] = 409


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """What somebody asks to be run."""

    inputs: Mapping[str, Any] = field(default_factory=dict)
    #: A published number, the draft, or none: the latest published, else the draft.
    version: int | Literal["draft"] | None = None
    #: A document to run in place of what the workflow holds, as the command line does.
    document: Mapping[str, Any] | None = None
    deadline_s: float | None = None
    priority: int = 0
    idempotency_key: str | None = None

    def digest(self, workflow_id: UUID) -> str:
        """Names the request, to tell a repetition from another one under the same key."""
        parts = [
            str(workflow_id),
            self.inputs,
            self.version,
            self.document,
            self.deadline_s,
            self.priority,
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Started:
    """A run, and whether this request made it."""

    run: Run
    created: bool


def start_run(
    *, principal: Principal, workflow: Workflow, request: RunRequest, trigger: str
) -> Started:
    """Start a run of a workflow, or find the one that the same key started before.

    Raises:
        VersionUnknown: There is no such version.
        DocumentNotRunnable: The draft has errors.
        InputsInvalid: The inputs do not fit.
        IdempotencyConflict: The key belongs to another request.
    """
    if (known := _known(principal, workflow, request)) is not None:
        return Started(known, created=False)
    graph, version = _graph_to_run(workflow, request)
    inputs = _checked_inputs(graph, request.inputs)
    with transaction.atomic():
        now = database_now()
        run, created = _create(
            principal=principal,
            workflow=workflow,
            request=request,
            fields={
                "graph": graph,
                "version": version,
                "inputs": inputs,
                "trigger": trigger,
                "created_at": now,
                "deadline_at": _deadline(request, now),
            },
        )
        announcement = _write_steps(run, plan_of(graph.id)) if created else Announcement()
    if not created:
        _refuse_other_request(run, workflow, request)
    announcement.send()
    return Started(run, created)


def _known(principal: Principal, workflow: Workflow, request: RunRequest) -> Run | None:
    if request.idempotency_key is None:
        return None
    run = Run.objects.visible_to(principal).filter(idempotency_key=request.idempotency_key).first()
    if run is not None:
        _refuse_other_request(run, workflow, request)
    return run


def _refuse_other_request(run: Run, workflow: Workflow, request: RunRequest) -> None:
    if run.request_digest != request.digest(workflow.id):
        raise IdempotencyConflict(
            "This Idempotency-Key was used for another request. Use a new key for a new run."
        )


def _graph_to_run(workflow: Workflow, request: RunRequest) -> tuple[Graph, int | None]:
    version = request.version or workflow.latest_version or "draft"
    if request.document is not None or version == "draft":
        document = request.document if request.document is not None else workflow.document
        return runnable_graph(workspace_id=workflow.workspace_id, document=document), None
    published = workflow.versions.select_related("graph").filter(number=version).first()
    if published is None:
        raise VersionUnknown(f"The workflow has no version {version}; publish it first.")
    return published.graph, version


def _checked_inputs(graph: Graph, inputs: Mapping[str, Any]) -> dict[str, Any]:
    schema = graph.document.get("inputs") or {}
    filled = schemas.with_defaults(schema, inputs)
    problems = schemas.problems(schema, filled) if schema else []
    if problems:
        issues = [
            {
                "code": "invalid_input",
                "message": message,
                "node_id": None,
                "path": f"inputs.{path}".rstrip("."),
                "severity": "error",
            }
            for path, message in problems
        ]
        raise InputsInvalid(
            f"The inputs do not fit: {problems[0][0] or 'inputs'}: {problems[0][1]}", issues=issues
        )
    return filled


def _deadline(request: RunRequest, now: Any) -> Any:
    return now + timedelta(seconds=request.deadline_s) if request.deadline_s else None


def _create(
    *, principal: Principal, workflow: Workflow, request: RunRequest, fields: dict[str, Any]
) -> tuple[Run, bool]:
    values = {
        **fields,
        "workflow": workflow,
        "priority": request.priority,
        "created_by_id": principal.user_id,
        "request_digest": request.digest(workflow.id),
    }
    if request.idempotency_key is None:
        return Run.objects.create(workspace_id=workflow.workspace_id, **values), True
    # Two requests with one key may come at once: the unique constraint lets one make the run.
    return Run.objects.get_or_create(
        workspace_id=workflow.workspace_id,
        idempotency_key=request.idempotency_key,
        defaults=values,
    )


INSERT = """
INSERT INTO runs_step (
    id, run_id, no, node, path, kind, lane, workspace_id, status, priority, pending, taken,
    attempt, failures, losses, ports, reason)
SELECT id, %(run)s, no, node, node, kind, lane, %(workspace)s, 'pending', priority, pending, 0,
    0, 0, 0, '{}', ''
FROM json_to_recordset(%(steps)s::json) AS s(
    id uuid, no int, node text, kind text, lane text, priority int, pending int)
"""
JOIN_QUEUE = """
INSERT INTO runs_lanequeue (workspace_id, lane, vtime, weight)
SELECT %(workspace)s, lane, 0, 1 FROM unnest(%(lanes)s::text[]) AS lane
ON CONFLICT (workspace_id, lane) DO NOTHING
"""


def _write_steps(run: Run, plan: Plan) -> Announcement:
    """Write every step as pending, then begin: the first pass makes the sources ready."""
    ids = {node.no: str(new_id()) for node in plan.nodes}
    rows = [_row(run, plan, node, ids[node.no]) for node in plan.nodes]
    queue = {
        "workspace": run.workspace_id,
        "lanes": sorted({node.lane for node in plan.nodes}),
    }
    execute(JOIN_QUEUE, queue)
    execute(INSERT, {"run": run.id, "workspace": run.workspace_id, "steps": json.dumps(rows)})
    Run.objects.filter(id=run.id).update(open_steps=len(plan.nodes))
    log.append([_created(run, plan, ids)])
    change = RunChange(lock_runs([run.id])[0], plan, no_inline)
    change.pass_.begin()
    return store([change])


def _row(run: Run, plan: Plan, node: PlanNode, step_id: str) -> dict[str, Any]:
    return {
        "id": step_id,
        "no": node.no,
        "node": node.id,
        "kind": node.kind,
        "lane": node.lane,
        "priority": run.priority * RANKS_PER_PRIORITY + node.rank,
        "pending": len(plan.incoming[node.no]),
    }


def _created(run: Run, plan: Plan, ids: Mapping[int, str]) -> LogEntry:
    data = {
        "steps": {node.id: ids[node.no] for node in plan.nodes},
        "workflow_id": str(run.workflow_id),
        "version": run.version,
    }
    return LogEntry(run_id=run.id, type=events.RUN_CREATED, at=run.created_at, data=data)
