"""Workflows as they are edited, and the immutable graphs that they are published and run as."""

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.api.fields import OrderedJSONField
from backend.api.ids import new_id
from backend.workspaces.models import Workspace
from backend.workspaces.principal import Principal

if TYPE_CHECKING:
    from backend.accounts.models import User


class Graph(models.Model):
    """A document with its compiled plan; never changed, shared by all that run the same text."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="graphs")
    digest = models.CharField(max_length=64)
    document = OrderedJSONField()
    plan = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "digest"], name="graph_once"),
        ]

    def __str__(self) -> str:
        return self.digest[:12]


class WorkflowQuerySet(models.QuerySet["Workflow"]):
    """The one gate to workflows."""

    def visible_to(self, principal: Principal) -> "WorkflowQuerySet":
        """Keep what the principal's workspace holds and has not deleted."""
        return self.filter(workspace_id=principal.workspace_id, deleted_at=None)

    def deleted_for(self, principal: Principal) -> "WorkflowQuerySet":
        """Keep what the principal's workspace has deleted and may restore."""
        return self.filter(workspace_id=principal.workspace_id).exclude(deleted_at=None)

    def replace_draft(self, *, id: UUID, expected_revision: int, fields: dict[str, Any]) -> bool:
        """Save a draft if nobody saved another one since; tell whether this call did it."""
        changed = self.filter(id=id, revision=expected_revision, deleted_at=None).update(
            **fields, revision=expected_revision + 1, updated_at=timezone.now()
        )
        return changed == 1


class Workflow(models.Model):
    """A workflow and its draft. The draft may have issues; what is published may not."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="workflows")
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    document = OrderedJSONField()
    issues = models.JSONField(default=list)
    revision = models.PositiveIntegerField(default=1)
    node_count = models.PositiveIntegerField(default=0)
    issue_count = models.PositiveIntegerField(default=0)
    latest_version = models.PositiveIntegerField(null=True)
    #: Whether the draft says something else than the latest version.
    draft_changed = models.BooleanField(default=True)
    created_by: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    updated_by: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(null=True, editable=False)

    objects = WorkflowQuerySet.as_manager()

    class Meta:
        ordering = ["-updated_at", "-id"]
        indexes = [
            models.Index(
                fields=["workspace", "-updated_at", "-id"],
                condition=models.Q(deleted_at=None),
                name="workflow_list",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class WorkflowVersion(models.Model):
    """A published, immutable state of a workflow."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workflow = models.ForeignKey(Workflow, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    graph = models.ForeignKey(Graph, on_delete=models.PROTECT, related_name="versions")
    note = models.CharField(max_length=500, blank=True)
    published_by: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["workflow", "number"], name="version_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.workflow_id} v{self.number}"
