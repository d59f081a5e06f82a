"""A browser's end of a socket, without a server between."""

import json
from typing import Any
from urllib.parse import unquote

from asgiref.testing import ApplicationCommunicator

PATIENCE_S = 20


class BrowserSocket:
    """Opens, listens and closes."""

    def __init__(self, application: Any, path: str, headers: list[tuple[bytes, bytes]]) -> None:
        address, _, query = path.partition("?")
        scope = {
            "type": "websocket",
            "path": unquote(address),
            "query_string": query.encode(),
            "headers": headers,
            "subprotocols": [],
        }
        # The library has no types.
        self._wire: Any = ApplicationCommunicator(application, scope)  # type: ignore[no-untyped-call]

    async def open(self) -> bool:
        """Tell whether the server let it in."""
        await self._wire.send_input({"type": "websocket.connect"})
        answer = await self._wire.receive_output(PATIENCE_S)
        return bool(answer["type"] == "websocket.accept")

    async def frames(self, count: int) -> list[dict[str, Any]]:
        """Wait for so many frames."""
        told = []
        for _ in range(count):
            message = await self._wire.receive_output(PATIENCE_S)
            assert message["type"] == "websocket.send", message
            told.append(json.loads(message["text"]))
        return told

    async def closing_code(self) -> int:
        """Wait until the server closes."""
        message = await self._wire.receive_output(PATIENCE_S)
        assert message["type"] == "websocket.close", message
        return int(message["code"])

    async def close(self) -> None:
        """Leave, if the server has not ended it already."""
        if not self._wire.future.done():
            await self._wire.send_input({"type": "websocket.disconnect", "code": 1000})
            await self._wire.wait(PATIENCE_S)
