from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts import serializers
from backend.accounts.models import ApiKey
from backend.accounts.services import create_api_key
from backend.workspaces.models import Member
from backend.workspaces.permissions import InBrowser, principal_of


class SessionView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(operation_id="session_retrieve", responses=serializers.SessionSerializer)
    def get(self, request: Request) -> Response:
        """Tell who is signed in, and set the cookie that writing needs."""
        get_token(request)
        user = request.user if request.user.is_authenticated else None
        members = Member.objects.none()
        if user is not None:
            members = Member.objects.filter(user_id=user.pk).select_related("workspace")
        body = {"user": user, "workspaces": members.order_by("created_at", "id"), "csrf": True}
        return Response(serializers.SessionSerializer(body).data)


class ApiKeyListView(ListAPIView[ApiKey]):
    permission_classes = [InBrowser]
    serializer_class = serializers.ApiKeySerializer

    def get_queryset(self) -> QuerySet[ApiKey]:
        visible = ApiKey.objects.visible_to(principal_of(self.request))
        return visible.select_related("created_by")

    @extend_schema(operation_id="api_keys_list")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="api_keys_create",
        request=serializers.ApiKeyCreateSerializer,
        responses={201: serializers.ApiKeyCreatedSerializer},
    )
    def post(self, request: Request) -> Response:
        """Make a key. The answer is the only place where it is ever shown."""
        body = serializers.ApiKeyCreateSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        principal = principal_of(request)
        row, key = create_api_key(
            workspace_id=principal.workspace_id, user_id=principal.user_id, **body.validated_data
        )
        shown = serializers.ApiKeySerializer(row).data
        return Response({**shown, "key": key}, status=status.HTTP_201_CREATED)


class ApiKeyView(APIView):
    permission_classes = [InBrowser]

    @extend_schema(operation_id="api_keys_delete", responses={204: None})
    def delete(self, request: Request, key_id: UUID) -> Response:
        get_object_or_404(ApiKey.objects.visible_to(principal_of(request)), id=key_id).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)
