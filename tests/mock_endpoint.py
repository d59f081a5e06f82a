"""A stand-in for a model endpoint and for web servers, with latency and faults on demand.

Run `python -m tests.mock_endpoint --port 9100`, or use `running()` inside a test.

The model's name says how it behaves: `sleep-250ms` answers after 250 ms; `echo` repeats the last
message; `fault-429`, `fault-500`, `fault-401`, `fault-rubbish`, `fault-cut`, `fault-empty` fail
in that way; `no-usage` leaves the usage out, `odd-usage` tells nonsense; `no-stream-options` and
`no-schema` refuse those parameters. Answers given to POST /script are used up first, in their
order.
"""

import argparse
import asyncio
import json
import re
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

_SLEEP = re.compile(r"sleep-(\d+)ms")
_MODELS = ("sleep-0ms", "sleep-50ms", "sleep-1000ms", "echo")


@dataclass
class Record:
    """What the server has seen since the last reset."""

    in_flight: int = 0
    max_in_flight: int = 0
    requests: list[dict[str, Any]] = field(default_factory=list)
    spans: list[tuple[float, float]] = field(default_factory=list)
    script: deque[dict[str, Any]] = field(default_factory=deque)
    #: Set once a request has arrived since the last reset.
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    def reset(self) -> None:
        self.max_in_flight = self.in_flight
        self.requests.clear()
        self.spans.clear()
        self.script.clear()
        self.arrived.clear()

    def stats(self) -> dict[str, Any]:
        busy = sum(end - start for start, end in self.spans)
        span = (
            max(end for _, end in self.spans) - min(start for start, _ in self.spans)
            if self.spans
            else 0.0
        )
        return {
            "count": len(self.spans),
            "started": len(self.requests),
            "in_flight": self.in_flight,
            "max_in_flight": self.max_in_flight,
            "span_s": span,
            "sum_service_s": busy,
            "mean_parallelism": busy / span if span else 0.0,
        }


RECORD = web.AppKey("record", Record)


