"""A TCP proxy in front of one server, which cuts, delays and swallows when it is told to."""

import asyncio
import contextlib
import enum
import socket
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from heddle_platform.ports import LOOPBACK
from tests.faults.harness.background import Background

PIECE = 65_536
#: Close without waiting for what is under way: the peer gets a reset.
_RESET = struct.pack("ii", 1, 0)


class Cut(Exception):
    """A watch wants the connection to break here, and what it was given to be lost."""


class Watch(Protocol):
    """Sees what one connection carries, and may change it."""

    #: Set when nothing shall arrive any more, in neither direction.
    is_stuck: bool

    def to_server(self, piece: bytes) -> Iterable[bytes]:
        """What goes on to the server."""
        ...

    def to_client(self, piece: bytes) -> Iterable[bytes]:
        """What goes on to the client."""
        ...


class Unwatched:
    """Lets everything pass."""

    is_stuck = False

    def to_server(self, piece: bytes) -> Iterable[bytes]:
        return (piece,)

    def to_client(self, piece: bytes) -> Iterable[bytes]:
        return (piece,)


class Mode(enum.Enum):
    """What the proxy does with connections."""

    PASS = "pass"
    #: New connections are reset.
    REFUSE = "refuse"
    #: Connections stay open and nothing arrives any more, in neither direction.
    SWALLOW = "swallow"


@dataclass
class Counts:
    """What has happened to connections so far."""

    opened: int = 0
    cut: int = 0
    refused: int = 0
    swallowed_bytes: int = 0
    delayed: int = 0


@dataclass(eq=False)
class _Link:
    """One client's connection and the one to the server that belongs to it."""

    client: asyncio.StreamWriter
    server: asyncio.StreamWriter
    watch: Watch
    spoiled: bool = False
    broken: asyncio.Event = field(default_factory=asyncio.Event)

    def close(self) -> None:
        """End both halves in peace, as one of them did."""
        for writer in (self.client, self.server):
            writer.close()

    def reset(self) -> None:
        """Break both halves."""
        for writer in (self.client, self.server):
            found = writer.get_extra_info("socket")
            with contextlib.suppress(OSError):
                if found.family != socket.AF_UNIX:
                    found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            writer.transport.abort()


@dataclass
class Proxy:
    """Listens on a port of its own; `target` is a port of this machine or a socket's path."""

    background: Background
    target: int | Path
    watch: Callable[[], Watch] = Unwatched
    mode: Mode = Mode.PASS
    #: Seconds by which every piece is late.
    delay_s: float = 0.0
    counts: Counts = field(default_factory=Counts)
    port: int = 0
    _links: set[_Link] = field(default_factory=set)
    _server: asyncio.Server | None = None

    def start(self) -> None:
        """Listen."""
        self.background.call(self._start())

    def close(self) -> None:
        """Stop listening and break every connection."""
        self.mode = Mode.REFUSE
        self.background.call(self._close())

    def cut(self) -> None:
        """Reset every connection now."""
        self.background.call(self._cut())

    def swallow(self) -> None:
        """Let every connection, the new ones too, hang in the air."""
        self.mode = Mode.SWALLOW

    def heal(self) -> None:
        """Let new connections through; those that lost bytes are reset, as their end would be."""
        self.mode = Mode.PASS
        self.delay_s = 0.0
        self.background.call(self._drop_spoiled())

    async def _start(self) -> None:
        self._server = await asyncio.start_server(self._serve, LOOPBACK, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        if self._server is not None:
            self._server.close()
        await self._cut()

    async def _cut(self) -> None:
        for link in list(self._links):
            self._break(link)

    async def _drop_spoiled(self) -> None:
        for link in [link for link in self._links if link.spoiled]:
            self._break(link)

    def _break(self, link: _Link) -> None:
        if link in self._links:
            self._links.discard(link)
            self.counts.cut += 1
            link.reset()
            link.broken.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.counts.opened += 1
        try:
            if self.mode is Mode.REFUSE:
                raise ConnectionRefusedError
            server_reader, server = await self._connect()
        except OSError:
            self.counts.refused += 1
            writer.transport.abort()
            return
        link = _Link(writer, server, self.watch())
        self._links.add(link)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pump(link, reader, server, link.watch.to_server))
                group.create_task(self._pump(link, server_reader, writer, link.watch.to_client))
        except* Cut:
            self._break(link)
        except* OSError:
            link.close()
        finally:
            self._links.discard(link)

    def _is_silent(self, link: _Link) -> bool:
        return self.mode is Mode.SWALLOW or link.watch.is_stuck

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self.target, Path):
            return await asyncio.open_unix_connection(self.target)
        return await asyncio.open_connection(LOOPBACK, self.target)

    async def _pump(
        self,
        link: _Link,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        watched: Callable[[bytes], Iterable[bytes]],
    ) -> None:
        while piece := await reader.read(PIECE):
            if self.delay_s:
                self.counts.delayed += 1
                await asyncio.sleep(self.delay_s)
            if self._is_silent(link):
                link.spoiled = True
                self.counts.swallowed_bytes += len(piece)
                continue
            for part in watched(piece):
                writer.write(part)
            await writer.drain()
        if self._is_silent(link):
            # Its end does not arrive either, until the connection is broken.
            link.spoiled = True
            await link.broken.wait()
        raise ConnectionResetError
