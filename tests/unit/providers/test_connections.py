import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from backend.providers.egress import new_session
from backend.providers.egress_policy import EgressPolicy
from backend.providers.errors import CallFailed
from backend.providers.fetch import FetchRequest, FetchResponse, fetch
from tests.unit.providers.raw_server import answering

LOCAL = EgressPolicy.parse("127.0.0.1")
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


async def call(url: str, method: str = "GET") -> FetchResponse:
    async with new_session(LOCAL) as session:
        request = FetchRequest(method=method, url=url)
        return await fetch(request, policy=LOCAL, session=session)


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "POST"])
async def test_a_call_that_breaks_off_is_not_sent_again_unasked(method: str) -> None:
    async with answering() as (url, seen):
        with pytest.raises(CallFailed) as caught:
            await call(url, method)

    assert (caught.value.code, caught.value.retryable) == ("http_unreachable", True)
    assert "broke off" in caught.value.message
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("answer", "code", "retryable"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nok", "http_unreachable", True),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab", "http_unreachable", True),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", "http_protocol", False),
        (b"HTTP/1.1 200 OK\r\ncontent-encoding: br\r\n\r\nok", "http_protocol", False),
        (b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nok", "http_protocol", False),
        (b"HTTP/1.1 200 OK\r\nx: " + b"a" * 100_000 + b"\r\n\r\n", "http_protocol", False),
    ],
)
async def test_broken_answers_are_told_apart(answer: bytes, code: str, retryable: bool) -> None:
    async with answering(answer) as (url, _):
        with pytest.raises(CallFailed) as caught:
            await call(url)

    assert (caught.value.code, caught.value.retryable) == (code, retryable)


async def test_headers_may_be_long_and_come_more_than_once() -> None:
    long = "a" * 50_000
    head = f"HTTP/1.1 204 No\r\nX-Long: {long}\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n\r\n"
    async with answering(head.encode()) as (url, _):
        response = await call(url)

    assert response.headers["x-long"] == long
    assert response.headers["set-cookie"] == "a=1, b=2"


async def test_a_large_body_is_sent_whole() -> None:
    received = asyncio.get_running_loop().create_future()
    size = 3_000_000

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        received.set_result(await reader.readexactly(size))
        writer.write(ANSWER)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server, new_session(LOCAL) as s:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        request = FetchRequest(method="POST", url=url, content=b"x" * size)
        await fetch(request, policy=LOCAL, session=s)

    assert received.result() == b"x" * size


@contextmanager
def closing_idle_connections() -> Iterator[tuple[str, threading.Event, threading.Event]]:
    """A server that keeps its first connection until it is told, from a thread of its own."""
    close, closed = threading.Event(), threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        first, _ = listener.accept()
        first.recv(65536)
        first.sendall(ANSWER)
        close.wait(10)
        first.close()
        closed.set()
        second, _ = listener.accept()
        second.recv(65536)
        second.sendall(ANSWER)
        second.close()

    thread = threading.Thread(target=serve)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/", close, closed
    thread.join(10)
    listener.close()


async def test_a_connection_that_was_closed_unnoticed_is_not_used_again() -> None:
    with closing_idle_connections() as (url, close, closed):
        async with new_session(LOCAL) as session:
            request = FetchRequest(method="POST", url=url)
            await fetch(request, policy=LOCAL, session=session)
            close.set()
            # Without a turn of the loop: it has no chance to notice.
            closed.wait(10)

            response = await fetch(request, policy=LOCAL, session=session)

    assert response.content == b"ok"
