"""What a run starts from: its workflow and a graph that may run, each found in one look.

A published version never changes, and neither does a revision of a draft: what was found out about
one, its graph and that it may run, is remembered by the process.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Literal
from uuid import UUID

from backend.api.statements import instance_of, row_of
from backend.workflows.models import Graph, Workflow
from backend.workflows.services.check import facts_of
from backend.workflows.services.drafts import VersionUnknown
from backend.workflows.services.graphs import runnable_graph
from backend.workspaces.principal import Principal

COLUMNS = ("id", "workspace_id", "name", "revision", "latest_version")
WORKFLOW = """
SELECT id, workspace_id, name, revision, latest_version FROM workflows_workflow
WHERE id = %s AND workspace_id = %s AND deleted_at IS NULL
"""
MAX_REMEMBERED = 512


@dataclass(frozen=True, kw_only=True)
class Runnable:
    """A graph without errors, and what a run of it has to be given."""

    graph_id: UUID
    #: The JSON Schema of its inputs; empty if anything will do.
    inputs: Mapping[str, Any]
    #: The published number; none for a draft or a document of somebody's own.
    version: int | None


def workflow_to_run(principal: Principal, workflow_id: UUID) -> Workflow | None:
    """Find a workflow in the principal's workspace; its document is read when it is asked for."""
    found = row_of(WORKFLOW, [workflow_id, principal.workspace_id])
    if found is None:
        return None
    return instance_of(Workflow, dict(zip(COLUMNS, found, strict=True)))


def runnable(workflow: Workflow, version: int | Literal["draft"] | None) -> Runnable:
    """Give what runs: a version, the draft, or with none named the latest version, else the draft.

    Raises:
        VersionUnknown: There is no such version.
        DocumentNotRunnable: The draft has errors.
    """
    number = version or workflow.latest_version or "draft"
    if number == "draft":
        # Whether it may run depends on the workspace's credentials too.
        facts = facts_of(workflow.workspace_id)
        key = (workflow.id, "draft", workflow.revision, facts)
        return _remembered(key, lambda: _draft(workflow))
    return _remembered((workflow.id, number), lambda: _published(workflow, number))


def of_document(workflow: Workflow, document: Mapping[str, Any]) -> Runnable:
    """Give what runs of a document that is run in place of what the workflow holds.

    Raises:
        DocumentMalformed: It has not the shape of a document.
        DocumentNotRunnable: It has errors.
    """
    return _of(runnable_graph(workspace_id=workflow.workspace_id, document=document), None)


def _draft(workflow: Workflow) -> Runnable:
    return of_document(workflow, workflow.document)


def _published(workflow: Workflow, number: int) -> Runnable:
    found = workflow.versions.select_related("graph").filter(number=number).first()
    if found is None:
        raise VersionUnknown(f"The workflow has no version {number}; publish it first.")
    return _of(found.graph, number)


def _of(graph: Graph, version: int | None) -> Runnable:
    return Runnable(graph_id=graph.id, inputs=graph.document.get("inputs") or {}, version=version)


_known: OrderedDict[Hashable, Runnable] = OrderedDict()
_lock = Lock()


def _remembered(key: Hashable, find: Callable[[], Runnable]) -> Runnable:
    with _lock:
        if key in _known:
            _known.move_to_end(key)
            return _known[key]
    found = find()
    with _lock:
        _known[key] = found
        while len(_known) > MAX_REMEMBERED:
            _known.popitem(last=False)
    return found