@web.middleware
async def record(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Count what is in flight and keep every request."""
    if request.path in {"/stats", "/reset", "/script", "/requests"}:
        return await handler(request)
    seen = request.app[RECORD]
    body = await request.text()
    seen.requests.append(
        {
            "method": request.method,
            "path": request.path_qs,
            "headers": {name.lower(): value for name, value in request.headers.items()},
            "body": body,
        }
    )
    seen.arrived.set()
    seen.in_flight += 1
    seen.max_in_flight = max(seen.max_in_flight, seen.in_flight)
    start = time.monotonic()
    try:
        return await handler(request)
    finally:
        seen.in_flight -= 1
        seen.spans.append((start, time.monotonic()))


async def chat(request: web.Request) -> web.StreamResponse:
    body = await request.json()
    model = body.get("model", "")
    script = request.app[RECORD].script
    answer = script.popleft() if script else {}
    fault = answer.get("fault") or model.removeprefix("fault-")
    if refusal := _refusal(fault, body, answer):
        return refusal
    text = answer.get("text") or _text(model, body)
    wait = answer.get("ms", _latency_ms(request, model)) / 1000
    if fault == "empty":
        text = ""
    if body.get("stream") and fault != "rubbish":
        return await _stream(request, body, text=text, wait=wait, fault=fault)
    await asyncio.sleep(wait)
    if fault == "rubbish":
        return web.Response(text="<html>this is no model</html>", content_type="text/html")
    return web.json_response(_completion(body, text))


def _refusal(fault: str, body: dict[str, Any], answer: dict[str, Any]) -> web.Response | None:
    if fault.isdigit():
        retry = answer.get("retry_after", "7" if fault == "429" else None)
        return web.json_response(
            {"error": {"message": f"scripted {fault}", "type": "mock", "code": fault}},
            status=int(fault),
            headers={"retry-after": str(retry)} if retry is not None else None,
        )
    refused = {"no-stream-options": "stream_options", "no-schema": "response_format"}.get(fault)
    if refused and refused in body:
        return web.json_response(
            {"error": {"message": f"Unrecognized request argument: {refused}"}}, status=400
        )
    return None


def _text(model: str, body: dict[str, Any]) -> str:
    messages = body.get("messages") or [{}]
    if model.startswith("echo") or model in {"no-usage", "odd-usage"}:
        return str(messages[-1].get("content", ""))
    return f"mock answer from {model or 'default'}"


def _latency_ms(request: web.Request, model: str) -> float:
    if "ms" in request.query:
        return float(request.query["ms"])
    found = _SLEEP.search(model)
    return float(found.group(1)) if found else 0.0


def _usage(body: dict[str, Any], text: str) -> dict[str, Any]:
    if body.get("model") == "odd-usage":
        return {"prompt_tokens": float("inf"), "completion_tokens": -3}
    prompt = sum(len(str(m.get("content", "")).split()) for m in body.get("messages", []))
    answer = len(text.split())
    return {
        "prompt_tokens": prompt,
        "completion_tokens": answer,
        "total_tokens": prompt + answer,
    }


def _completion(body: dict[str, Any], text: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-mock",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model", ""),
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text},
            }
        ],
        "usage": _usage(body, text),
    }


async def _stream(
    request: web.Request, body: dict[str, Any], *, text: str, wait: float, fault: str
) -> web.StreamResponse:
    response = web.StreamResponse(headers={"content-type": "text/event-stream"})
    await response.prepare(request)
    words = re.findall(r"\S+\s*|\s+", text)
    start = time.monotonic()
    for index, word in enumerate(words):
        pause = start + wait * (index + 1) / len(words) - time.monotonic()
        if pause > 0:
            await asyncio.sleep(pause)
        await response.write(_chunk(body, {"content": word}))
        if fault == "cut" and index + 1 >= len(words) / 2:
            transport = request.transport
            if transport is not None:
                transport.abort()
            return response
    await response.write(_chunk(body, {}, finish="stop"))
    wants_usage = (body.get("stream_options") or {}).get("include_usage")
    if wants_usage and body.get("model") != "no-usage":
        await response.write(_event({**_chunk_body(body), "usage": _usage(body, text)}))
    await response.write(b"data: [DONE]\n\n")
    await response.write_eof()
    return response


def _chunk(body: dict[str, Any], delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _event({**_chunk_body(body), "choices": [choice]})


def _chunk_body(body: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "chatcmpl-mock",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": body.get("model", ""),
        "choices": [],
    }


def _event(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


async def models(_: web.Request) -> web.Response:
    data = [{"id": name, "object": "model", "created": 0, "owned_by": "mock"} for name in _MODELS]
    return web.json_response({"object": "list", "data": data})


async def sleep(request: web.Request) -> web.Response:
    await asyncio.sleep(_latency_ms(request, "") / 1000)
    return web.json_response({"ok": True})


async def status(request: web.Request) -> web.Response:
    code = int(request.match_info["code"])
    return web.json_response(
        {"status": code}, status=code, headers={"retry-after": "3"} if code == 429 else None
    )


async def echo(request: web.Request) -> web.Response:
    return web.json_response(
        {
            "method": request.method,
            "query": dict(request.query),
            "headers": {name.lower(): value for name, value in request.headers.items()},
            "body": await request.text(),
        },
        headers={"set-cookie": "seen=1", "X-Mixed-Case": "yes"},
    )


async def redirect(request: web.Request) -> web.Response:
    code = int(request.query.get("code", "302"))
    return web.Response(status=code, headers={"location": request.query.get("to", "/redirect")})


async def rubbish(_: web.Request) -> web.Response:
    """Answer as a web server would that is no model endpoint."""
    return web.Response(text="<html>welcome</html>", content_type="text/html")


async def payload(request: web.Request) -> web.Response:
    """Answer with so many bytes, packed if wanted, as the content type asked for."""
    response = web.Response(
        body=b"a" * int(request.query.get("n", "10")),
        content_type=request.query.get("type", "text/plain"),
    )
    if request.query.get("gzip"):
        response.enable_compression(web.ContentCoding.gzip)
    return response


async def text(request: web.Request) -> web.Response:
    """Answer with the given text under the given content type."""
    return web.Response(
        body=request.query.get("body", "").encode(request.query.get("charset", "utf-8")),
        headers={"content-type": request.query.get("type", "text/plain")},
    )


async def stats(request: web.Request) -> web.Response:
    return web.json_response(request.app[RECORD].stats())


async def requests(request: web.Request) -> web.Response:
    return web.json_response(request.app[RECORD].requests)


async def script(request: web.Request) -> web.Response:
    request.app[RECORD].script.extend((await request.json())["answers"])
    return web.json_response({"ok": True})


async def reset(request: web.Request) -> web.Response:
    request.app[RECORD].reset()
    return web.json_response({"ok": True})


def application() -> web.Application:
    """Build the server."""
    app = web.Application(client_max_size=32 << 20, middlewares=[record])
    app[RECORD] = Record()
    app.router.add_post("/v1/chat/completions", chat)
    app.router.add_get("/v1/models", models)
    app.router.add_post("/script", script)
    app.router.add_post("/reset", reset)
    app.router.add_get("/stats", stats)
    app.router.add_get("/requests", requests)
    for path, handler in {
        "/sleep": sleep,
        "/status/{code}": status,
        "/echo": echo,
        "/redirect": redirect,
        "/payload": payload,
        "/text": text,
        "/rubbish/{tail:.*}": rubbish,
    }.items():
        app.router.add_route("*", path, handler)
    return app


@dataclass(frozen=True)
class MockEndpoint:
    """A running server: where it is, and what it saw."""

    port: int
    record: Record

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"


@asynccontextmanager
async def running(*, port: int = 0, host: str = "127.0.0.1") -> AsyncIterator[MockEndpoint]:
    """Serve while the block runs, on a free port if none is named."""
    app = application()
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, host, port, backlog=4096)
    await site.start()
    taken = runner.addresses[0][1]
    try:
        yield MockEndpoint(taken, app[RECORD])
    finally:
        await runner.cleanup()


async def _serve(host: str, port: int) -> None:
    async with running(host=host, port=port):
        await asyncio.Event().wait()


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=9100)
    options = parser.parse_args()
    try:
        asyncio.run(_serve(options.host, options.port))
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
