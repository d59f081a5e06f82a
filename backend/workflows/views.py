from functools import cache
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.filters import SearchFilter
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.api.pages import CursorPage, StableOrdering
from backend.nodes.registry import KINDS
from backend.workflows import serializers
from backend.workflows.models import Workflow, WorkflowVersion
from backend.workflows.services import drafts
from backend.workflows.services.check import issues_of, read_document
from backend.workflows.services.compare import compare_documents
from backend.workflows.services.history import history_of, with_recent_runs
from backend.workflows.services.publish import publish_draft
from backend.workspaces.permissions import principal_of
from backend.workspaces.principal import Scope


def workflow_or_404(request: Request, workflow_id: UUID) -> Workflow:
    visible = Workflow.objects.visible_to(principal_of(request))
    return get_object_or_404(visible.select_related("created_by", "updated_by"), id=workflow_id)


def shown(workflow: Workflow, *, code: int = status.HTTP_200_OK) -> Response:
    # What a workspace has may have changed since the draft was saved, and its issues with it.
    _, parsed = read_document(workflow.document)
    issues = issues_of(parsed, workspace_id=workflow.workspace_id)
    workflow.issues = [issue.to_json() for issue in issues]
    workflow.issue_count = sum(issue.severity == "error" for issue in issues)
    return Response(serializers.WorkflowSerializer(workflow).data, status=code)


