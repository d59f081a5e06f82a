"""Import and export: the only addresses that speak YAML."""

import re
from collections.abc import Mapping
from typing import IO, Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation, DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.api.parsers import StrictJSONParser, read_bounded
from backend.workflows import serializers
from backend.workflows.services import drafts
from backend.workflows.services.exchange import Format, read_text, read_yaml, write_text
from backend.workflows.views import shown, workflow_or_404
from backend.workspaces.permissions import principal_of

MEDIA_TYPES: Mapping[Format, str] = {"json": "application/json", "yaml": "application/yaml"}


class YamlParser(BaseParser):
    """A document's file, as it was exported."""

    media_type = "application/yaml"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Read the value, and mark it as a document."""
        try:
            return {"document": read_yaml(read_bounded(stream).decode("utf-8"))}
        except UnicodeDecodeError as error:
            raise ParseError("The body is not UTF-8.") from error


class OldYamlParser(YamlParser):
    """The same under the name that the type had before it was registered."""

    media_type = "application/x-yaml"


class TextYamlParser(YamlParser):
    """The same under the name that some programs send."""

    media_type = "text/yaml"


class AnswersAsAsked(BaseContentNegotiation):
    """The address, not the Accept header, says what comes."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """Choose by the body's type."""
        return DefaultContentNegotiation().select_parser(request, parsers)

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        """Errors are JSON always."""
        return JSONRenderer(), JSONRenderer.media_type


class WorkflowImportView(APIView):
    parser_classes = [StrictJSONParser, YamlParser, OldYamlParser, TextYamlParser]

    @extend_schema(
        operation_id="workflows_import",
        request={
            "application/json": serializers.WorkflowImportSerializer,
            "application/yaml": OpenApiTypes.STR,
        },
        responses={201: serializers.WorkflowSerializer},
    )
    def post(self, request: Request) -> Response:
        """Make a workflow from a document, from its text, or from its file."""
        workflow = drafts.create_workflow(
            principal=principal_of(request), document=_imported_document(request.data)
        )
        return shown(workflow, code=status.HTTP_201_CREATED)


def _imported_document(data: Any) -> Any:
    if isinstance(data, dict) and "schema" in data:
        return data
    body = serializers.WorkflowImportSerializer(data=data)
    body.is_valid(raise_exception=True)
    fields = body.validated_data
    if "document" in fields:
        return fields["document"]
    return read_text(fields["text"], format=fields.get("format", "json"))


class WorkflowExportView(APIView):
    content_negotiation_class = AnswersAsAsked

    @extend_schema(
        operation_id="workflows_export",
        parameters=[
            OpenApiParameter("format", enum=["json", "yaml"], default="json"),
            OpenApiParameter("version", description="A version's number, or `draft`."),
        ],
        responses={
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "application/yaml"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, workflow_id: UUID) -> HttpResponse:
        """Give the document as a file."""
        workflow = workflow_or_404(request, workflow_id)
        wanted: Format = "yaml" if request.query_params.get("format") == "yaml" else "json"
        document = drafts.document_at(workflow, request.query_params.get("version", "draft"))
        name = _file_name(workflow.name)
        return HttpResponse(
            write_text(document, format=wanted),
            content_type=f"{MEDIA_TYPES[wanted]}; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}.{wanted}"'},
        )


def _file_name(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower()
    return plain[:80] or "workflow"
