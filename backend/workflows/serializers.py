from typing import Any

from rest_framework import serializers

from backend.api.documents import DocumentField
from backend.api.serializers import IssueSerializer, PersonSerializer, StrictSerializer


class WorkflowLastRunSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    status = serializers.CharField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class WorkflowRecentRunSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    status = serializers.CharField()
    wall_s = serializers.FloatField(allow_null=True)


class WorkflowSummarySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField()
    revision = serializers.IntegerField()
    node_count = serializers.IntegerField()
    issue_count = serializers.IntegerField()
    latest_version = serializers.IntegerField(allow_null=True)
    draft_changed = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    owner = PersonSerializer(source="created_by", allow_null=True)


class WorkflowRowSerializer(WorkflowSummarySerializer):
    last_run = WorkflowLastRunSerializer(source="history.last_run", allow_null=True)
    recent_runs = WorkflowRecentRunSerializer(source="history.recent_runs", many=True)
    median_s = serializers.FloatField(source="history.median_s", allow_null=True)


class WorkflowSerializer(WorkflowSummarySerializer):
    document = DocumentField()
    issues = IssueSerializer(many=True)
    updated_by = PersonSerializer(allow_null=True)


class WorkflowCreateSerializer(StrictSerializer):
    document = DocumentField()


class WorkflowSaveSerializer(StrictSerializer):
    document = DocumentField()
    revision = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class WorkflowRenameSerializer(StrictSerializer):
    name = serializers.CharField(max_length=200)


class WorkflowImportSerializer(StrictSerializer):
    document = DocumentField(required=False)
    text = serializers.CharField(required=False, trim_whitespace=False)
    format = serializers.ChoiceField(choices=["json", "yaml"], required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("document" in attrs) == ("text" in attrs):
            raise serializers.ValidationError(
                "Send either `document`, or `text` with its `format`.", code="one_of"
            )
        return attrs


class WorkflowPublishSerializer(StrictSerializer):
    note = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")


class WorkflowVersionSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    note = serializers.CharField()
    published_by = PersonSerializer(allow_null=True)
    created_at = serializers.DateTimeField()


class WorkflowVersionDetailSerializer(WorkflowVersionSerializer):
    document = DocumentField(source="graph.document")


class WorkflowTheirsSerializer(serializers.Serializer[Any]):
    revision = serializers.IntegerField()
    document = DocumentField()
    updated_at = serializers.DateTimeField()
    updated_by = PersonSerializer(allow_null=True)


class WorkflowMineSerializer(serializers.Serializer[Any]):
    revision = serializers.IntegerField()
    document = DocumentField()


class RevisionConflictSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    detail = serializers.CharField()
    mine = WorkflowMineSerializer()
    theirs = WorkflowTheirsSerializer()


class DiffNodeSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    paths = serializers.ListField(child=serializers.CharField())


class DiffNodesSerializer(serializers.Serializer[Any]):
    added = serializers.ListField(child=serializers.CharField())
    removed = serializers.ListField(child=serializers.CharField())
    changed = DiffNodeSerializer(many=True)


class DiffEdgeSerializer(serializers.Serializer[Any]):
    to = serializers.CharField()

    def get_fields(self) -> dict[str, Any]:
        # `from` is a keyword of Python and cannot be declared as the others.
        return {"from": serializers.CharField(), **super().get_fields()}


class DiffEdgesSerializer(serializers.Serializer[Any]):
    added = DiffEdgeSerializer(many=True)
    removed = DiffEdgeSerializer(many=True)


class WorkflowDiffSerializer(serializers.Serializer[Any]):
    nodes = DiffNodesSerializer()
    edges = DiffEdgesSerializer()
    text = serializers.CharField()


class ValidationSerializer(serializers.Serializer[Any]):
    issues = IssueSerializer(many=True)


class PortSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()


class DynamicPortsSerializer(serializers.Serializer[Any]):
    field = serializers.CharField()
    key = serializers.CharField()
    also = serializers.CharField(allow_null=True)


class KindFormSerializer(serializers.Serializer[Any]):
    order = serializers.ListField(child=serializers.CharField())


class NodeKindSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    version = serializers.IntegerField()
    title = serializers.CharField()
    summary = serializers.CharField()
    family = serializers.ChoiceField(choices=["in_out", "data", "calls", "control"])
    icon = serializers.CharField()
    lane = serializers.CharField()
    inline = serializers.BooleanField()
    effects = serializers.ChoiceField(choices=["none", "paid", "outward", "depends"])
    deterministic = serializers.BooleanField()
    in_ports = PortSerializer(many=True)
    out_ports = PortSerializer(many=True)
    dynamic_ports = DynamicPortsSerializer(allow_null=True)
    container = serializers.ChoiceField(
        choices=["map", "loop"],
        allow_null=True,
        help_text="It holds nodes, and runs them for each item or round after round.",
    )
    deferred = serializers.ListField(
        child=serializers.CharField(),
        help_text="Settings that are evaluated for each item or round, from what is inside.",
    )
    config_schema = serializers.DictField()
    ui = KindFormSerializer()


class NodeKindListSerializer(serializers.Serializer[Any]):
    results = NodeKindSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
