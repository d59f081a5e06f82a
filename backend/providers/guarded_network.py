"""The step that opens connections: it resolves a name once and connects to what it checked."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from ipaddress import ip_address

from aiohttp import AddrInfoType, ClientHandlerType, ClientRequest, ClientResponse
from aiohttp.abc import AbstractResolver, ResolveResult

from backend.providers.addresses import Address
from backend.providers.egress_policy import EgressPolicy, EgressRefused

CONNECT_TIMEOUT_S = 10.0

Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]

#: Host and port that the current call names; None outside a call, and then nothing connects.
_aimed_at: ContextVar[tuple[str, int] | None] = ContextVar("aimed_at", default=None)


async def resolve_by_system(host: str, port: int) -> Sequence[Address]:
    """Ask the system's resolver for the addresses of a name."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(ip_address(entry[4][0]) for entry in found))


async def remember_aim(request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
    """Keep what a call names until its socket is made."""
    token = _aimed_at.set((request.url.raw_host or "", request.url.port or 0))
    try:
        return await send(request)
    finally:
        _aimed_at.reset(token)


class GuardedResolver(AbstractResolver):
    """Resolves names; gives all addresses, or none if one of them may not be reached."""

    def __init__(self, policy: EgressPolicy, resolve: Resolve) -> None:
        self._policy = policy
        self._resolve = resolve

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Look a name up and check what it leads to."""
        del family
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                found = await self._resolve(host, port)
        except UnicodeError as error:
            raise OSError(None, f"the name {host} cannot be looked up") from error
        chosen = self._policy.choose(host=host, port=port, addresses=found)
        return [_result(host, port, address) for address in chosen]

    async def close(self) -> None:
        """There is nothing to close."""


class GuardedSockets:
    """Makes the sockets of connections, each for an address that the policy lets through.

    Numbers in place of names are not resolved, so this is where they are checked; an address
    that a name led to is checked once more.
    """

    def __init__(self, policy: EgressPolicy) -> None:
        self._policy = policy

    def __call__(self, target: AddrInfoType) -> socket.socket:
        """Make a socket for an address."""
        family, kind, protocol, _, address = target
        if family not in {socket.AF_INET, socket.AF_INET6}:
            raise EgressRefused("Only addresses of the internet are open to outbound calls.")
        aim = _aimed_at.get()
        if aim is None or aim[1] != address[1]:
            raise EgressRefused(f"No call asked for a connection to {address[0]}:{address[1]}.")
        self._policy.choose(host=aim[0], port=aim[1], addresses=[ip_address(address[0])])
        return socket.socket(family, kind, protocol)


def _result(host: str, port: int, address: Address) -> ResolveResult:
    return {
        "hostname": host,
        "host": str(address),
        "port": port,
        "family": socket.AF_INET if address.version == 4 else socket.AF_INET6,
        "proto": 0,
        "flags": socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
    }
