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
        WORKFLOW = "workflow"

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
    #: Steps that are not final, steps that were ever made, items and rounds that were begun.
    open_steps = models.IntegerField(default=0)
    made_steps = models.IntegerField(default=0)
    scope_count = models.IntegerField(default=0)
    #: Names the transaction that moved the run last.
    commit_id = models.UUIDField(null=True)
    #: How often its graph was changed while it ran.
    plan_version = models.IntegerField(default=0)
    #: Since when a pass has been left for the next worker to go on with.
    unfinished_at = models.DateTimeField(null=True)
    #: The step that this run runs for, and how many runs stand above it.
    parent_step_id = models.UUIDField(null=True)
    parent_run: "models.ForeignKey[Run | None, Run | None]" = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, related_name="children"
    )
    depth = models.SmallIntegerField(default=0)
    #: What it may spend; runs that it starts spend from the same.
    budget_id = models.UUIDField(null=True)
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
            models.Index(
                fields=["unfinished_at"],
                condition=models.Q(unfinished_at__isnull=False),
                name="run_unfinished_pass",
            ),
            models.Index(
                fields=["parent_step_id"],
                condition=models.Q(parent_step_id__isnull=False),
                name="run_of_step",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class Step(models.Model):
    """One node's execution in one run. `attempt` and `lease_id` say who may finish it."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="steps")
    #: The item or round it runs in, by its number; 0 for the run itself.
    scope = models.IntegerField(default=0)
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
    #: When it has waited for a worker as long as its policy allows.
    queue_until = models.DateTimeField(null=True)
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
    #: Why it was skipped, cancelled or held.
    reason = models.TextField(blank=True)
    #: What it is counted by while it runs: `workflow:<id>`, `credential:<id>`, `model:<name>`.
    limits = ArrayField(models.CharField(max_length=200), default=list)
    #: The limit that kept it from being started when it was last looked at.
    limited_by = models.CharField(max_length=200, blank=True)
    #: Seconds for which it was ready and did not run, by cause.
    waited_slot_s = models.FloatField(default=0)
    waited_limit_s = models.FloatField(default=0)
    waited_retry_s = models.FloatField(default=0)
    awaits_signal = models.BooleanField(default=False)
    #: The run that another workflow makes for it.
    child_run_id = models.UUIDField(null=True)

    class Meta:
        ordering = ["run", "scope", "no"]
        constraints = [
            models.UniqueConstraint(fields=["run", "scope", "no"], name="step_once"),
        ]
        indexes = [
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
                fields=["queue_until"],
                condition=models.Q(status=StepStatus.READY, queue_until__isnull=False),
                name="step_queued",
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


class Container(models.Model):
    """How far a step has got that runs what is inside it item by item, or round by round."""

    step = models.OneToOneField(
        Step, on_delete=models.CASCADE, primary_key=True, related_name="container"
    )
    #: None for a loop that only its condition ends.
    total = models.IntegerField(null=True)
    begun = models.IntegerField(default=0)
    done = models.IntegerField(default=0)
    failed = models.IntegerField(default=0)
    #: What a loop carries into its next round, and the scope of its last one.
    state = OrderedJSONField(null=True)
    last_scope = models.IntegerField(null=True)
    #: What it goes over: inline if small, else by digest in the result store.
    items = OrderedJSONField(null=True)
    items_digest = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"container {self.step_id}"


class ItemScope(models.Model):
    """One item of a map or one round of a loop."""

    pk = models.CompositePrimaryKey("run_id", "no")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="scopes", db_index=False)
    #: Counts from 1 in the run.
    no = models.IntegerField()
    #: The container's step: the scope it is in, and its node's number.
    container_scope = models.IntegerField()
    container_no = models.IntegerField()
    index = models.IntegerField()
    #: In front of the paths of the steps inside: `each[3]/`.
    path = models.CharField(max_length=500)
    status = models.CharField(max_length=12, choices=STEP_STATUSES, default=StepStatus.RUNNING)
    #: Steps directly inside that are not final.
    open = models.IntegerField(default=0)
    state = OrderedJSONField(null=True)
    result = OrderedJSONField(null=True)
    result_digest = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["run", "no"]
        indexes = [
            models.Index(
                fields=["run", "container_scope", "container_no", "index"],
                name="scope_of_container",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.path} of {self.run_id}"


class GraphChange(models.Model):
    """A change of a run's graph while it ran."""

    pk = models.CompositePrimaryKey("run_id", "number")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="changes", db_index=False)
    number = models.IntegerField()
    operations = OrderedJSONField()
    graph = models.ForeignKey(Graph, on_delete=models.PROTECT, related_name="+")
    #: The step that asked for it, or the person.
    step_id = models.UUIDField(null=True)
    created_by: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    note = models.TextField(blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["run", "number"]

    def __str__(self) -> str:
        return f"change {self.number} of {self.run_id}"


class Signal(models.Model):
    """What a signal brought, from when it came until its step takes it. The first one counts."""

    pk = models.CompositePrimaryKey("run_id", "path")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="signals", db_index=False)
    #: The path of the step that waits for it, or will.
    path = models.CharField(max_length=500)
    payload = OrderedJSONField(null=True)
    received_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"signal {self.path} of {self.run_id}"


class EventChunk(models.Model):
    """Entries of a run's log that were committed together, as compact JSON."""

    pk = models.CompositePrimaryKey("run_id", "first")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="chunks", db_index=False)
    #: The sequence numbers of the first and the last entry.
    first = models.BigIntegerField()
    last = models.BigIntegerField()
    #: A list of `[type, microseconds since 1970, step id, node, path, attempt, data]`.
    events = OrderedJSONField()

    def __str__(self) -> str:
        return f"{self.run_id} #{self.first} to #{self.last}"


class RunEvent(models.Model):
    """One entry of a run's log, read from its chunk; `seq` is gapless within the run."""

    pk = models.CompositePrimaryKey("run_id", "seq")
    run = models.ForeignKey(Run, on_delete=models.DO_NOTHING, related_name="events")
    seq = models.BigIntegerField()
    type = models.CharField(max_length=32)
    at = models.DateTimeField()
    step_id = models.UUIDField(null=True)
    node = models.CharField(max_length=64, blank=True)
    path = models.CharField(max_length=500, blank=True)
    attempt = models.IntegerField(null=True)
    data = OrderedJSONField(default=dict)

    class Meta:
        managed = False
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
