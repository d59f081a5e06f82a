from datetime import datetime
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from backend.api.serializers import PersonSerializer, StrictSerializer
from backend.workspaces.principal import Scope

SCOPES = [scope.value for scope in Scope]


class SessionUserSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    email = serializers.EmailField()
    name = serializers.CharField()
    is_admin = serializers.BooleanField()


class SessionWorkspaceSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="workspace_id")
    name = serializers.CharField(source="workspace.name")
    role = serializers.ChoiceField(choices=["owner"])


class SessionSerializer(serializers.Serializer[Any]):
    user = SessionUserSerializer(allow_null=True)
    workspaces = SessionWorkspaceSerializer(many=True)
    csrf = serializers.BooleanField()


class ApiKeySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    prefix = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=SCOPES))
    created_at = serializers.DateTimeField()
    created_by = PersonSerializer()
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)


class ApiKeyCreatedSerializer(ApiKeySerializer):
    key = serializers.CharField()


class ApiKeyCreateSerializer(StrictSerializer):
    name = serializers.CharField(max_length=100)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=SCOPES), allow_empty=False, max_length=len(SCOPES)
    )
    expires_at = serializers.DateTimeField(required=False, allow_null=True, default=None)

    def validate_expires_at(self, value: datetime | None) -> datetime | None:
        if value is not None and value <= timezone.now():
            raise serializers.ValidationError("This moment has passed already.", code="past")
        return value
