"""The egress client as libraries that are built on httpx want it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import aiohttp
import httpx2
from yarl import URL

from backend.providers.connections import why_not_connected
from backend.providers.egress import MAX_WIRE_BYTES, session_for, tls_for
from backend.providers.egress_policy import EgressPolicy

_Result = TypeVar("_Result")
_Clients = dict[EgressPolicy, httpx2.AsyncClient]
_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, _Clients] = WeakKeyDictionary()

#: Headers that our own client writes.
_WRITTEN_BY_US = frozenset({b"host", b"connection", b"content-length", b"transfer-encoding"})
_EXTENSIONS = {"http_version": b"HTTP/1.1"}


def client_for(policy: EgressPolicy) -> httpx2.AsyncClient:
    """Give the client of this process and event loop for a policy; it is never closed by users.

    Only answers that are not packed are taken.
    """
    clients = _clients.setdefault(asyncio.get_running_loop(), {})
    client = clients.get(policy)
    if client is None:
        client = clients[policy] = EgressClient(
            transport=EgressTransport(policy),
            trust_env=False,
            headers={"accept-encoding": "identity", "user-agent": "Heddle"},
        )
    return client


class EgressClient(httpx2.AsyncClient):
    """Sends a request as it is: without cookies, redirects, and ways to sign in.

    None of them is wanted here, and passing through them costs as much as the call itself.
    """

    async def send(
        self, request: httpx2.Request, *, stream: bool = False, **_: Any
    ) -> httpx2.Response:
        """Send a request."""
        response = await self._transport.handle_async_request(request)
        response.request = request
        if not stream:
            await response.aread()
        return response


class EgressTransport(httpx2.AsyncBaseTransport):
    """Sends httpx's requests over the egress client, and bounds what comes back."""

    def __init__(self, policy: EgressPolicy) -> None:
        self._policy = policy

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; refuse an answer that is packed, which nobody asked for."""
        response = await _translating(request, lambda: self._send(request))
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding != "identity":
            response.close()
            raise httpx2.DecodingError(f"the answer is packed as {encoding}", request=request)
        return httpx2.Response(
            status_code=response.status,
            headers=response.raw_headers,
            stream=_Answer(response, request),
            extensions=_EXTENSIONS,
        )

    async def _send(self, request: httpx2.Request) -> aiohttp.ClientResponse:
        timeout = request.extensions.get("timeout", {})
        return await session_for(self._policy).request(
            request.method,
            URL(str(request.url), encoded=True),
            headers=[
                (name.decode("latin-1"), value.decode("latin-1"))
                for name, value in request.headers.raw
                if name.lower() not in _WRITTEN_BY_US
            ],
            data=await request.aread() or None,
            allow_redirects=False,
            ssl=tls_for(request.url.scheme),
            timeout=aiohttp.ClientTimeout(
                sock_connect=timeout.get("connect"), sock_read=timeout.get("read")
            ),
        )


class _Answer(httpx2.AsyncByteStream):
    """An answer of which no more than a fixed number of bytes is taken from the wire."""

    def __init__(self, response: aiohttp.ClientResponse, request: httpx2.Request) -> None:
        self._response = response
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAX_WIRE_BYTES
        read = self._response.content.readany
        while part := await _translating(self._request, read):
            left -= len(part)
            if left < 0:
                raise httpx2.ReadError("the answer is too large", request=self._request)
            yield part

    async def aclose(self) -> None:
        self._response.release()


async def _translating(
    request: httpx2.Request, act: Callable[[], Coroutine[Any, Any, _Result]]
) -> _Result:
    """Do something with our client, with its errors told as httpx would."""
    try:
        return await act()
    except aiohttp.ConnectionTimeoutError as error:
        raise httpx2.ConnectTimeout("the connection took too long", request=request) from error
    except TimeoutError as error:
        raise httpx2.ReadTimeout("nothing came for too long", request=request) from error
    except aiohttp.ClientConnectorError as error:
        raise httpx2.ConnectError(why_not_connected(error), request=request) from error
    except aiohttp.InvalidURL as error:
        raise httpx2.UnsupportedProtocol(f"{error} is no address", request=request) from error
    except aiohttp.ClientResponseError as error:
        raise httpx2.RemoteProtocolError(error.message, request=request) from error
    except aiohttp.ClientError as error:
        raise httpx2.ReadError(str(error), request=request) from error
