"""A workspace owns everything that people make; members reach it."""

from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.api.ids import new_id

if TYPE_CHECKING:
    from backend.accounts.models import User


class WorkspaceQuerySet(models.QuerySet["Workspace"]):
    """The one gate to workspaces."""

    def of_user(self, user_id: UUID) -> "WorkspaceQuerySet":
        """Keep the workspaces that a person belongs to, the oldest first."""
        return self.filter(members__user_id=user_id).order_by("members__created_at", "id")


class Workspace(models.Model):
    """A place of work; no row of one is ever seen from another."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = WorkspaceQuerySet.as_manager()

    class Meta:
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """A person's place in a workspace."""

    class Role(models.TextChoices):
        """What the person may do there."""

        OWNER = "owner"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="members")
    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=20, choices=Role, default=Role.OWNER)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "user"], name="member_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.workspace_id}"
