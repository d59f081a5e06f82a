"""The web process's handler with no server around it: requests in, answers out."""

import json
from dataclasses import dataclass
from typing import Any

from asgiref.testing import ApplicationCommunicator

from backend.config.serving import Handler

PATIENCE_S = 20


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Exchange:
    """One request that was sent, and what comes back."""

    def __init__(self, handler: Handler, method: str, url: str, *, key: str, body: bytes) -> None:
        path, _, query = url.partition("?")
        headers = {
            "host": "127.0.0.1",
            "authorization": f"Bearer {key}",
            "content-type": "application/json",
            "content-length": str(len(body)),
        }
        self.handler = handler
        self.scope: dict[str, Any] = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        self._body = body
        self._wire: Any = None

    def accept(self, media_type: str) -> None:
        """Ask for another form of answer."""
        self.scope["headers"].append((b"accept", media_type.encode()))

    async def send(self, *, more: bool = False) -> "Exchange":
        # The library has no types.
        self._wire = ApplicationCommunicator(self.handler, self.scope)  # type: ignore[no-untyped-call]
        first = {"type": "http.request", "body": self._body, "more_body": more}
        await self._wire.send_input(first)
        return self

    async def send_more(self, body: bytes) -> None:
        """Send the rest of a body."""
        await self._wire.send_input({"type": "http.request", "body": body})

    async def has_nothing_to_say(self) -> bool:
        """Tell whether no answer has begun; gives the server a moment."""
        return bool(await self._wire.receive_nothing(timeout=0.2))

    async def leave(self) -> None:
        """Go away, and wait until the server has noticed."""
        await self._wire.send_input({"type": "http.disconnect"})
        await self._wire.wait(PATIENCE_S)

    async def beginning(self) -> dict[str, Any]:
        """Wait for the status and the headers."""
        return dict(await self._wire.receive_output(PATIENCE_S))

    async def answer(self) -> Answer:
        start = await self.beginning()
        parts = []
        more = True
        while more:
            part = await self._wire.receive_output(PATIENCE_S)
            parts.append(part.get("body", b""))
            more = part.get("more_body", False)
        await self._wire.wait(PATIENCE_S)
        headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        return Answer(start["status"], headers, b"".join(parts))
