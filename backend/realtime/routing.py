"""Which socket leads where; only pages of this installation may open one."""

from collections.abc import Awaitable, Callable
from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings
from django.urls import path

from backend.realtime import consumers, origins

Message = dict[str, Any]
#: Django's own `path` is typed for views; Channels routes to sockets with it.
route: Callable[..., Any] = path


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
                route("ws/runs/<uuid:run_id>/", consumers.RunConsumer.as_asgi()),
                route("ws/workspaces/<uuid:workspace_id>/", consumers.WorkspaceConsumer.as_asgi()),
                route("ws/monitoring/", consumers.MonitoringConsumer.as_asgi()),
                route("<path:anything>", no_such_socket),
            ]
        )
    ),
    origins.allowed(public_url=settings.HEDDLE_PUBLIC_URL),
)
