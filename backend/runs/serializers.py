from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.api.documents import DocumentField
from backend.api.serializers import PersonSerializer, StrictSerializer
from backend.engine.state import RunStatus, StepStatus
from backend.limits.serializers import BudgetSerializer, BudgetWishSerializer
from backend.runs.models import Run

RUN_STATUSES = [status.value for status in RunStatus]
STEP_STATUSES = [status.value for status in StepStatus]


@extend_schema_field({"oneOf": [{"type": "integer", "minimum": 1}, {"enum": ["draft"]}]})
class VersionField(serializers.Field):  # type: ignore[type-arg]
    """A published number, or the draft."""

    def to_internal_value(self, data: Any) -> int | str:
        if data == "draft" or (type(data) is int and 1 <= data < 2**31):
            return data  # type: ignore[no-any-return]
        raise serializers.ValidationError('A version is a number from 1, or "draft".')

    def to_representation(self, value: int | str) -> int | str:
        return value


@extend_schema_field({"type": "object", "additionalProperties": {}})
class ObjectField(serializers.JSONField):
    """A JSON object."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise serializers.ValidationError("Send a JSON object.")
        return data


@extend_schema_field({})
class AnyField(serializers.JSONField):
    """Any JSON value."""


class RunStartSerializer(StrictSerializer):
    inputs = ObjectField(required=False, default=dict)
    version = VersionField(required=False)
    deadline_s = serializers.FloatField(required=False, min_value=0.1, max_value=31 * 24 * 3600)
    priority = serializers.IntegerField(required=False, default=0, min_value=-100, max_value=100)
    budget = BudgetWishSerializer(required=False)


class RunErrorSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    retryable = serializers.BooleanField()
    node_id = serializers.CharField(allow_null=True)


class RunUsageSerializer(serializers.Serializer[Any]):
    input_tokens = serializers.IntegerField()
    output_tokens = serializers.IntegerField()
    cost = serializers.FloatField(allow_null=True)


class RunTimingsSerializer(serializers.Serializer[Any]):
    wall_s = serializers.FloatField()
    work_s = serializers.FloatField()
    span_s = serializers.FloatField(allow_null=True)
    speed_up = serializers.FloatField(allow_null=True)


class RunWaitedSerializer(serializers.Serializer[Any]):
    """Seconds for which steps waited, summed over the run's steps."""

    inputs_s = serializers.FloatField()
    slot_s = serializers.FloatField()
    limit_s = serializers.FloatField()
    retry_s = serializers.FloatField()


class StepCountsSerializer(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    pending = serializers.IntegerField()
    ready = serializers.IntegerField()
    running = serializers.IntegerField()
    waiting = serializers.IntegerField()
    succeeded = serializers.IntegerField()
    failed = serializers.IntegerField()
    skipped = serializers.IntegerField()
    cancelled = serializers.IntegerField()
    held = serializers.IntegerField()


class RunRowSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    workflow_id = serializers.UUIDField()
    workflow_name = serializers.CharField(source="workflow.name")
    version = serializers.IntegerField(allow_null=True)
    status = serializers.ChoiceField(choices=RUN_STATUSES)
    error = RunErrorSerializer(allow_null=True)
    usage = RunUsageSerializer(source="figures.usage", allow_null=True)
    timings = RunTimingsSerializer(allow_null=True)
    steps = StepCountsSerializer(source="steps_shown")
    priority = serializers.IntegerField()
    trigger = serializers.ChoiceField(choices=[t.value for t in Run.Trigger])
    created_by = PersonSerializer(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    deadline_at = serializers.DateTimeField(allow_null=True)
    seq = serializers.IntegerField(source="event_seq")
    parent_run_id = serializers.UUIDField(allow_null=True)
    plan_version = serializers.IntegerField()


class RunSerializer(RunRowSerializer):
    waited = RunWaitedSerializer()
    budget = BudgetSerializer(allow_null=True)
    inputs = ObjectField()
    outputs = ObjectField(allow_null=True)
    critical_path = serializers.ListField(
        child=serializers.CharField(), source="figures.critical_path"
    )
    document = DocumentField(source="graph.document")


class WhyWaitingSerializer(serializers.Serializer[Any]):
    cause = serializers.ChoiceField(
        choices=["inputs", "slot", "limit", "retry", "time", "signal", "workflow", "items", "held"]
    )
    text = serializers.CharField()
    nodes = serializers.ListField(child=serializers.CharField(), required=False)
    lane = serializers.CharField(required=False)
    ahead = serializers.IntegerField(required=False)
    until = serializers.CharField(required=False, allow_null=True)
    limit = serializers.CharField(required=False)
    run_id = serializers.UUIDField(required=False)


class ProgressSerializer(serializers.Serializer[Any]):
    """How far a map or loop has got."""

    total = serializers.IntegerField(allow_null=True)
    begun = serializers.IntegerField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()


class StepRowSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    node = serializers.CharField()
    path = serializers.CharField()
    kind = serializers.CharField()
    lane = serializers.CharField()
    status = serializers.ChoiceField(choices=STEP_STATUSES)
    attempt = serializers.IntegerField()
    failures = serializers.IntegerField()
    losses = serializers.IntegerField()
    ready_at = serializers.DateTimeField(allow_null=True)
    not_before = serializers.DateTimeField(allow_null=True)
    waiting_until = serializers.DateTimeField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    ports = serializers.ListField(child=serializers.CharField())
    error = RunErrorSerializer(allow_null=True)
    usage = RunUsageSerializer(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    scope = serializers.IntegerField(help_text="The item or round it runs in; 0 at the top.")
    child_run_id = serializers.UUIDField(allow_null=True)
    progress = serializers.SerializerMethodField()
    output_preview = serializers.SerializerMethodField()
    output_size = serializers.SerializerMethodField()

    @extend_schema_field(ProgressSerializer(allow_null=True))
    def get_progress(self, step: Any) -> Any:
        return ProgressSerializer(step.container).data if hasattr(step, "container") else None

    def get_output_preview(self, step: Any) -> str | None:
        return step.output.preview if hasattr(step, "output") else None

    def get_output_size(self, step: Any) -> int | None:
        return step.output.size if hasattr(step, "output") else None


class StepSerializer(StepRowSerializer):
    output = AnyField(source="output_value", allow_null=True)
    output_truncated = serializers.BooleanField()
    why_waiting = WhyWaitingSerializer(allow_null=True)
    signal_url = serializers.URLField(allow_null=True)


class RunEventSerializer(serializers.Serializer[Any]):
    seq = serializers.IntegerField()
    type = serializers.CharField()
    at = serializers.DateTimeField()
    step_id = serializers.UUIDField(allow_null=True)
    node = serializers.CharField(allow_null=True)
    path = serializers.CharField(allow_null=True)
    attempt = serializers.IntegerField(allow_null=True)
    data = ObjectField()  # type: ignore[assignment]


class RunEventPageSerializer(serializers.Serializer[Any]):
    results = RunEventSerializer(many=True)
    next = serializers.IntegerField(allow_null=True)
    ended = serializers.BooleanField()
