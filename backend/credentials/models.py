"""Credentials: what a workspace needs to call out, its secrets sealed."""

from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.api.ids import new_id
from backend.workspaces.models import Workspace
from backend.workspaces.principal import Principal

if TYPE_CHECKING:
    from backend.accounts.models import User


class CredentialQuerySet(models.QuerySet["Credential"]):
    """The one gate to credentials."""

    def visible_to(self, principal: Principal) -> "CredentialQuerySet":
        """Keep the credentials of the principal's workspace."""
        return self.in_workspace(principal.workspace_id)

    def in_workspace(self, workspace_id: UUID) -> "CredentialQuerySet":
        """Keep one workspace's credentials: for workers, which act for a workspace's run."""
        return self.filter(workspace_id=workspace_id)


class Credential(models.Model):
    """One way in to a service. The secret parts are in `sealed` and leave it in workers only."""

    class Kind(models.TextChoices):
        """How the secret is presented."""

        OPENAI = "openai", "Model endpoint"
        HTTP_BEARER = "http_bearer", "HTTP bearer token"
        HTTP_BASIC = "http_basic", "HTTP user and password"
        HTTP_HEADER = "http_header", "HTTP header"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="credentials")
    kind = models.CharField(max_length=20, choices=Kind)
    name = models.CharField(max_length=100)
    base_url = models.CharField(max_length=500, blank=True)
    model_names = models.JSONField(default=list)
    default_model = models.CharField(max_length=200, blank=True)
    #: model -> {"input": …, "output": …}, money for a million tokens.
    prices = models.JSONField(default=dict)
    is_default = models.BooleanField(default=False)
    #: Whether private addresses may be called; only installation administrators may say so.
    allow_private = models.BooleanField(default=False)
    #: `host` or `host:port` to which the secret may be sent; empty for a model endpoint's own.
    hosts = models.JSONField(default=list)
    username = models.CharField(max_length=200, blank=True)
    header = models.CharField(max_length=100, blank=True)
    #: secret field -> {"key": id of the key, "box": nonce and ciphertext in base64}
    sealed = models.JSONField(default=dict)
    secret_hint = models.CharField(max_length=8, blank=True)
    created_by: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(null=True, editable=False)

    objects = CredentialQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "kind"],
                condition=models.Q(is_default=True),
                name="credential_one_default",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.kind})"
