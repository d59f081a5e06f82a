from typing import Any

from rest_framework import serializers

from backend.api.serializers import PersonSerializer, StrictSerializer
from backend.limits.serializers import BudgetWishSerializer
from backend.runs.serializers import STEP_STATUSES, AnyField, ObjectField


class ResumeSerializer(StrictSerializer):
    budget = BudgetWishSerializer(required=False)


class DecisionSerializer(StrictSerializer):
    decision = serializers.ChoiceField(choices=["rerun", "skip", "fail"])


class ChangeRequestSerializer(StrictSerializer):
    operations = serializers.ListField(child=ObjectField(), min_length=1, max_length=1000)
    base = serializers.IntegerField(
        min_value=0, help_text="The number of the latest change that was known: plan_version."
    )
    note = serializers.CharField(required=False, default="", allow_blank=True, max_length=1000)


class ChangeSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    operations = serializers.ListField(child=ObjectField())
    step_id = serializers.UUIDField(allow_null=True)
    created_by = PersonSerializer(allow_null=True)
    note = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()


class ItemSerializer(serializers.Serializer[Any]):
    """One item of a map, or one round of a loop."""

    scope = serializers.IntegerField(source="no", help_text="Steps inside are listed by it.")
    index = serializers.IntegerField()
    path = serializers.CharField()
    status = serializers.ChoiceField(choices=STEP_STATUSES)
    open = serializers.IntegerField(help_text="Steps directly inside that have not ended.")
    result = AnyField(allow_null=True)
    has_large_result = serializers.SerializerMethodField()

    def get_has_large_result(self, item: Any) -> bool:
        return bool(item.result_digest)