class WorkflowListView(GenericAPIView[Workflow]):
    filter_backends = [SearchFilter, StableOrdering]
    pagination_class = CursorPage
    search_fields = ["name", "description"]
    ordering_fields = ["name", "created_at", "updated_at", "node_count"]
    ordering = ["-updated_at"]
    serializer_class = serializers.WorkflowRowSerializer

    def get_queryset(self) -> QuerySet[Workflow]:
        visible = Workflow.objects.visible_to(principal_of(self.request))
        return with_recent_runs(visible.select_related("created_by").defer("document", "issues"))

    @extend_schema(
        operation_id="workflows_list",
        responses=serializers.WorkflowRowSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        for workflow in page:
            workflow.history = history_of(workflow)  # type: ignore[attr-defined]
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    @extend_schema(
        operation_id="workflows_create",
        request=serializers.WorkflowCreateSerializer,
        responses={201: serializers.WorkflowSerializer},
    )
    def post(self, request: Request) -> Response:
        body = serializers.WorkflowCreateSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        workflow = drafts.create_workflow(
            principal=principal_of(request), document=body.validated_data["document"]
        )
        return shown(workflow, code=status.HTTP_201_CREATED)


class WorkflowView(APIView):
    @extend_schema(operation_id="workflows_retrieve", responses=serializers.WorkflowSerializer)
    def get(self, request: Request, workflow_id: UUID) -> Response:
        return shown(workflow_or_404(request, workflow_id))

    @extend_schema(
        operation_id="workflows_save",
        request=serializers.WorkflowSaveSerializer,
        responses={
            200: serializers.WorkflowSerializer,
            409: serializers.RevisionConflictSerializer,
        },
    )
    def put(self, request: Request, workflow_id: UUID) -> Response:
        workflow = workflow_or_404(request, workflow_id)
        body = serializers.WorkflowSaveSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        saved = drafts.save_draft(
            principal=principal_of(request), workflow=workflow, **body.validated_data
        )
        return shown(saved)

    @extend_schema(
        operation_id="workflows_rename",
        request=serializers.WorkflowRenameSerializer,
        responses={
            200: serializers.WorkflowSerializer,
            409: serializers.RevisionConflictSerializer,
        },
    )
    def patch(self, request: Request, workflow_id: UUID) -> Response:
        workflow = workflow_or_404(request, workflow_id)
        body = serializers.WorkflowRenameSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        renamed = drafts.rename_workflow(
            principal=principal_of(request), workflow=workflow, **body.validated_data
        )
        return shown(renamed)

    @extend_schema(operation_id="workflows_delete", responses={204: None})
    def delete(self, request: Request, workflow_id: UUID) -> Response:
        drafts.delete_workflow(workflow_or_404(request, workflow_id))
        return Response(status=status.HTTP_204_NO_CONTENT)


class WorkflowRestoreView(APIView):
    @extend_schema(
        operation_id="workflows_restore", request=None, responses=serializers.WorkflowSerializer
    )
    def post(self, request: Request, workflow_id: UUID) -> Response:
        principal = principal_of(request)
        deleted = Workflow.objects.deleted_for(principal) | Workflow.objects.visible_to(principal)
        workflow = get_object_or_404(deleted, id=workflow_id)
        drafts.restore_workflow(workflow)
        return shown(workflow)


class WorkflowDuplicateView(APIView):
    @extend_schema(
        operation_id="workflows_duplicate",
        request=None,
        responses={201: serializers.WorkflowSerializer},
    )
    def post(self, request: Request, workflow_id: UUID) -> Response:
        copy = drafts.duplicate_workflow(
            principal=principal_of(request), workflow=workflow_or_404(request, workflow_id)
        )
        return shown(copy, code=status.HTTP_201_CREATED)


class WorkflowPublishView(APIView):
    @extend_schema(
        operation_id="workflows_publish",
        request=serializers.WorkflowPublishSerializer,
        responses={
            200: serializers.WorkflowVersionDetailSerializer,
            201: serializers.WorkflowVersionDetailSerializer,
        },
    )
    def post(self, request: Request, workflow_id: UUID) -> Response:
        workflow = workflow_or_404(request, workflow_id)
        body = serializers.WorkflowPublishSerializer(data=request.data or {})
        body.is_valid(raise_exception=True)
        version, made = publish_draft(
            principal=principal_of(request), workflow=workflow, note=body.validated_data["note"]
        )
        code = status.HTTP_201_CREATED if made else status.HTTP_200_OK
        return Response(serializers.WorkflowVersionDetailSerializer(version).data, status=code)


class WorkflowVersionListView(ListAPIView[WorkflowVersion]):
    serializer_class = serializers.WorkflowVersionSerializer
    queryset = WorkflowVersion.objects.none()

    class Pages(CursorPage):
        ordering = "-number"

    pagination_class = Pages

    def get_queryset(self) -> QuerySet[WorkflowVersion]:
        workflow = workflow_or_404(self.request, self.kwargs["workflow_id"])
        return workflow.versions.select_related("published_by")

    @extend_schema(operation_id="workflows_versions")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class WorkflowVersionView(APIView):
    @extend_schema(
        operation_id="workflows_version",
        responses=serializers.WorkflowVersionDetailSerializer,
    )
    def get(self, request: Request, workflow_id: UUID, number: int) -> Response:
        workflow = workflow_or_404(request, workflow_id)
        versions = workflow.versions.select_related("graph", "published_by")
        version = get_object_or_404(versions, number=number)
        return Response(serializers.WorkflowVersionDetailSerializer(version).data)


SIDES = [
    OpenApiParameter(name, str, required=True, description="A version's number, or `draft`.")
    for name in ("from", "to")
]


class WorkflowDiffView(APIView):
    @extend_schema(
        operation_id="workflows_diff",
        parameters=SIDES,
        responses=serializers.WorkflowDiffSerializer,
    )
    def get(self, request: Request, workflow_id: UUID) -> Response:
        workflow = workflow_or_404(request, workflow_id)
        before, after = (
            drafts.document_at(workflow, request.query_params.get(side, "draft"))
            for side in ("from", "to")
        )
        return Response(compare_documents(before, after))


class ValidateView(APIView):
    unsafe_scope = Scope.READ

    @extend_schema(
        operation_id="workflows_validate",
        request=serializers.WorkflowCreateSerializer,
        responses=serializers.ValidationSerializer,
    )
    def post(self, request: Request) -> Response:
        body = serializers.WorkflowCreateSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        _, parsed = read_document(body.validated_data["document"])
        issues = issues_of(parsed, workspace_id=principal_of(request).workspace_id)
        return Response({"issues": [issue.to_json() for issue in issues]})


@cache
def catalogue() -> list[dict[str, Any]]:
    return [kind.spec.describe() for kind in KINDS.values()]


class NodeKindListView(APIView):
    @extend_schema(
        operation_id="node_kinds_list",
        responses=serializers.NodeKindListSerializer,
    )
    def get(self, request: Request) -> Response:
        return Response({"results": catalogue(), "next": None, "previous": None})
