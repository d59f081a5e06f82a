"""Changes of a run's graph while it runs: checked against what has started, then taken over."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from backend.api.ids import new_id
from backend.engine import events
from backend.engine.compile import compile_plan
from backend.engine.document import Document, Issue
from backend.engine.errors import DomainError
from backend.engine.outcomes import Failed
from backend.engine.patches import apply_operations, check_patch, parse_operations
from backend.engine.plan import ROOT_SCOPE, Key, Plan
from backend.engine.step_state import EventDraft
from backend.nodes.registry import SPECS
from backend.workflows.models import Graph
from backend.workflows.services.check import document_limits

if TYPE_CHECKING:
    from backend.engine.advance import Pass
    from backend.runs.live import LiveRun


@dataclass(frozen=True, kw_only=True)
class Author:
    """Who changes a graph: a step of the run, or a person."""

    step_id: str | None = None
    user_id: Any = None
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change that was taken over, on its way to the tables."""

    number: int
    operations: Sequence[Mapping[str, Any]]
    graph_id: UUID
    digest: str
    document: Mapping[str, Any]
    plan: Plan
    author: Author
    at: datetime


def patch_for_step(
    live: "LiveRun", current: "Pass", key: Key, operations: Sequence[Mapping[str, Any]]
) -> Failed | None:
    """Change a run's graph as one of its steps asks; gives the reason if that cannot be."""
    issues = patch(live, current, operations, Author(step_id=live.steps.get(key).id))
    if not issues:
        return None
    return Failed("bad_patch", f"The graph cannot be changed so: {issues[0].message}")


def patch(
    live: "LiveRun", current: "Pass", operations: Sequence[Mapping[str, Any]], author: Author
) -> list[Issue]:
    """Change a run's graph within a pass; gives what stands against it, if it was not done."""
    document = document_of(live)
    try:
        limits = document_limits()
        parsed = parse_operations(list(operations), limits)
        issues = check_patch(document, parsed, started=_started(live), specs=SPECS, limits=limits)
        if any(issue.severity == "error" for issue in issues):
            return [issue for issue in issues if issue.severity == "error"]
        changed = apply_operations(document, parsed)
    except DomainError as error:
        return [Issue(error.code, error.detail)]
    _take_over(live, current, changed, operations, author)
    return []


def _started(live: "LiveRun") -> frozenset[str]:
    live.steps.read_top()
    return frozenset(
        live.plan.nodes[step.no].id
        for step in live.steps.known()
        if step.key.scope == ROOT_SCOPE
        and step.has_started
        and not live.plan.nodes[step.no].removed
    )


def document_of(live: "LiveRun") -> Document:
    """The document of the graph that the run follows now."""
    if live.document is None:
        # What is stored was checked; limits that were lowered since do not undo it.
        graph = Graph.objects.only("document").get(id=live.graph_id)
        live.document = Document.model_validate(graph.document)
    return live.document


def _take_over(
    live: "LiveRun",
    current: "Pass",
    document: Document,
    operations: Sequence[Mapping[str, Any]],
    author: Author,
) -> None:
    plan = compile_plan(document, SPECS, previous=live.plan)
    data = document.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    text = json.dumps([data, plan.to_json()], sort_keys=True, default=str)
    live.plan_version += 1
    change = Change(
        number=live.plan_version,
        operations=[dict(operation) for operation in operations],
        graph_id=new_id(),
        # Numbers of nodes depend on what was there before: such a plan is nobody else's.
        digest=hashlib.sha256(f"{live.row.id}/{live.plan_version}/{text}".encode()).hexdigest(),
        document=data,
        plan=plan,
        author=author,
        at=live.now,
    )
    live.graph_id, live.document, live.plan = change.graph_id, document, plan
    live.draft.changes.append(change)
    before = len(live.draft.events)
    added, removed = current.adopt(plan)
    note = EventDraft(
        events.PLAN_PATCHED,
        live.now,
        data={
            "number": change.number,
            "operations": change.operations,
            "added": added,
            "removed": removed,
            "by": author.step_id,
        },
    )
    live.draft.events.insert(before, note)
