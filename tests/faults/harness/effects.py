"""A web server that records every effect that steps have on it, and opens its gates when told."""

import asyncio
import contextlib
from collections import Counter, defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from time import time

from aiohttp import web
from aiohttp.typedefs import Handler

from heddle_platform.ports import LOOPBACK
from tests.faults.harness.background import Background

#: The header that tells when a call came.
ARRIVED = "arrived"
#: Called when an effect arrives, with the run and the path of the step that it is of.
Witness = Callable[[str, str], Awaitable[None]]


@dataclass(frozen=True)
class Effect:
    """One request that changes something: whose it was, and under which key."""

    run_id: str
    path: str
    key: str


class Gate:
    """Where calls wait in the order in which they came."""

    def __init__(self) -> None:
        self._is_open = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def wait(self) -> None:
        """Return when one is let through."""
        if not self._is_open:
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            await place

    def open(self) -> None:
        """Let everyone through from now on."""
        self._is_open = True
        self.let_through(len(self._waiting))

    def let_through(self, count: int) -> None:
        """Let the first ones through, those who hung up meanwhile too."""
        for _ in range(min(count, len(self._waiting))):
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)


@web.middleware
async def _tell_when_it_came(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer with the time of arrival, by which attempts are told apart later."""
    arrived = f"{time():.3f}"
    response = await handler(request)
    # First of the headers: a preview of the result shows only its beginning.
    others = list(response.headers.items())
    response.headers.clear()
    response.headers.extend([(ARRIVED, arrived), *others])
    return response


@dataclass
class EffectRecorder:
    """Its pages: /effect (POST), /sleep, /gate/NAME, /flaky and /payload.

    `/effect` does what a careful provider does: it applies each Idempotency-Key once.
    """

    background: Background
    port: int = 0
    effects: list[Effect] = field(default_factory=list)
    #: How often each key was applied.
    applied: Counter[str] = field(default_factory=Counter)
    #: Requests under way, by page or by the gate's name.
    in_flight: Counter[str] = field(default_factory=Counter)
    arrived: Counter[str] = field(default_factory=Counter)
    hung_up: Counter[str] = field(default_factory=Counter)
    witness: Witness | None = None
    _gates: dict[str, "Gate"] = field(default_factory=lambda: defaultdict(Gate))
    _failed: Counter[str] = field(default_factory=Counter)
    _runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        """The address of its pages."""
        return f"http://{LOOPBACK}:{self.port}"

    def start(self) -> None:
        """Listen on a free port."""
        self.background.call(self._start())

    def close(self) -> None:
        """Stop listening."""
        if self._runner is not None:
            self.background.call(self._runner.cleanup())

    def forget(self) -> None:
        """Forget what was seen; open every gate that somebody waits at."""
        self.background.call(self._forget())

    def open(self, gate: str) -> None:
        """Let everyone through who waits at the gate, and who comes later."""
        self.background.call(self._open(gate))

    def let_through(self, gate: str, count: int) -> None:
        """Let those through who have waited the longest."""
        self.background.call(self._let_through(gate, count))

    def gate(self, name: str) -> str:
        """The address of a gate."""
        return f"{self.url}/gate/{name}"

    async def _start(self) -> None:
        app = web.Application(middlewares=[_tell_when_it_came])
        app.router.add_post("/effect", self._effect)
        app.router.add_route("*", "/sleep", self._sleep)
        app.router.add_route("*", "/gate/{name}", self._gate)
        app.router.add_get("/flaky", self._flaky)
        app.router.add_get("/payload", self._payload)
        self._runner = web.AppRunner(
            app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, LOOPBACK, self.port, backlog=4096).start()
        self.port = self._runner.addresses[0][1]

    async def _open(self, gate: str) -> None:
        self._gates[gate].open()

    async def _let_through(self, gate: str, count: int) -> None:
        self._gates[gate].let_through(count)

    async def _forget(self) -> None:
        for gate in self._gates.values():
            gate.open()
        self._gates = defaultdict(Gate)
        self.effects.clear()
        for counter in (self.applied, self.arrived, self.hung_up, self._failed):
            counter.clear()

    async def _effect(self, request: web.Request) -> web.Response:
        effect = Effect(
            run_id=request.query.get("run", ""),
            path=request.query.get("path", ""),
            key=request.headers.get("idempotency-key", ""),
        )
        self.effects.append(effect)
        is_first = not self.applied[effect.key]
        self.applied[effect.key] = 1
        if self.witness is not None:
            await self.witness(effect.run_id, effect.path)
        async with self._counted("effect"):
            await asyncio.sleep(float(request.query.get("ms", "0")) / 1000)
        return web.json_response({"first": is_first})

    async def _sleep(self, request: web.Request) -> web.Response:
        async with self._counted("sleep"):
            await asyncio.sleep(float(request.query.get("ms", "0")) / 1000)
        return web.json_response({"ok": True})

    async def _gate(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        async with self._counted(name):
            await self._gates[name].wait()
        return web.json_response({"gate": name})

    async def _flaky(self, request: web.Request) -> web.Response:
        """Refuse a step's first attempts."""
        name = f"{request.query.get('run')}/{request.query.get('path')}"
        if self._failed[name] < int(request.query.get("times", "1")):
            self._failed[name] += 1
            return web.json_response({"failed": self._failed[name]}, status=503)
        return web.json_response({"failed": self._failed[name]})

    async def _payload(self, request: web.Request) -> web.Response:
        return web.json_response({"text": "a" * int(request.query.get("n", "10"))})

    @contextlib.asynccontextmanager
    async def _counted(self, name: str) -> AsyncIterator[None]:
        self.arrived[name] += 1
        self.in_flight[name] += 1
        try:
            yield
        except asyncio.CancelledError:
            self.hung_up[name] += 1
            raise
        finally:
            self.in_flight[name] -= 1
