"""A client that costs next to nothing: connections that are kept, requests written by hand."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

STREAM_LIMIT = 2**26


@dataclass(frozen=True)
class Reply:
    """An answer, and when it was there in full, by the clock of `time.perf_counter`."""

    status: int
    body: bytes
    at: float

    def json(self) -> Any:
        """The body's value, once the clock has stopped."""
        if self.status >= 400:
            raise SystemExit(f"refused with {self.status}: {self.body[:1000].decode()}")
        return json.loads(self.body)


class Connection:
    """One connection, used for one request after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, request: bytes) -> Reply:
        """Send a request and read its answer."""
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        length = head.lower().partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0]
        body = await self._reader.readexactly(int(length or 0))
        return Reply(status, body, time.perf_counter())

    @property
    def is_open(self) -> bool:
        """Whether the server has not hung up, as it does when nothing is asked for a while."""
        return not self._reader.at_eof() and not self._writer.is_closing()

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


class Api:
    """The product's API over connections that are opened once."""

    def __init__(self, address: str, key: str) -> None:
        parts = urlsplit(address)
        self._host, self._port = str(parts.hostname), int(parts.port or 80)
        self._head = f"Host: {parts.netloc}\r\nAuthorization: Bearer {key}\r\n"
        self._open: list[Connection] = []

    async def connect(self, count: int = 1) -> None:
        """Have so many connections open."""
        # What the server has said on a silent connection is heard in the loop's next round.
        await asyncio.sleep(0)
        self._open = [connection for connection in self._open if connection.is_open]
        while len(self._open) < count:
            streams = await asyncio.open_connection(self._host, self._port, limit=STREAM_LIMIT)
            self._open.append(Connection(*streams))

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        """Make one call and give its answer's value."""
        await self.connect()
        return (await self._open[0].send(self.request(method, path, body))).json()

    async def send(self, request: bytes) -> Reply:
        """Send one prepared request, for which there is a connection."""
        return await self._open[0].send(request)

    async def at_once(self, request: bytes, count: int) -> Sequence[Reply]:
        """Send a request on so many connections at the same time."""
        return await asyncio.gather(*(one.send(request) for one in self._open[:count]))

    def request(self, method: str, path: str, body: Any = None) -> bytes:
        """Write a request."""
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} /api/v1/{path} HTTP/1.1\r\n{self._head}"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        return head.encode() + content

    def close(self) -> None:
        """Hang up everywhere."""
        for connection in self._open:
            connection.close()
        self._open.clear()
