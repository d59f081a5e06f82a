"""New runs in memory, and their first rows."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Literal
from uuid import UUID

from backend.api.ids import new_id
from backend.api.sql import execute
from backend.engine import events, schemas
from backend.engine.errors import DomainError
from backend.engine.plan import ROOT_SCOPE, Key
from backend.engine.state import RunStatus
from backend.engine.step_state import EventDraft
from backend.runs import writes
from backend.runs.inline import no_inline
from backend.runs.live import LiveRun, RunRow
from backend.runs.plans import plan_of
from backend.runs.taken import Announcement, gather, take
from backend.workflows.models import Graph, Workflow
from backend.workflows.services.graphs import runnable_graph
from backend.workflows.services.runnable import draft_graph, published_graph


class InputsInvalid(DomainError):
    """The inputs do not fit the workflow's schema."""

    code: ClassVar[str] = "invalid_inputs"


def graph_to_run(
    workflow: Workflow,
    *,
    version: int | Literal["draft"] | None,
    document: Mapping[str, Any] | None = None,
) -> tuple[Graph, int | None]:
    """The graph of a version, of the draft, or of a document; and the version's number.

    Raises:
        VersionUnknown: There is no such version.
        DocumentNotRunnable: The draft has errors.
    """
    if document is not None:
        return runnable_graph(workspace_id=workflow.workspace_id, document=document), None
    chosen = version or workflow.latest_version or "draft"
    if chosen == "draft":
        return draft_graph(workflow), None
    return published_graph(workflow, int(chosen)), int(chosen)


def checked_inputs(graph: Graph, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs with the schema's defaults.

    Raises:
        InputsInvalid: They do not fit.
    """
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


def new_live(
    *,
    workflow: Workflow,
    graph: Graph,
    inputs: Mapping[str, Any],
    now: datetime,
    fields: Mapping[str, Any],
    run_id: UUID | None = None,
) -> LiveRun:
    """Make a run in memory with all its steps, the first of them ready.

    `fields` are further columns of its row; what is not named there has its default.
    """
    plan = plan_of(graph.id)
    columns: dict[str, Any] = {**_DEFAULTS, **fields}
    row = RunRow(
        id=run_id or new_id(),
        workspace_id=workflow.workspace_id,
        workflow_id=workflow.id,
        workflow_name=workflow.name,
        graph_id=graph.id,
        status=RunStatus.QUEUED,
        inputs=inputs,
        open_steps=0,
        made_steps=0,
        scope_count=0,
        event_seq=0,
        plan_version=0,
        priority=columns["priority"],
        depth=columns["depth"],
        parent_run_id=columns["parent_run_id"],
        parent_step_id=columns["parent_step_id"],
        budget_id=columns["budget_id"],
        started_at=None,
        now=now,
    )
    live = LiveRun(row, plan, no_inline)
    live.new_run = {
        **columns,
        "workspace_id": workflow.workspace_id,
        "workflow_id": workflow.id,
        "graph_id": graph.id,
        "inputs": json.dumps(inputs, ensure_ascii=False),
        "created_at": now,
    }
    _make_steps(live, version=columns["version"])
    return live


_DEFAULTS: Mapping[str, Any] = {
    "version": None,
    "trigger": "api",
    "priority": 0,
    "deadline_at": None,
    "parent_step_id": None,
    "parent_run_id": None,
    "depth": 0,
    "budget_id": None,
    "idempotency_key": None,
    "request_digest": "",
    "created_by_id": None,
}


def _make_steps(live: LiveRun, *, version: int | None) -> None:
    ids: dict[str, str] = {}
    for no in live.plan.inside(None):
        node = live.plan.nodes[no]
        step = live.steps.create(
            Key(ROOT_SCOPE, no), path=node.id, pending=len(live.plan.incoming[no])
        )
        live.draft.steps[step.key] = step
        ids[node.id] = step.id
    live.open_steps = live.made_steps = len(ids)
    data = {"steps": ids, "workflow_id": str(live.row.workflow_id), "version": version}
    live.draft.events.append(EventDraft(events.RUN_CREATED, live.now, data=data))
    first = live.begin_pass()
    first.begin()
    live.close_pass(first)


JOIN_QUEUE = """
INSERT INTO runs_lanequeue (workspace_id, lane, vtime, weight)
SELECT %(workspace)s, lane, 0, 1 FROM unnest(%(lanes)s::text[]) AS lane
WHERE NOT EXISTS (
    SELECT 1 FROM runs_lanequeue q WHERE q.workspace_id = %(workspace)s AND q.lane = lane)
ON CONFLICT (workspace_id, lane) DO NOTHING
"""


def insert(live: LiveRun) -> Announcement | None:
    """Write a new run; none if there is one with the same idempotency key."""
    taken = take(live)
    if not writes.insert_run(taken.writes):
        return None
    lanes = sorted({node.lane for node in live.plan.nodes})
    execute(JOIN_QUEUE, {"workspace": live.row.workspace_id, "lanes": lanes})
    writes.write([taken.writes])
    live.saved(taken.draft)
    announcement = Announcement()
    gather(announcement, taken)
    return announcement
