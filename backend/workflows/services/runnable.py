"""What a run starts from: its workflow and a graph that may run, each found in one look.

A published version never changes, and neither does a revision of a draft: what was found out about
one, its graph and that it may run, is remembered by the process.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from uuid import UUID

from django.db import connection

from backend.api.sql import instance_of, row_of
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
#: Remembered graphs have at most so many nodes, all together.
MAX_NODES = 10_000


def workflow_to_run(principal: Principal, workflow_id: UUID) -> Workflow | None:
    """Find a workflow in the principal's workspace; its document is read when it is asked for."""
    found = row_of(WORKFLOW, [workflow_id, principal.workspace_id])
    if found is None:
        return None
    return instance_of(Workflow, dict(zip(COLUMNS, found, strict=True)))


def published_graph(workflow: Workflow, number: int) -> Graph:
    """Give the graph of a version.

    Raises:
        VersionUnknown: There is no such version.
    """
    return _remembered((workflow.id, number), lambda: _published(workflow, number))


def draft_graph(workflow: Workflow) -> Graph:
    """Give the graph of the draft.

    Raises:
        DocumentNotRunnable: The draft has errors.
    """
    # Whether it may run depends on the workspace's credentials too.
    key = (workflow.id, "draft", workflow.revision, facts_of(workflow.workspace_id))
    return _remembered(key, lambda: _draft(workflow))


def _draft(workflow: Workflow) -> Graph:
    return runnable_graph(workspace_id=workflow.workspace_id, document=workflow.document)


def _published(workflow: Workflow, number: int) -> Graph:
    found = workflow.versions.select_related("graph").filter(number=number).first()
    if found is None:
        raise VersionUnknown(f"The workflow has no version {number}; publish it first.")
    return found.graph


_known: OrderedDict[Hashable, Graph] = OrderedDict()
_lock = Lock()


def _remembered(key: Hashable, find: Callable[[], Graph]) -> Graph:
    with _lock:
        if (known := _known.get(key)) is not None:
            _known.move_to_end(key)
            return known
    found = find()
    if connection.in_atomic_block:
        # Whoever is in a transaction may undo what was made for it.
        return found
    with _lock:
        _known[key] = found
        nodes = sum(_nodes(graph) for graph in _known.values())
        while nodes > MAX_NODES:
            nodes -= _nodes(_known.popitem(last=False)[1])
    return found


def _nodes(graph: Graph) -> int:
    return len(graph.document["nodes"]) + 1
