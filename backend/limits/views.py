from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.limits import serializers
from backend.limits.installation import installation_limits
from backend.limits.keep import change_limit, counted, create_limit
from backend.limits.models import Limit
from backend.workspaces.permissions import principal_of


def limit_or_404(request: Request, limit_id: UUID) -> Limit:
    return get_object_or_404(Limit.objects.visible_to(principal_of(request)), id=limit_id)


def shown(limit: Limit) -> dict[str, Any]:
    return dict(serializers.LimitSerializer(counted([limit])[0]).data)


class LimitListView(ListAPIView[Limit]):
    serializer_class = serializers.LimitSerializer

    def get_queryset(self) -> QuerySet[Limit]:
        return Limit.objects.visible_to(principal_of(self.request))

    def paginate_queryset(self, queryset: Any) -> list[Any] | None:
        page = super().paginate_queryset(queryset)
        return None if page is None else counted(page)

    @extend_schema(operation_id="limits_list")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """What the workspace limits, with how much runs and waits under each limit."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="limits_create",
        request=serializers.LimitCreateSerializer,
        responses={201: serializers.LimitSerializer},
    )
    def post(self, request: Request) -> Response:
        body = serializers.LimitCreateSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = dict(body.validated_data)
        limit = create_limit(
            principal=principal_of(request),
            target=fields.pop("target"),
            key=fields.pop("key"),
            fields=fields,
        )
        return Response(shown(limit), status=status.HTTP_201_CREATED)


class LimitView(APIView):
    @extend_schema(operation_id="limits_retrieve", responses=serializers.LimitSerializer)
    def get(self, request: Request, limit_id: UUID) -> Response:
        return Response(shown(limit_or_404(request, limit_id)))

    @extend_schema(
        operation_id="limits_change",
        request=serializers.LimitChangeSerializer,
        responses=serializers.LimitSerializer,
    )
    def patch(self, request: Request, limit_id: UUID) -> Response:
        limit = limit_or_404(request, limit_id)
        body = serializers.LimitChangeSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        return Response(shown(change_limit(limit=limit, fields=body.validated_data)))

    @extend_schema(operation_id="limits_delete", responses={204: None})
    def delete(self, request: Request, limit_id: UUID) -> Response:
        limit_or_404(request, limit_id).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class InstallationLimitsView(APIView):
    @extend_schema(
        operation_id="limits_installation", responses=serializers.InstallationLimitsSerializer
    )
    def get(self, request: Request) -> Response:
        """The bounds of the whole installation, each with the setting that sets it."""
        body = {"results": installation_limits()}
        return Response(serializers.InstallationLimitsSerializer(body).data)
