"""The web process: HTTP goes to Django, sockets to the realtime consumers."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")

import django

# Django must be ready before anything that imports a model.
django.setup(set_prefix=False)

from channels.routing import ProtocolTypeRouter  # noqa: E402
from django.conf import settings  # noqa: E402

from backend.config.lifespan import lifespan_application  # noqa: E402
from backend.config.serving import Handler  # noqa: E402
from backend.realtime.routing import websocket_application  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": Handler(threads=settings.HEDDLE_WEB_THREADS),
        "websocket": websocket_application,
        "lifespan": lifespan_application,
    }
)
