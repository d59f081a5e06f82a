"""How the web process serves: each request's whole chain on one thread, its waiting on none.

Django's own handler for ASGI changes threads for nearly every middleware and again for the view,
which costs more than most requests themselves. Ours hands a request to a thread once, and once
more if the answer has to wait for something: that happens on the event loop.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import IO, Any, TypeVar

from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.handlers.exception import response_for_exception
from django.db import close_old_connections
from django.http import HttpRequest
from django.urls import set_script_prefix

from backend.api.later import WAITS_ON_LOOP, AnswerLater

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
#: A request, none if it was malformed, and its answer.
Begun = tuple[HttpRequest | None, Any]
T = TypeVar("T")


class Handler(ASGIHandler):
    """Serves requests with a few threads, which keep no connection between two requests."""

    def __init__(self, *, threads: int) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="request")

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Serve one request."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        request, response = await self.on_thread(self._begin, scope, body)
        try:
            await self._follow(request, response, receive, send)
        finally:
            if not response.closed:
                await self.on_thread(response.close)

    async def _follow(
        self, request: HttpRequest | None, response: Any, receive: Receive, send: Send
    ) -> None:
        if isinstance(response, AnswerLater) and response.streaming:
            if not await _unless_gone(response.happened(), receive):
                return
            response = await self.on_thread(self._complete, request, response)
        if response.streaming:
            await _unless_gone(self.send_response(response, send), receive)
        else:
            await self.send_response(response, send)

    async def read_body(self, receive: Receive) -> IO[bytes]:
        """Read a body: nearly every one comes in one piece, and needs no file to grow into."""
        first = await receive()
        if first["type"] == "http.request" and not first.get("more_body", False):
            return BytesIO(first.get("body", b""))
        return await super().read_body(_with(first, receive))

    async def on_thread(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call a function on one of the requests' threads."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    # -- on a thread ------------------------------------------------------------------------------

    def _begin(self, scope: dict[str, Any], body: IO[bytes]) -> Begun:
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=type(self), scope=scope)
        request, response = self.create_request(scope, body)
        if request is not None:
            setattr(request, WAITS_ON_LOOP, True)
            response = self.get_response(request)
        return request, self._settled(response)

    def _complete(self, request: HttpRequest, response: Any) -> Any:
        try:
            response.complete()
        except Exception as error:  # noqa: BLE001 - answered as Django answers a view's fault
            fault: Any = response_for_exception(request, error)
            fault._resource_closers.extend(response._resource_closers)  # noqa: SLF001
            for name, value in response.items():
                fault.headers.setdefault(name, value)
            return self._settled(fault)
        return self._settled(response)

    def _settled(self, response: Any) -> Any:
        """End the thread's part: what it holds of the database goes back."""
        response._handler_class = type(self)  # noqa: SLF001 - the sender of the request's end
        if response.streaming:
            close_old_connections()
        else:
            response.close()
        return response


def _with(first: Message, receive: Receive) -> Receive:
    """Hear again what has been heard, and then what comes."""
    heard = [first]

    async def again() -> Message:
        return heard.pop() if heard else await receive()

    return again


async def _unless_gone(work: Awaitable[object], receive: Receive) -> bool:
    """Do something unless the one who asked goes away; tell whether it was done."""
    doing = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(receive())
    try:
        await asyncio.wait([doing, leaving], return_when=asyncio.FIRST_COMPLETED)
        done = doing.done()
    finally:
        for task in (doing, leaving):
            task.cancel()
        ended = await asyncio.gather(doing, leaving, return_exceptions=True)
    if done and isinstance(ended[0], Exception):
        raise ended[0]
    return done
