"""One HTTP request to an address that a user chose: bounded in time, size and redirects."""

import asyncio
import io
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import aiohttp
from yarl import URL

from backend.providers import headers, web_address
from backend.providers.connections import why_not_connected
from backend.providers.egress import MAX_WIRE_BYTES, session_for, tls_for
from backend.providers.egress_policy import EgressPolicy, EgressRefused
from backend.providers.errors import CallFailed
from backend.providers.guarded_network import CONNECT_TIMEOUT_S
from backend.providers.unpacking import PACKINGS, PackingBroken, Unpacker

MAX_REDIRECTS = 5
MAX_RESPONSE_BYTES = 10 * 1024 * 1024
DEFAULT_DEADLINE_S = 60.0

_ACCEPTED = ", ".join(PACKINGS)
#: Bytes from which a body is sent in pieces.
_LARGE_BODY = 256 * 1024
_SECRET_HEADERS = frozenset({"authorization", "cookie", "proxy-authorization"})
_SEE_OTHER = 303
_REDIRECTS = frozenset({301, 302, _SEE_OTHER, 307, 308})
_BODY_HEADERS = frozenset({"content-type", "content-length", "content-encoding"})


@dataclass(frozen=True, kw_only=True)
class FetchRequest:
    """What to send, and how far to go for the answer."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""
    #: Names of headers that carry a secret, beside the well-known ones.
    secret_headers: frozenset[str] = frozenset()
    follow_redirects: bool = False
    deadline_s: float = DEFAULT_DEADLINE_S
    max_bytes: int = MAX_RESPONSE_BYTES


@dataclass(frozen=True, kw_only=True)
class FetchResponse:
    """What came back; header names are lower-case."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    #: How the content says that it is written, if it is text.
    charset: str | None
    url: str


async def fetch(
    request: FetchRequest, *, policy: EgressPolicy, session: aiohttp.ClientSession | None = None
) -> FetchResponse:
    """Send a request and read the whole answer.

    Raises:
        CallFailed: It could not be sent, or the answer did not come in time or is too large.
    """
    url = web_address.parse(request.url)
    headers.check(request.headers)
    try:
        async with asyncio.timeout(request.deadline_s):
            return await _follow(request, url, session or session_for(policy))
    except (EgressRefused, PackingBroken, TimeoutError, aiohttp.ClientError) as error:
        raise _explain(error, url, request.deadline_s) from error


async def _follow(request: FetchRequest, url: URL, session: aiohttp.ClientSession) -> FetchResponse:
    for _ in range(MAX_REDIRECTS + 1):
        response = await _send(request, url, session)
        target = response.headers.get("location")
        if not request.follow_redirects or response.status not in _REDIRECTS or not target:
            return response
        old, url = url, web_address.follow(url, target)
        request = _redirected(request, status=response.status, leaves=old.origin() != url.origin())
    raise CallFailed(
        "http_redirects", f"{web_address.place(url)}: more than {MAX_REDIRECTS} redirects."
    )


async def _send(request: FetchRequest, url: URL, session: aiohttp.ClientSession) -> FetchResponse:
    async with session.request(
        request.method,
        url,
        headers={"accept-encoding": _ACCEPTED, **request.headers},
        data=_body(request.content),
        allow_redirects=False,
        ssl=tls_for(url.scheme),
    ) as response:
        return FetchResponse(
            status=response.status,
            headers=headers.joined(response.headers),
            content=await _read(response, request.max_bytes),
            charset=response.charset,
            url=str(url),
        )


def _body(content: bytes) -> bytes | io.BytesIO | None:
    if len(content) > _LARGE_BODY:
        return io.BytesIO(content)
    return content or None


async def _read(response: aiohttp.ClientResponse, max_bytes: int) -> bytes:
    """Read the answer, unpacked."""
    packing = response.headers.get("content-encoding", "identity").strip().lower()
    unpacker = Unpacker() if packing in PACKINGS else None
    if unpacker is None and packing != "identity":
        raise PackingBroken(f"it is packed as {packing}")
    content = bytearray()
    taken = 0
    while part := await response.content.readany():
        taken += len(part)
        for piece in unpacker.unpack(part) if unpacker else (part,):
            content += piece
            if len(content) > max_bytes or taken > MAX_WIRE_BYTES:
                message = f"{web_address.place(response.url)} sent more than {max_bytes:,} bytes."
                raise CallFailed("http_too_large", message)
    if unpacker:
        unpacker.end()
    return bytes(content)


def _redirected(request: FetchRequest, *, status: int, leaves: bool) -> FetchRequest:
    """Aim a request at the next address; secrets stay with the origin they were meant for."""
    without: frozenset[str] = frozenset()
    if leaves:
        without = _SECRET_HEADERS | request.secret_headers
    becomes_get = (status == _SEE_OTHER and request.method != "HEAD") or (
        status in {301, 302} and request.method == "POST"
    )
    if becomes_get:
        request = replace(request, method="GET", content=b"")
        without |= _BODY_HEADERS
    kept = {name: text for name, text in request.headers.items() if name.lower() not in without}
    return replace(request, headers=kept)


def _explain(error: Exception, url: URL, deadline_s: float) -> CallFailed:
    """Say what went wrong, and whether it is worth trying again."""
    where = web_address.place(url)
    match error:
        case EgressRefused():
            return CallFailed("egress_refused", str(error))
        case aiohttp.ConnectionTimeoutError():
            message = f"{where} took no connection within {CONNECT_TIMEOUT_S:g} s."
            return CallFailed("http_timeout", message, retryable=True)
        case TimeoutError():
            message = f"{where} did not answer within {deadline_s:g} s."
            return CallFailed("http_timeout", message, retryable=True)
        case PackingBroken():
            message = f"{where} sent an answer that cannot be unpacked: {error}."
            return CallFailed("http_protocol", message)
        case aiohttp.InvalidURL():
            return CallFailed("url_invalid", f"“{url}” is no address of the web.")
        case aiohttp.ClientResponseError():
            message = f"{where} sent something that is no HTTP: {error.message}."
            return CallFailed("http_protocol", message)
        case aiohttp.ClientConnectorError():
            message = f"{where} cannot be reached: {why_not_connected(error)}."
            return CallFailed("http_unreachable", message, retryable=True)
        case _:
            message = f"{where} broke off: {str(error) or type(error).__name__}."
            return CallFailed("http_unreachable", message, retryable=True)
