"""Which socket leads where; only pages of this installation may open one."""

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings
from django.urls import path

from backend.realtime import consumers, origins

websocket_application = OriginValidator(
    AuthMiddlewareStack(
        URLRouter(
            [
                path("ws/runs/<uuid:run_id>/", consumers.RunConsumer.as_asgi()),
                path("ws/workspaces/<uuid:workspace_id>/", consumers.WorkspaceConsumer.as_asgi()),
                path("ws/monitoring/", consumers.MonitoringConsumer.as_asgi()),
            ]
        )
    ),
    origins.allowed(public_url=settings.HEDDLE_PUBLIC_URL),
)
