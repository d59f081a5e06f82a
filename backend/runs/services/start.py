"""Starting a run: one transaction writes it, its steps and first events; then the doorbell."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar, Literal
from uuid import UUID

from django.db import transaction

from backend.engine.errors import DomainError
from backend.limits.budgets import open_budget
from backend.limits.open_work import refuse_when_full
from backend.runs.creation import checked_inputs, graph_to_run, insert, new_live
from backend.runs.models import Run
from backend.runs.rows import database_now
from backend.workflows.models import Graph, Workflow
from backend.workspaces.principal import Principal


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
    budget: Mapping[str, Any] | None = None
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
        if self.budget is not None:
            parts.append(dict(self.budget))
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
        TooMuchOpenWork: The workspace has too much unfinished.
    """
    if (known := _known(principal, workflow, request)) is not None:
        return Started(known, created=False)
    refuse_when_full(workflow.workspace_id)
    graph, version = graph_to_run(workflow, version=request.version, document=request.document)
    inputs = checked_inputs(graph, request.inputs)
    with transaction.atomic():
        now = database_now()
        wish = request.budget or graph.document.get("budget") or {}
        budget = open_budget(workspace_id=workflow.workspace_id, wish=wish) if wish else None
        live = new_live(
            workflow=workflow,
            graph=graph,
            inputs=inputs,
            now=now,
            fields={
                "version": version,
                "trigger": trigger,
                "priority": request.priority,
                "deadline_at": _deadline(request, graph, wish, now),
                "budget_id": budget.id if budget else None,
                "created_by_id": principal.user_id,
                "idempotency_key": request.idempotency_key,
                "request_digest": request.digest(workflow.id),
            },
        )
        announcement = insert(live)
        if announcement is None:
            transaction.set_rollback(True)
    if announcement is None:
        # Two requests with one key came at once, and the other one made the run.
        known = _known(principal, workflow, request)
        if known is None:
            raise IdempotencyConflict("The run of this Idempotency-Key was deleted; use a new key.")
        return Started(known, created=False)
    announcement.send()
    run = Run(id=live.row.id, workspace_id=workflow.workspace_id, workflow=workflow, graph=graph)
    return Started(run, created=True)


def _known(principal: Principal, workflow: Workflow, request: RunRequest) -> Run | None:
    if request.idempotency_key is None:
        return None
    run = Run.objects.visible_to(principal).filter(idempotency_key=request.idempotency_key).first()
    if run is not None and run.request_digest != request.digest(workflow.id):
        raise IdempotencyConflict(
            "This Idempotency-Key was used for another request. Use a new key for a new run."
        )
    return run


def _deadline(
    request: RunRequest, graph: Graph, wish: Mapping[str, Any], now: datetime
) -> datetime | None:
    """The earlier of the deadline and the time that the budget allows."""
    deadline_s = request.deadline_s or graph.document.get("deadline_s")
    bounds = [seconds for seconds in (deadline_s, wish.get("wall_s")) if seconds]
    return now + timedelta(seconds=min(bounds)) if bounds else None
