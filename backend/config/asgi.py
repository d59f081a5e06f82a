"""The web process: HTTP goes to Django, sockets to the realtime consumers."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")

from django.core.asgi import get_asgi_application

# Django must be ready before anything that imports a model.
django_application = get_asgi_application()

from channels.routing import ProtocolTypeRouter  # noqa: E402

from backend.config.lifespan import lifespan_application  # noqa: E402
from backend.realtime.routing import websocket_application  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": django_application,
        "websocket": websocket_application,
        "lifespan": lifespan_application,
    }
)
