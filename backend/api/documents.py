"""A workflow document in a body: any JSON here, checked by the engine, described by its model."""

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import Direction
from pydantic.json_schema import model_json_schema
from rest_framework import serializers

from backend.engine.document import Document

PREFIX = "Document"


class DocumentField(serializers.JSONField):
    """Takes and gives a document as it stands; services read its shape."""


class DocumentFieldDescription(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Describes the field by components made from the engine's own model."""

    target_class = "backend.api.documents.DocumentField"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> Any:
        """Register the model's parts once, and refer to the whole."""
        schema = model_json_schema(Document, ref_template="#/components/schemas/{model}")
        parts = schema.pop("$defs", {})
        for name, part in {**parts, PREFIX: schema}.items():
            component = ResolvedComponent(  # type: ignore[no-untyped-call]
                name=_named(name), type=ResolvedComponent.SCHEMA, schema=_renamed(part), object=name
            )
            auto_schema.registry.register_on_missing(component)
        return {"$ref": f"#/components/schemas/{PREFIX}"}


def _named(name: str) -> str:
    return name if name == PREFIX else PREFIX + name


def _renamed(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: _renamed_reference(item) if key == "$ref" else _renamed(item)
            for key, item in value.items()
        }
    return [_renamed(item) for item in value] if isinstance(value, list) else value


def _renamed_reference(reference: str) -> str:
    path, _, name = reference.rpartition("/")
    return f"{path}/{_named(name)}"
