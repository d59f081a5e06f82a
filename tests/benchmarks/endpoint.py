"""What the measured workflows call: takes its time, and costs little of the machine's own.

`GET /sleep?ms=50` answers after that time; `POST /v1/chat/completions` with the model
`sleep-1000ms` streams its words over it; `GET /stats` tells what was seen since `POST /reset`.
"""

import argparse
import asyncio
import json
import re
import time
from dataclasses import dataclass
from typing import Any

import uvloop
from aiohttp import web

SLEEP = re.compile(r"sleep-(\d+)ms")
WORDS = ("Threads", " side", " by", " side", " make", " one", " cloth.")


@dataclass
class Seen:
    """Counts since the last reset."""

    count: int = 0
    in_flight: int = 0
    max_in_flight: int = 0

    def enter(self) -> None:
        """Note a request that came."""
        self.count += 1
        self.in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self.in_flight)

    def leave(self) -> None:
        """Note a request that was answered."""
        self.in_flight -= 1


class Endpoint:
    """The server's state and its answers."""

    def __init__(self) -> None:
        self.seen = Seen()

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer a request."""
        if request.path == "/stats":
            seen = {"count": self.seen.count, "max_in_flight": self.seen.max_in_flight}
            return web.json_response(seen)
        if request.path == "/reset":
            self.seen = Seen(in_flight=self.seen.in_flight)
            return web.json_response({})
        self.seen.enter()
        try:
            if request.path == "/sleep":
                return await _sleep(request)
            return await _chat(request)
        finally:
            self.seen.leave()


async def _sleep(request: web.BaseRequest) -> web.Response:
    ms = float(request.query["ms"])
    if ms:
        await asyncio.sleep(ms / 1000)
    return web.Response(body=b'{"ok": true}', content_type="application/json")


async def _chat(request: web.BaseRequest) -> web.StreamResponse:
    body = json.loads(await request.read())
    found = SLEEP.search(body["model"])
    seconds = int(found[1]) / 1000 if found else 0.0
    response = web.StreamResponse(headers={"content-type": "text/event-stream"})
    await response.prepare(request)
    began = time.monotonic()
    for number, word in enumerate(WORDS, start=1):
        pause = began + seconds * number / len(WORDS) - time.monotonic()
        if pause > 0:
            await asyncio.sleep(pause)
        await response.write(_chunk(body["model"], {"content": word}))
    await response.write(_chunk(body["model"], {}, finish="stop"))
    usage = {"prompt_tokens": 1, "completion_tokens": len(WORDS), "total_tokens": 1 + len(WORDS)}
    await response.write(_event({**_frame(body["model"]), "choices": [], "usage": usage}))
    await response.write(b"data: [DONE]\n\n")
    await response.write_eof()
    return response


def _frame(model: str) -> dict[str, Any]:
    return {"id": "mock", "object": "chat.completion.chunk", "created": 0, "model": model}


def _chunk(model: str, delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _event({**_frame(model), "choices": [choice]})


def _event(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


async def _serve(port: int) -> None:
    server = web.Server(Endpoint().answer, access_log=None)
    runner = web.ServerRunner(server)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, backlog=4096).start()
    await asyncio.Event().wait()


def main() -> None:
    """Serve until ended."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    uvloop.run(_serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
