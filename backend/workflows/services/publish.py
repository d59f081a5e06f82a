"""Publishing: the draft becomes a numbered version that never changes."""

from django.db import transaction

from backend.workflows.models import Workflow, WorkflowVersion
from backend.workflows.services.graphs import runnable_graph
from backend.workspaces.principal import Principal


def publish_draft(
    *, principal: Principal, workflow: Workflow, note: str
) -> tuple[WorkflowVersion, bool]:
    """Publish the draft, and tell whether that made a new version.

    A draft that says what the latest version says gives that version.

    Raises:
        DocumentNotRunnable: The draft has errors.
    """
    with transaction.atomic():
        # The lock keeps numbers without gaps, and the draft from being saved meanwhile.
        locked = Workflow.objects.select_for_update().get(id=workflow.id)
        graph = runnable_graph(workspace_id=locked.workspace_id, document=locked.document)
        latest = locked.versions.select_related("graph", "published_by").first()
        if latest is not None and latest.graph_id == graph.id:
            return latest, False
        version = WorkflowVersion.objects.create(
            workflow=locked,
            number=latest.number + 1 if latest else 1,
            graph=graph,
            note=note,
            published_by_id=principal.user_id,
        )
        Workflow.objects.filter(id=locked.id).update(
            latest_version=version.number, draft_changed=False
        )
    return version, True
