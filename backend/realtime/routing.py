"""Which socket leads where; only pages of this installation may open one."""

from collections.abc import Awaitable, Callable
from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings
from django.urls import path, re_path

from backend.realtime import consumers, origins

Message = dict[str, Any]


async def no_such_socket(
    scope: Message,
    receive: Callable[[], Awaitable[Message]],
    send: Callable[[Message], Awaitable[None]],
) -> None:
    """Refuse an address that leads nowhere."""
    await receive()
    await send({"type": "websocket.close", "code": consumers.NOT_FOUND})


websocket_application = OriginValidator(
    AuthMiddlewareStack(
        URLRouter(
            [
                path("ws/runs/<uuid:run_id>/", consumers.RunConsumer.as_asgi()),
                path("ws/workspaces/<uuid:workspace_id>/", consumers.WorkspaceConsumer.as_asgi()),
                path("ws/monitoring/", consumers.MonitoringConsumer.as_asgi()),
                re_path("", no_such_socket),
            ]
        )
    ),
    origins.allowed(public_url=settings.HEDDLE_PUBLIC_URL),
)
