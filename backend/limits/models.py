"""Limits of a workspace, and budgets of runs. Rows are locked after the runs, limits first."""

from uuid import UUID

from django.db import models
from django.db.models import Q
from django.utils import timezone

from backend.api.ids import new_id
from backend.credentials.models import Credential
from backend.engine.budget import Amount, Balance
from backend.workflows.models import Workflow
from backend.workspaces.models import Workspace
from backend.workspaces.principal import Principal

DIGITS = 24
DECIMALS = 10


class LimitQuerySet(models.QuerySet["Limit"]):
    """The one gate to limits."""

    def visible_to(self, principal: Principal) -> "LimitQuerySet":
        """Keep the limits of the principal's workspace."""
        return self.filter(workspace_id=principal.workspace_id)


class Limit(models.Model):
    """How many steps of a kind run at once, and how many start in a time."""

    #: Steps that hold a seat of it, and that are ready and will want one; filled in to be shown.
    running: int = 0
    waiting: int = 0

    class Target(models.TextChoices):
        """What is limited."""

        CREDENTIAL = "credential", "What uses a credential"
        MODEL = "model", "What calls a model"
        WORKFLOW = "workflow", "The runs of a workflow"
        WORKSPACE = "workspace", "The whole workspace"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="limits")
    target = models.CharField(max_length=20, choices=Target)
    #: The credential's or workflow's id, the model's name, or nothing.
    key = models.CharField(max_length=200, blank=True)
    #: The row that `key` names, so that a limit goes when it goes.
    credential = models.ForeignKey(
        Credential, on_delete=models.CASCADE, null=True, related_name="limits"
    )
    workflow = models.ForeignKey(
        Workflow, on_delete=models.CASCADE, null=True, related_name="limits"
    )
    max_running = models.PositiveIntegerField(null=True)
    #: So many starts in `per_s` seconds.
    rate = models.PositiveIntegerField(null=True)
    per_s = models.FloatField(default=60)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = LimitQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["workspace", "target", "key"], name="limit_once"),
            models.CheckConstraint(
                condition=Q(max_running__isnull=False) | Q(rate__isnull=False),
                name="limit_limits_something",
            ),
            models.CheckConstraint(
                condition=Q(per_s__gt=0)
                & (Q(rate__isnull=True) | Q(rate__gt=0))
                & (Q(max_running__isnull=True) | Q(max_running__gt=0)),
                name="limit_lets_something_through",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.step_key} of {self.workspace_id}"

    @property
    def step_key(self) -> str:
        """How steps name the limit."""
        return step_key(self.target, self.key)


def step_key(target: str, key: str) -> str:
    """Write a limit as steps name it: `credential:…`, `model:…`, `workflow:…` or `workspace`."""
    return f"{target}:{key}" if key else target


class Budget(models.Model):
    """What a run, with the runs that it starts, may spend."""

    class OnExceeded(models.TextChoices):
        """What becomes of the run then."""

        FAIL = "fail", "It fails"
        PAUSE = "pause", "It pauses"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    max_tokens = models.BigIntegerField(null=True)
    max_cost = models.DecimalField(null=True, max_digits=DIGITS, decimal_places=DECIMALS)
    max_steps = models.BigIntegerField(null=True)
    on_exceeded = models.CharField(max_length=8, choices=OnExceeded, default=OnExceeded.FAIL)
    spent_tokens = models.BigIntegerField(default=0)
    spent_cost = models.DecimalField(default=0, max_digits=DIGITS, decimal_places=DECIMALS)
    reserved_tokens = models.BigIntegerField(default=0)
    reserved_cost = models.DecimalField(default=0, max_digits=DIGITS, decimal_places=DECIMALS)
    steps_started = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(reserved_tokens__gte=0) & Q(reserved_cost__gte=0),
                name="budget_reserves_no_less_than_nothing",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    def balance(self) -> Balance:
        """Where it stands."""
        return Balance(
            max_tokens=self.max_tokens,
            max_cost=self.max_cost,
            max_steps=self.max_steps,
            spent=Amount(self.spent_tokens, self.spent_cost),
            reserved=Amount(self.reserved_tokens, self.reserved_cost),
            steps_started=self.steps_started,
        )


class Reservation(models.Model):
    """What one attempt put aside, until it ends."""

    lease_id: "models.UUIDField[UUID, UUID]" = models.UUIDField(primary_key=True)
    budget = models.ForeignKey(Budget, on_delete=models.CASCADE, related_name="reservations")
    tokens = models.BigIntegerField()
    cost = models.DecimalField(max_digits=DIGITS, decimal_places=DECIMALS)

    def __str__(self) -> str:
        return f"{self.lease_id} of {self.budget_id}"
