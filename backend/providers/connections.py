"""Keeps connections for the next call, at a cost that does not grow with how many there are.

The library's own pool looks at every connection whenever a call starts or ends; with 500 calls
at once that takes seconds.
"""

import ssl
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator
from typing import Protocol, cast

import anyio
import httpcore2


class ConnectionStacks(httpcore2.AsyncConnectionPool):
    """For each origin a stack of idle connections; a call takes the newest or opens its own."""

    def __init__(
        self,
        *,
        tls: ssl.SSLContext,
        network: httpcore2.AsyncNetworkBackend,
        kept: int,
        kept_s: float,
    ) -> None:
        super().__init__(ssl_context=tls, network_backend=network, keepalive_expiry=kept_s)
        self._kept = kept
        self._idle: dict[str, deque[httpcore2.AsyncConnectionInterface]] = {}

    async def handle_async_request(self, request: httpcore2.Request) -> httpcore2.Response:
        """Send a request over a connection that no other request uses."""
        origin = str(request.url.origin)
        connection = await self._take(origin) or self.create_connection(request.url.origin)
        try:
            response = await connection.handle_async_request(request)
        except BaseException:
            await _close(connection)
            raise
        return httpcore2.Response(
            status=response.status,
            headers=response.headers,
            content=_Body(pool=self, origin=origin, connection=connection, response=response),
            extensions=response.extensions,
        )

    async def give_back(self, origin: str, connection: httpcore2.AsyncConnectionInterface) -> None:
        """Keep a connection whose call has ended, if it can serve another one."""
        stack = self._idle.setdefault(origin, deque())
        if connection.is_idle() and len(stack) < self._kept:
            stack.append(connection)
        else:
            await _close(connection)
        if stack and stack[0].has_expired():
            await _close(stack.popleft())
        # While the above waited, another call may have taken the last one and the stack's place.
        if not stack and self._idle.get(origin) is stack:
            del self._idle[origin]

    async def aclose(self) -> None:
        """Close what is idle; connections in use close with their calls."""
        stacks, self._idle, self._kept = self._idle, {}, 0
        for stack in stacks.values():
            for connection in stack:
                await _close(connection)

    async def _take(self, origin: str) -> httpcore2.AsyncConnectionInterface | None:
        while stack := self._idle.get(origin):
            connection = stack.pop()
            if not stack:
                del self._idle[origin]
            if not (connection.is_closed() or connection.has_expired()):
                return connection
            await _close(connection)
        return None


class _Body:
    """The body of an answer; at its end the connection goes back."""

    def __init__(
        self,
        *,
        pool: ConnectionStacks,
        origin: str,
        connection: httpcore2.AsyncConnectionInterface,
        response: httpcore2.Response,
    ) -> None:
        self._pool = pool
        self._origin = origin
        self._connection = connection
        self._stream = response.stream
        self._closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in cast("AsyncIterable[bytes]", self._stream):
                yield part
        except BaseException:
            await self.aclose()
            raise

    async def aclose(self) -> None:
        if self._closed:
            return
        self._closed = True
        with anyio.CancelScope(shield=True):
            await cast("_Closable", self._stream).aclose()
            await self._pool.give_back(self._origin, self._connection)


class _Closable(Protocol):
    async def aclose(self) -> None: ...


async def _close(connection: httpcore2.AsyncConnectionInterface) -> None:
    with anyio.CancelScope(shield=True):
        await connection.aclose()
