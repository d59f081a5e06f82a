import re
from typing import Any
from urllib.parse import urlsplit

from rest_framework import serializers

from backend.api.serializers import StrictSerializer
from backend.credentials.models import Credential

NAME = r"(\*\.)?[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?"
ADDRESS = r"\[[0-9a-fA-F:]+\]"
HOST = re.compile(rf"^({NAME}|{ADDRESS})(:[0-9]{{1,5}})?\Z")
HEADER = re.compile(r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+\Z")
MAX_SECRET = 8192


class PriceSerializer(StrictSerializer):
    input = serializers.FloatField(min_value=0)
    output = serializers.FloatField(min_value=0)


class CredentialSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=Credential.Kind.values)
    name = serializers.CharField()
    base_url = serializers.CharField()
    models = serializers.ListField(child=serializers.CharField(), source="model_names")
    default_model = serializers.CharField()
    prices = serializers.DictField(child=PriceSerializer())
    default = serializers.BooleanField(source="is_default")
    allow_private = serializers.BooleanField()
    hosts = serializers.ListField(child=serializers.CharField())
    username = serializers.CharField()
    header = serializers.CharField()
    secret_hint = serializers.CharField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True)


class CredentialChangeSerializer(StrictSerializer):
    name = serializers.CharField(max_length=100, required=False)
    base_url = serializers.CharField(max_length=500, required=False)
    models = serializers.ListField(
        child=serializers.CharField(max_length=200), required=False, max_length=500
    )
    default_model = serializers.CharField(max_length=200, required=False, allow_blank=True)
    prices = serializers.DictField(child=PriceSerializer(), required=False)
    default = serializers.BooleanField(required=False)
    allow_private = serializers.BooleanField(required=False)
    hosts = serializers.ListField(
        child=serializers.RegexField(HOST, max_length=260), required=False, max_length=50
    )
    username = serializers.CharField(max_length=200, required=False)
    header = serializers.RegexField(HEADER, max_length=100, required=False)
    api_key = serializers.CharField(
        max_length=MAX_SECRET, required=False, allow_blank=True, write_only=True
    )
    password = serializers.CharField(
        max_length=MAX_SECRET, required=False, trim_whitespace=False, write_only=True
    )
    value = serializers.CharField(max_length=MAX_SECRET, required=False, write_only=True)

    def validate_base_url(self, value: str) -> str:
        try:
            parts = urlsplit(value)
            host, _ = parts.hostname, parts.port
        except ValueError as error:
            raise serializers.ValidationError("This is no address.", code="url") from error
        if parts.scheme not in {"http", "https"} or not host or parts.username is not None:
            raise serializers.ValidationError(
                "An address looks like https://api.example.org/v1, without a user in it.",
                code="url",
            )
        if parts.query or parts.fragment:
            raise serializers.ValidationError("Leave out what follows ? or #.", code="url")
        return value.rstrip("/")

    def validate_value(self, value: str) -> str:
        if not value.isprintable():
            raise serializers.ValidationError("A header's value is one line.", code="header")
        return value


class CredentialCreateSerializer(CredentialChangeSerializer):
    kind = serializers.ChoiceField(choices=Credential.Kind.values)
    name = serializers.CharField(max_length=100)


class CredentialTestSerializer(serializers.Serializer[Any]):
    ok = serializers.BooleanField()
    message = serializers.CharField()
    models = serializers.ListField(child=serializers.CharField())
    latency_ms = serializers.IntegerField(allow_null=True)
