"""A server that gives prepared bytes, for answers that no good server gives."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


@asynccontextmanager
async def answering(
    *answers: bytes, held_open: bool = False
) -> AsyncIterator[tuple[str, list[bytes]]]:
    """Give these bytes, one after another, and end each connection after it, or not."""
    seen: list[bytes] = []
    left = iter(answers)
    open_ones: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(next(left, b""))
        await writer.drain()
        if held_open:
            open_ones.append(writer)
        else:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", seen
        for writer in open_ones:
            writer.close()
