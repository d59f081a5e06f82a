"""The one client for outbound calls: guarded connections, no proxies, no cookies, no surprises."""

import asyncio
import ssl
from functools import cache
from weakref import WeakKeyDictionary

import aiohttp
import httpx2
from aiohttp import ClientHandlerType, ClientRequest, ClientResponse

from backend.providers.connections import LiveConnector
from backend.providers.egress_policy import EgressPolicy
from backend.providers.guarded_network import (
    CONNECT_TIMEOUT_S,
    GuardedResolver,
    GuardedSockets,
    Resolve,
    remember_aim,
    resolve_by_system,
)

#: Seconds for which an idle connection is kept for the next call.
_KEPT_S = 30.0
#: Bytes of one header, or of the first line of an answer.
_MAX_LINE_BYTES = 64 * 1024
#: Bytes that are taken from the wire for one answer, before unpacking.
MAX_WIRE_BYTES = 64 * 1024 * 1024

_Sessions = dict[EgressPolicy, aiohttp.ClientSession]
_sessions: WeakKeyDictionary[asyncio.AbstractEventLoop, _Sessions] = WeakKeyDictionary()


def session_for(policy: EgressPolicy) -> aiohttp.ClientSession:
    """Give the client of this process and event loop for a policy; it is never closed by users."""
    sessions = _sessions.setdefault(asyncio.get_running_loop(), {})
    session = sessions.get(policy)
    if session is None:
        session = sessions[policy] = new_session(policy)
    return session


def new_session(
    policy: EgressPolicy, *, resolve: Resolve = resolve_by_system
) -> aiohttp.ClientSession:
    """Make a client of its own; whoever asks for it closes it.

    Answers come as they are on the wire: whoever reads them unpacks them, within limits.
    """
    connector = LiveConnector(
        limit=0,
        keepalive_timeout=_KEPT_S,
        resolver=GuardedResolver(policy, resolve),
        # Connections that open together share one look-up; nothing is kept for longer.
        ttl_dns_cache=0,
        socket_factory=GuardedSockets(policy),
    )
    return aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT_S),
        headers={"user-agent": "Heddle"},
        skip_auto_headers=["content-type"],
        auto_decompress=False,
        trust_env=False,
        max_line_size=_MAX_LINE_BYTES,
        max_field_size=_MAX_LINE_BYTES,
        middlewares=(remember_aim, _send_once),
    )


def tls_for(scheme: str) -> ssl.SSLContext | bool:
    """Give what a call needs for TLS; reading the certificates takes long, so only once."""
    return _certificates() if scheme == "https" else True


async def close_clients() -> None:
    """Close the clients of the running event loop, at the end of a process or a test."""
    for session in _sessions.pop(asyncio.get_running_loop(), {}).values():
        await session.close()


async def _send_once(request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
    """Keep the library from sending a call again, as it would if the connection breaks off.

    The first may have arrived; whether to try again is for the step's policy.
    """
    try:
        return await send(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise aiohttp.ClientConnectionError(str(error) or "it broke off") from error


@cache
def _certificates() -> ssl.SSLContext:
    # Those of the system; variables of the environment do not add to them.
    return httpx2.create_ssl_context(trust_env=False)
