"""What the web process does at its start and its end."""

from collections.abc import Awaitable, Callable
from typing import Any

from backend.runs.tailer import stop_tailer, tailer

Message = dict[str, Any]


async def lifespan_application(
    scope: Message,
    receive: Callable[[], Awaitable[Message]],
    send: Callable[[Message], Awaitable[None]],
) -> None:
    """Answer the server's two questions."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            tailer().start()
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            await stop_tailer()
            await send({"type": "lifespan.shutdown.complete"})
            return
