"""People who may sign in, known by their e-mail address, and the keys of their programs."""

from datetime import datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from backend.api.ids import new_id
from backend.workspaces.models import Workspace
from backend.workspaces.principal import Principal

USE_NOTED_EVERY = timedelta(minutes=1)


class UserManager(BaseUserManager["User"]):
    """Makes people; addresses are kept in lower case."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Make a person with a usable password, or with none."""
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Make an administrator of the installation."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        """Find a person by address, in any case of letters."""
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser, PermissionsMixin):
    """A person. `is_superuser` means administrator of the whole installation."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=150, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects = UserManager()

    class Meta:
        ordering = ["email"]
        constraints = [
            models.UniqueConstraint(Lower("email"), name="user_email_in_any_case"),
        ]

    def __str__(self) -> str:
        return self.display_name

    @property
    def display_name(self) -> str:
        """What others see: the name, else the address."""
        return self.name or self.email

    @property
    def is_admin(self) -> bool:
        """Whether this person administers the installation."""
        return self.is_active and self.is_superuser


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    """The one gate to API keys."""

    def visible_to(self, principal: Principal) -> "ApiKeyQuerySet":
        """Keep the keys of the principal's workspace."""
        return self.filter(workspace_id=principal.workspace_id)

    def note_use(self, *, id: UUID, now: datetime) -> None:
        """Remember when a key was used, at most once a minute."""
        stale = models.Q(last_used_at=None) | models.Q(last_used_at__lt=now - USE_NOTED_EVERY)
        self.filter(stale, id=id).update(last_used_at=now)


class ApiKey(models.Model):
    """A program's way in: bound to one workspace, limited to scopes, kept as a hash only."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=100)
    #: The first characters, by which people tell their keys apart.
    prefix = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_keys")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True, editable=False)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
