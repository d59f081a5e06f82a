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

from backend.credentials import serializers
from backend.credentials.models import Credential
from backend.credentials.services.keep import change_credential, create_credential
from backend.credentials.services.probe import probe_credential
from backend.workspaces.permissions import principal_of


def credential_or_404(request: Request, credential_id: UUID) -> Credential:
    return get_object_or_404(Credential.objects.visible_to(principal_of(request)), id=credential_id)


class CredentialListView(ListAPIView[Credential]):
    serializer_class = serializers.CredentialSerializer

    def get_queryset(self) -> QuerySet[Credential]:
        return Credential.objects.visible_to(principal_of(self.request))

    @extend_schema(operation_id="credentials_list")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="credentials_create",
        request=serializers.CredentialCreateSerializer,
        responses={201: serializers.CredentialSerializer},
    )
    def post(self, request: Request) -> Response:
        body = serializers.CredentialCreateSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = dict(body.validated_data)
        credential = create_credential(
            principal=principal_of(request), kind=fields.pop("kind"), fields=fields
        )
        shown = serializers.CredentialSerializer(credential).data
        return Response(shown, status=status.HTTP_201_CREATED)


class CredentialView(APIView):
    @extend_schema(operation_id="credentials_retrieve", responses=serializers.CredentialSerializer)
    def get(self, request: Request, credential_id: UUID) -> Response:
        credential = credential_or_404(request, credential_id)
        return Response(serializers.CredentialSerializer(credential).data)

    @extend_schema(
        operation_id="credentials_change",
        request=serializers.CredentialChangeSerializer,
        responses=serializers.CredentialSerializer,
    )
    def patch(self, request: Request, credential_id: UUID) -> Response:
        credential = credential_or_404(request, credential_id)
        body = serializers.CredentialChangeSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        changed = change_credential(
            principal=principal_of(request), credential=credential, fields=body.validated_data
        )
        return Response(serializers.CredentialSerializer(changed).data)

    @extend_schema(operation_id="credentials_delete", responses={204: None})
    def delete(self, request: Request, credential_id: UUID) -> Response:
        credential_or_404(request, credential_id).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class CredentialTestView(APIView):
    @extend_schema(
        operation_id="credentials_test",
        request=None,
        responses=serializers.CredentialTestSerializer,
    )
    def post(self, request: Request, credential_id: UUID) -> Response:
        """Try the credential where it points to; only a model endpoint can be tried."""
        result = probe_credential(credential_or_404(request, credential_id))
        return Response(serializers.CredentialTestSerializer(result).data)
