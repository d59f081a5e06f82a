"""The one client for outbound calls: guarded connections, no proxies, no cookies, no surprises."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import cast
from weakref import WeakKeyDictionary

import httpx2

from backend.providers.connections import ConnectionStacks
from backend.providers.egress_policy import EgressPolicy
from backend.providers.guarded_network import GuardedNetwork, Resolve, resolve_by_system

CONNECT_TIMEOUT_S = 10.0
#: Idle connections that are kept for the next call, for each origin and policy.
_KEPT_CONNECTIONS = 512
_KEPT_S = 60.0
MAX_WIRE_BYTES = 64 * 1024 * 1024

#: Packings that are unpacked piece by piece, so that the limits on size hold.
_PACKED = frozenset({"identity", "gzip", "deflate"})
_PLAIN = frozenset({"identity"})

_Clients = dict[tuple[EgressPolicy, bool], httpx2.AsyncClient]
_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, _Clients] = WeakKeyDictionary()


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """httpx's transport over connections that the policy lets through; answers are bounded."""

    def __init__(
        self,
        policy: EgressPolicy,
        *,
        packed: bool = True,
        resolve: Resolve = resolve_by_system,
    ) -> None:
        # The parent would build a pool with an open network; ours takes its place before use.
        super().__init__(verify=_tls(), trust_env=False)
        self._encodings = _PACKED if packed else _PLAIN
        self._pool = ConnectionStacks(
            tls=_tls(),
            network=GuardedNetwork(policy, resolve=resolve),
            kept=_KEPT_CONNECTIONS,
            kept_s=_KEPT_S,
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; refuse an answer that is packed in a way nobody asked for."""
        response = await super().handle_async_request(request)
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in self._encodings:
            await response.aclose()
            raise httpx2.DecodingError(f"the answer is packed as {encoding}", request=request)
        return httpx2.Response(
            status_code=response.status_code,
            headers=response.headers,
            stream=_Bounded(cast("httpx2.AsyncByteStream", response.stream), request),
            extensions=response.extensions,
        )


class _Bounded(httpx2.AsyncByteStream):
    """An answer of which no more than a fixed number of bytes is taken from the wire."""

    def __init__(self, stream: httpx2.AsyncByteStream, request: httpx2.Request) -> None:
        self._stream = stream
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAX_WIRE_BYTES
        async for part in self._stream:
            left -= len(part)
            if left < 0:
                raise httpx2.ReadError("the answer is too large", request=self._request)
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


def client_for(policy: EgressPolicy, *, packed: bool = True) -> httpx2.AsyncClient:
    """Give the client of this process and event loop for a policy; it is never closed by users.

    With `packed` false, only answers that are not compressed are taken.
    """
    clients = _clients.setdefault(asyncio.get_running_loop(), {})
    client = clients.get((policy, packed))
    if client is None:
        client = clients[policy, packed] = new_client(policy, packed=packed)
    return client


def new_client(
    policy: EgressPolicy, *, packed: bool = True, resolve: Resolve = resolve_by_system
) -> httpx2.AsyncClient:
    """Make a client of its own; whoever asks for it closes it."""
    return httpx2.AsyncClient(
        transport=GuardedTransport(policy, packed=packed, resolve=resolve),
        trust_env=False,
        follow_redirects=False,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        timeout=httpx2.Timeout(None, connect=CONNECT_TIMEOUT_S),
        headers={
            "accept-encoding": "gzip, deflate" if packed else "identity",
            "user-agent": "Heddle",
        },
    )


async def close_clients() -> None:
    """Close the clients of the running event loop, at the end of a process or a test."""
    for client in _clients.pop(asyncio.get_running_loop(), {}).values():
        await client.aclose()


@cache
def _tls() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=False)
