"""Runs, steps, results and events as rows. Who changes a run's steps holds the run's row lock."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from backend.api.fields import OrderedJSONField
from backend.api.ids import new_id
from backend.engine.state import FINAL_RUN, FINAL_STEP, RunStatus, StepStatus
from backend.workflows.models import Graph, Workflow
from backend.workspaces.models import Workspace
from backend.workspaces.principal import Principal

if TYPE_CHECKING:
    from backend.accounts.models import User

RUN_STATUSES = [(status.value, status.value) for status in RunStatus]
STEP_STATUSES = [(status.value, status.value) for status in StepStatus]


class RunQuerySet(models.QuerySet["Run"]):
    """The one gate to runs."""

    def visible_to(self, principal: Principal) -> "RunQuerySet":
        """Keep what belongs to the principal's workspace."""
        return self.filter(workspace_id=principal.workspace_id)

    def unfinished(self) -> "RunQuerySet":
        """Keep the runs that have not ended."""
        return self.exclude(status__in=FINAL_RUN)


class Run(models.Model):
    """One execution of a graph."""

    class Trigger(models.TextChoices):
        """What started the run."""

        BROWSER = "browser"
        API = "api"
        CLI = "cli"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="runs")
    workflow = models.ForeignKey(Workflow, on_delete=models.CASCADE, related_name="runs")
    graph = models.ForeignKey(Graph, on_delete=models.PROTECT, related_name="runs")
    #: The published version that runs; none for a draft.
    version = models.PositiveIntegerField(null=True)
    status = models.CharField(max_length=12, choices=RUN_STATUSES, default=RunStatus.QUEUED)
    inputs = OrderedJSONField(default=dict)
    error = OrderedJSONField(null=True)
    trigger = models.CharField(max_length=12, choices=Trigger)
    priority = models.SmallIntegerField(default=0)
    deadline_at = models.DateTimeField(null=True)
    #: The sequence number of the latest event.
    event_seq = models.BigIntegerField(default=0)
    #: Steps that are not final.
    open_steps = models.IntegerField(default=0)
    idempotency_key = models.CharField(max_length=200, null=True)  # noqa: DJ001 - none is no key
    #: Digest of the request that came with the key.
    request_digest = models.CharField(max_length=64, blank=True)
    created_by: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "idempotency_key"], name="run_once_per_key"
            ),
        ]
        indexes = [
            models.Index(fields=["workspace", "-created_at", "-id"], name="run_list"),
            models.Index(fields=["workflow", "-created_at", "-id"], name="run_list_of_workflow"),
            models.Index(
                fields=["deadline_at"],
                condition=models.Q(deadline_at__isnull=False)
                & ~models.Q(status__in=sorted(FINAL_RUN)),
                name="run_deadlines",
            ),
            models.Index(
                fields=["created_at"],
                condition=~models.Q(status__in=sorted(FINAL_RUN)),
                name="run_unfinished",
            ),
            models.Index(fields=["finished_at"], name="run_finished"),
        ]

    def __str__(self) -> str:
        return str(self.id)


