from typing import Any

from rest_framework import serializers

from backend.api.serializers import StrictSerializer
from backend.limits.models import Budget, Limit

MOST_RUNNING = 1_000_000
MOST_RATE = 1_000_000
LONGEST_PER_S = 31 * 24 * 3600
#: Money has ten digits behind the point; larger budgets than this bound nothing.
MOST_COST = 10**9
MOST_TOKENS = 10**12
MOST_STEPS = 10**9


class LimitSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    target = serializers.ChoiceField(choices=Limit.Target.values)
    key = serializers.CharField()
    max_running = serializers.IntegerField(allow_null=True)
    rate = serializers.IntegerField(allow_null=True)
    per_s = serializers.FloatField()
    running = serializers.IntegerField(help_text="Steps that run and count for it.")
    waiting = serializers.IntegerField(help_text="Steps that are ready and will count for it.")
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class LimitChangeSerializer(StrictSerializer):
    max_running = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MOST_RUNNING
    )
    rate = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MOST_RATE
    )
    per_s = serializers.FloatField(required=False, min_value=0.1, max_value=LONGEST_PER_S)


class LimitCreateSerializer(LimitChangeSerializer):
    target = serializers.ChoiceField(choices=Limit.Target.values)
    key = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class InstallationLimitSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    value = serializers.IntegerField()
    meaning = serializers.CharField()


class InstallationLimitsSerializer(serializers.Serializer[Any]):
    results = InstallationLimitSerializer(many=True)


class BudgetWishSerializer(StrictSerializer):
    """What a run may spend, as its start asks for it."""

    tokens = serializers.IntegerField(required=False, min_value=0, max_value=MOST_TOKENS)
    cost = serializers.FloatField(required=False, min_value=0, max_value=MOST_COST)
    steps = serializers.IntegerField(required=False, min_value=1, max_value=MOST_STEPS)
    wall_s = serializers.FloatField(required=False, min_value=0.1, max_value=LONGEST_PER_S)
    on_exceeded = serializers.ChoiceField(
        required=False, choices=Budget.OnExceeded.values, default=Budget.OnExceeded.FAIL.value
    )

    def validate(self, attrs: Any) -> Any:
        if not attrs.keys() & {"tokens", "cost", "steps", "wall_s"}:
            raise serializers.ValidationError("A budget bounds tokens, cost, steps or wall_s.")
        return attrs


class BoundsSerializer(serializers.Serializer[Any]):
    tokens = serializers.IntegerField(source="max_tokens", allow_null=True)
    cost = serializers.FloatField(source="max_cost", allow_null=True)
    steps = serializers.IntegerField(source="max_steps", allow_null=True)


class SpentSerializer(serializers.Serializer[Any]):
    tokens = serializers.IntegerField(source="spent_tokens")
    cost = serializers.FloatField(source="spent_cost")
    steps = serializers.IntegerField(source="steps_started")


class ReservedSerializer(serializers.Serializer[Any]):
    tokens = serializers.IntegerField(source="reserved_tokens")
    cost = serializers.FloatField(source="reserved_cost")


class BudgetSerializer(serializers.Serializer[Any]):
    """A run's budget; runs that it starts spend from the same."""

    limits = BoundsSerializer(source="*")
    spent = SpentSerializer(source="*")
    reserved = ReservedSerializer(source="*")
    on_exceeded = serializers.ChoiceField(choices=Budget.OnExceeded.values)
