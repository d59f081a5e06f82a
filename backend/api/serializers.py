"""Serializers that refuse what they do not know, and the shapes that several endpoints share."""

from typing import Any

from rest_framework import serializers


class StrictSerializer(serializers.Serializer[Any]):
    """A body whose every key is declared; an unknown or read-only one is refused by name."""

    def to_internal_value(self, data: Any) -> Any:
        """Check the keys, then the values."""
        if isinstance(data, dict):
            refuse_unknown_keys(data, self.fields)
        return super().to_internal_value(data)


class StrictModelSerializer(serializers.ModelSerializer[Any]):
    """The same for serializers made from a model."""

    def to_internal_value(self, data: Any) -> Any:
        """Check the keys, then the values."""
        if isinstance(data, dict):
            refuse_unknown_keys(data, self.fields)
        return super().to_internal_value(data)


def refuse_unknown_keys(data: dict[str, Any], fields: Any) -> None:
    """Refuse keys that cannot be written.

    Raises:
        ValidationError: Names each of them.
    """
    writable = {name for name, field in fields.items() if not field.read_only}
    unknown = {str(key): ["This key is not known here."] for key in data if key not in writable}
    if unknown:
        raise serializers.ValidationError(unknown, code="unknown_key")


class IssueSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    node_id = serializers.CharField(allow_null=True)
    path = serializers.CharField()
    severity = serializers.ChoiceField(choices=["error", "warning"])


class ProblemSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    detail = serializers.CharField()
    issues = IssueSerializer(many=True, required=False)


class PersonSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField(source="display_name")
