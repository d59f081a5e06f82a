"""The step that opens connections: it resolves a name once and connects to what it checked."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import ip_address

import httpcore2

from backend.providers.addresses import Address
from backend.providers.egress_policy import EgressPolicy, EgressRefused

Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]
_SocketOptions = Iterable[
    tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
]


async def resolve_by_system(host: str, port: int) -> Sequence[Address]:
    """Ask the system's resolver for the addresses of a name."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(ip_address(entry[4][0]) for entry in found))


class GuardedNetwork(httpcore2.AsyncNetworkBackend):
    """Opens TCP connections to addresses that the policy lets through, and nothing else."""

    def __init__(self, policy: EgressPolicy, *, resolve: Resolve = resolve_by_system) -> None:
        self._policy = policy
        self._resolve = resolve
        self._inner = httpcore2.AnyIOBackend()
        self._lookups: dict[tuple[str, int], asyncio.Task[Sequence[Address]]] = {}

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's interface
        local_address: str | None = None,
        socket_options: _SocketOptions | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first address that answers, of those that were checked."""
        addresses = await self._checked(host, port, timeout)
        failure: Exception | None = None
        for address in addresses:
            try:
                return await self._inner.connect_tcp(
                    str(address), port, timeout, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore2.ConnectError(f"{host} has no address")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's interface
        socket_options: _SocketOptions | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Refuse: nothing that a user aims may reach a local socket."""
        del timeout, socket_options
        raise EgressRefused(f"Local sockets are closed to outbound calls: {path}.")

    async def sleep(self, seconds: float) -> None:
        """Wait before another attempt to connect."""
        await self._inner.sleep(seconds)

    async def _checked(self, host: str, port: int, seconds: float | None) -> Sequence[Address]:
        try:
            addresses: Sequence[Address] = (ip_address(host),)
        except ValueError:
            addresses = await self._look_up(host, port, seconds)
        return self._policy.choose(host=host, port=port, addresses=addresses)

    async def _look_up(self, host: str, port: int, seconds: float | None) -> Sequence[Address]:
        """Resolve a name; connections that want the same name at once share one look-up."""
        key = (host, port)
        task = self._lookups.get(key)
        if task is None:
            task = asyncio.ensure_future(self._resolve(host, port))
            self._lookups[key] = task
            task.add_done_callback(lambda _: self._lookups.pop(key, None))
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(task)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(f"no answer to the look-up of {host}") from error
        except (OSError, UnicodeError) as error:
            raise httpcore2.ConnectError(f"the name {host} cannot be found") from error
