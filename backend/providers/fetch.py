"""One HTTP request to an address that a user chose: bounded in time, size and redirects."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import httpx2

from backend.providers.egress import client_for
from backend.providers.egress_policy import EgressPolicy, EgressRefused
from backend.providers.errors import CallFailed

MAX_REDIRECTS = 5
MAX_RESPONSE_BYTES = 10 * 1024 * 1024
DEFAULT_DEADLINE_S = 60.0

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
    request: FetchRequest, *, policy: EgressPolicy, client: httpx2.AsyncClient | None = None
) -> FetchResponse:
    """Send a request and read the whole answer.

    Raises:
        CallFailed: It could not be sent, or the answer did not come in time or is too large.
    """
    check_url(request.url)
    client = client or client_for(policy)
    where = place(request.url)
    try:
        async with asyncio.timeout(request.deadline_s):
            return await _follow(request, client)
    except EgressRefused as error:
        raise CallFailed("egress_refused", str(error)) from error
    except (TimeoutError, httpx2.TimeoutException) as error:
        message = f"{where} did not answer within {request.deadline_s:g} s."
        raise CallFailed("http_timeout", message, retryable=True) from error
    except httpx2.DecodingError as error:
        message = f"{where} sent an answer that cannot be unpacked: {error}."
        raise CallFailed("http_protocol", message) from error
    except (httpx2.UnsupportedProtocol, httpx2.InvalidURL, UnicodeError) as error:
        raise CallFailed("url_invalid", f"“{request.url}” is no address of the web.") from error
    except httpx2.RequestError as error:
        message = f"{where} cannot be reached: {error or type(error).__name__}."
        raise CallFailed("http_unreachable", message, retryable=True) from error


def check_url(url: str) -> httpx2.URL:
    """Parse an address, refusing what is none of ours to call.

    Raises:
        CallFailed: It is no http or https address, or holds a name and password.
    """
    try:
        parsed = httpx2.URL(url)
    except (httpx2.InvalidURL, ValueError) as error:
        raise CallFailed("url_invalid", f"“{url}” is no address of the web: {error}.") from error
    if parsed.scheme not in {"http", "https"} or not parsed.host:
        message = f"“{url}” must start with http:// or https:// and name a host."
        raise CallFailed("url_invalid", message)
    if parsed.userinfo:
        message = "The address holds a name or password; store it as a credential instead."
        raise CallFailed("url_invalid", message)
    return parsed


async def _follow(request: FetchRequest, client: httpx2.AsyncClient) -> FetchResponse:
    for _ in range(MAX_REDIRECTS + 1):
        response = await _send(request, client)
        target = response.headers.get("location")
        if not request.follow_redirects or response.status not in _REDIRECTS or not target:
            return response
        request = _redirected(request, status=response.status, target=target)
    raise CallFailed(
        "http_redirects", f"{place(request.url)}: more than {MAX_REDIRECTS} redirects."
    )


async def _send(request: FetchRequest, client: httpx2.AsyncClient) -> FetchResponse:
    content = request.content or None
    async with client.stream(
        request.method, request.url, headers=dict(request.headers), content=content
    ) as response:
        body = bytearray()
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > request.max_bytes:
                raise CallFailed(
                    "http_too_large",
                    f"{place(request.url)} sent more than {request.max_bytes:,} bytes.",
                )
        return FetchResponse(
            status=response.status_code,
            headers={name.lower(): value for name, value in response.headers.items()},
            content=bytes(body),
            charset=response.charset_encoding,
            url=request.url,
        )


def _redirected(request: FetchRequest, *, status: int, target: str) -> FetchRequest:
    """Aim a request at the next address; secrets stay with the origin they were meant for."""
    old = httpx2.URL(request.url)
    new = check_url(str(old.join(target)))
    headers = dict(request.headers)
    if _origin(old) != _origin(new):
        secret = _SECRET_HEADERS | request.secret_headers
        headers = {name: value for name, value in headers.items() if name.lower() not in secret}
    becomes_get = (status == _SEE_OTHER and request.method != "HEAD") or (
        status in {301, 302} and request.method == "POST"
    )
    if not becomes_get:
        return replace(request, url=str(new), headers=headers)
    headers = {name: value for name, value in headers.items() if name.lower() not in _BODY_HEADERS}
    return replace(request, url=str(new), headers=headers, method="GET", content=b"")


def _origin(url: httpx2.URL) -> tuple[str, str, int]:
    return url.scheme, url.host, url.port or (443 if url.scheme == "https" else 80)


def place(url: str) -> str:
    """Name an address without its query, which may hold what is nobody's business."""
    parsed = httpx2.URL(url)
    return f"{parsed.scheme}://{parsed.netloc.decode('ascii', 'replace')}{parsed.path}"
