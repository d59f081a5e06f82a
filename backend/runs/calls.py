"""Workflows that are run for a step: found and checked first, then started with its transaction."""

from dataclasses import replace
from uuid import UUID

from django.conf import settings

from backend.engine.errors import DomainError
from backend.engine.outcomes import Called, Failed
from backend.engine.step_state import Draft
from backend.runs.creation import checked_inputs, graph_to_run, insert, new_live
from backend.runs.live import LiveRun
from backend.runs.models import Run
from backend.runs.taken import Announcement
from backend.workflows.models import Graph, Workflow


def check_call(called: Called, *, workspace_id: UUID, depth: int) -> Called | Failed:
    """Find the graph that is to be run for a step, and check that it can be."""
    if depth + 1 > settings.HEDDLE_MAX_CALL_DEPTH:
        return Failed(
            "calls_too_deep",
            f"Workflows call each other more than {settings.HEDDLE_MAX_CALL_DEPTH} deep "
            "(HEDDLE_MAX_CALL_DEPTH). Does one call itself without end?",
        )
    workflow = _workflow(called.workflow_id, workspace_id)
    if workflow is None:
        return Failed(
            "unknown_workflow", "There is no such workflow in this workspace; choose another."
        )
    try:
        graph, version = graph_to_run(workflow, version=called.version)
        inputs = checked_inputs(graph, called.inputs)
    except DomainError as error:
        return Failed(error.code, f"{workflow.name}: {error.detail}")
    return replace(called, graph_id=str(graph.id), version=version, inputs=inputs)


def _workflow(workflow_id: str, workspace_id: UUID) -> Workflow | None:
    try:
        number = UUID(workflow_id)
    except ValueError:
        return None
    found = Workflow.objects.filter(id=number, workspace_id=workspace_id, deleted_at=None)
    return found.first()


def start_calls(live: LiveRun, draft: Draft) -> Announcement:
    """Write the runs that the passes over a run asked for; part of its transaction."""
    announcement = Announcement()
    for key, called in draft.calls.items():
        step = live.steps.get(key)
        if step.child_run_id is None or called.graph_id is None:
            raise ValueError(f"the call of {step.path} was not checked")
        child = new_live(
            workflow=Workflow.objects.get(id=called.workflow_id),
            graph=Graph.objects.get(id=called.graph_id),
            inputs=called.inputs,
            now=live.now,
            run_id=UUID(step.child_run_id),
            fields={
                "version": called.version,
                "trigger": Run.Trigger.WORKFLOW,
                "priority": live.row.priority,
                "parent_step_id": UUID(step.id),
                "parent_run_id": live.row.id,
                "depth": live.row.depth + 1,
                "budget_id": live.row.budget_id,
            },
        )
        made = insert(child)
        if made is not None:
            announcement.add(made)
    return announcement
