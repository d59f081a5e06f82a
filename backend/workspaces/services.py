"""Opening a workspace for a person."""

from uuid import UUID

from django.db import transaction

from backend.workspaces.models import Member, Workspace


def open_workspace(*, user_id: UUID, name: str) -> Workspace:
    """Make a workspace that belongs to a person."""
    with transaction.atomic():
        workspace = Workspace.objects.create(name=name)
        Member.objects.create(workspace=workspace, user_id=user_id, role=Member.Role.OWNER)
    return workspace
