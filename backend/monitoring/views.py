from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.monitoring.serializers import MonitoringSerializer
from backend.monitoring.snapshot import take_snapshot
from backend.workspaces.permissions import IsInstallationAdmin


class MonitoringView(APIView):
    permission_classes = [IsInstallationAdmin]

    @extend_schema(operation_id="monitoring_retrieve", responses=MonitoringSerializer)
    def get(self, request: Request) -> Response:
        """Give the installation's figures, for its administrators."""
        return Response(MonitoringSerializer(take_snapshot()).data)