class Step(models.Model):
    """One node's execution in one run. `attempt` and `lease_id` say who may finish it."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="steps")
    #: The node's number in the run's plan.
    no = models.IntegerField()
    node = models.CharField(max_length=64)
    #: The node's id, with the item in front inside a map.
    path = models.CharField(max_length=500)
    kind = models.CharField(max_length=100)
    lane = models.CharField(max_length=16)
    workspace = models.ForeignKey(
        Workspace, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    status = models.CharField(max_length=12, choices=STEP_STATUSES, default=StepStatus.PENDING)
    #: Higher goes first: the run's priority, then the longest way that is left.
    priority = models.IntegerField(default=0)
    #: Incoming edges that are not settled, and those that were taken.
    pending = models.IntegerField(default=0)
    taken = models.IntegerField(default=0)
    attempt = models.IntegerField(default=0)
    failures = models.IntegerField(default=0)
    losses = models.IntegerField(default=0)
    #: Random for every claim; kept after success, so that a repeated completion is recognised.
    lease_id = models.UUIDField(null=True)
    session = models.ForeignKey(
        "WorkerSession", on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    ready_at = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True)
    waiting_until = models.DateTimeField(null=True)
    #: Since when it holds no slot; what it did before counts as work, the wait does not.
    parked_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    #: Out ports that were taken.
    ports = ArrayField(models.CharField(max_length=64), default=list)
    error = OrderedJSONField(null=True)
    usage = OrderedJSONField(null=True)
    #: Why it was skipped or cancelled.
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["run", "no", "path"]
        constraints = [models.UniqueConstraint(fields=["run", "path"], name="step_path_once")]
        indexes = [
            models.Index(fields=["run", "no"], name="step_by_number"),
            models.Index(
                fields=["lane", "workspace", "-priority", "id"],
                condition=models.Q(status=StepStatus.READY),
                name="step_ready",
            ),
            models.Index(
                fields=["session"],
                condition=models.Q(status=StepStatus.RUNNING),
                name="step_running",
            ),
            models.Index(
                fields=["waiting_until"],
                condition=models.Q(status=StepStatus.WAITING),
                name="step_waiting",
            ),
            models.Index(
                fields=["-finished_at"],
                condition=models.Q(finished_at__isnull=False),
                name="step_finished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.path} of {self.run_id}"

    @property
    def is_final(self) -> bool:
        """Whether the step has ended."""
        return StepStatus(self.status) in FINAL_STEP


class StepOutput(models.Model):
    """What a step gave: inline if small, else by digest in the result store. Never changed."""

    step = models.OneToOneField(
        Step, on_delete=models.CASCADE, primary_key=True, related_name="output"
    )
    #: JSON text of the value; none where it lies in the store.
    value = OrderedJSONField(null=True)
    #: SHA-256 of the JSON text, if it lies in the store.
    digest = models.CharField(max_length=64, blank=True)
    size = models.BigIntegerField()
    preview = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"output of {self.step_id}"


class RunEvent(models.Model):
    """One entry of a run's log; `seq` is gapless within the run."""

    pk = models.CompositePrimaryKey("run_id", "seq")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="events", db_index=False)
    seq = models.BigIntegerField()
    type = models.CharField(max_length=32)
    at = models.DateTimeField()
    step_id = models.UUIDField(null=True)
    node = models.CharField(max_length=64, blank=True)
    path = models.CharField(max_length=500, blank=True)
    attempt = models.IntegerField(null=True)
    data = OrderedJSONField(default=dict)

    class Meta:
        ordering = ["run", "seq"]

    def __str__(self) -> str:
        return f"{self.run_id} #{self.seq} {self.type}"


class WorkerSession(models.Model):
    """One worker process. Only its own loop prolongs it, by the database's clock."""

    class State(models.TextChoices):
        """What the process is doing."""

        ALIVE = "alive"
        STOPPING = "stopping"
        STOPPED = "stopped"
        DEAD = "dead"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    host = models.CharField(max_length=200)
    pid = models.IntegerField()
    lane = models.CharField(max_length=16)
    slots = models.IntegerField()
    in_use = models.IntegerField(default=0)
    started_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    state = models.CharField(max_length=12, choices=State, default=State.ALIVE)

    class Meta:
        ordering = ["-started_at"]
        indexes = [
            models.Index(
                fields=["expires_at"],
                condition=models.Q(state__in=["alive", "stopping"]),
                name="session_live",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.host}:{self.pid} ({self.lane})"


class LaneQueue(models.Model):
    """A workspace's place in a lane: the one with the least virtual time is served next."""

    workspace = models.ForeignKey(
        Workspace, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    lane = models.CharField(max_length=16)
    #: Steps taken so far, over the workspace's weight.
    vtime = models.FloatField(default=0)
    weight = models.FloatField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "lane"], name="lane_queue_once"),
        ]

    def __str__(self) -> str:
        return f"{self.workspace_id} in {self.lane}"
