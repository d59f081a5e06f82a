"""One subscription to the hints of all runs for a whole process; it wakes who watches a run.

A hint may be lost: whoever waits here looks into the table once a second anyway.
"""

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar
from weakref import WeakKeyDictionary

import orjson
import redis.asyncio
from django.conf import settings
from redis import RedisError

from backend.engine.state import FINAL_RUN
from backend.runs.dispatch import HINT_CHANNEL

logger = logging.getLogger(__name__)

RECONNECT_S = 1.0
POLL_S = 1.0
#: Hints that a slow reader has not taken; older ones are dropped, the table has them all.
MAX_WAITING_HINTS = 256
#: Runs that are remembered to have ended, for whoever asks a moment too late.
MAX_ENDED = 4096


@dataclass(frozen=True)
class RunHint:
    """A run changed."""

    run_id: str
    workflow_id: str
    status: str


@dataclass(eq=False)
class Bell:
    """Rings when a watched thing has changed, or may have."""

    _rung: asyncio.Event = field(default_factory=asyncio.Event)

    def ring(self) -> None:
        """Wake the one who waits."""
        self._rung.set()

    async def wait(self, *, at_most: float = POLL_S) -> None:
        """Wait for the next ring, or until it is time to look anyway."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(at_most):
                await self._rung.wait()
        self._rung.clear()


@dataclass(eq=False)
class HintQueue(Bell):
    """A bell that also keeps which runs have changed."""

    _hints: dict[str, RunHint] = field(default_factory=dict)

    def put(self, hint: RunHint) -> None:
        """Keep the latest hint of each run."""
        self._hints.pop(hint.run_id, None)
        self._hints[hint.run_id] = hint
        if len(self._hints) > MAX_WAITING_HINTS:
            self._hints.pop(next(iter(self._hints)))
        self.ring()

    def take(self) -> list[RunHint]:
        """Give what came since the last time."""
        hints, self._hints = list(self._hints.values()), {}
        return hints


B = TypeVar("B", bound=Bell)


class Tailer:
    """Listens to the hint channel, and tells those who watch."""

    def __init__(self) -> None:
        self._runs: dict[str, set[Bell]] = defaultdict(set)
        self._ends: dict[str, set[Bell]] = defaultdict(set)
        self._workspaces: dict[str, set[HintQueue]] = defaultdict(set)
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._listening_since = float("inf")
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Listen, if it does not yet; whoever watches starts it too."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._listen(), name="hint-tailer")

    def has_listened_for(self, seconds: float) -> bool:
        """Whether it has heard every hint that was sent in the last so many seconds."""
        return self._listening_since <= time.monotonic() - seconds

    def has_ended(self, run_id: str) -> bool:
        """Whether the run was heard to have ended; no tells nothing."""
        return run_id in self._ended

    @contextlib.contextmanager
    def watching_run(self, run_id: str) -> Iterator[Bell]:
        """Give a bell that rings when the run changes."""
        bell = Bell()
        with self._registered(self._runs, run_id, bell):
            yield bell

    @contextlib.contextmanager
    def watching_end(self, run_id: str) -> Iterator[Bell]:
        """Give a bell that rings when the run has ended."""
        bell = Bell()
        with self._registered(self._ends, run_id, bell):
            yield bell

    @contextlib.contextmanager
    def watching_workspace(self, workspace_id: str) -> Iterator[HintQueue]:
        """Give a queue of the changes of a workspace's runs."""
        queue = HintQueue()
        with self._registered(self._workspaces, workspace_id, queue):
            yield queue

    @contextlib.contextmanager
    def _registered(self, watchers: dict[str, set[B]], key: str, bell: B) -> Iterator[None]:
        watchers[key].add(bell)
        self.start()
        try:
            yield
        finally:
            watchers[key].discard(bell)
            if not watchers[key]:
                del watchers[key]

    async def stop(self) -> None:
        """Stop listening, at the process's end."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except (RedisError, OSError) as error:
                logger.warning("hints.unreachable", extra={"error": type(error).__name__})
            finally:
                self._listening_since = float("inf")
            await asyncio.sleep(RECONNECT_S)

    async def _listen_once(self) -> None:
        client = redis.asyncio.Redis.from_url(
            settings.REDIS_URL, health_check_interval=10, socket_connect_timeout=2
        )
        async with client, client.pubsub() as subscription:
            await subscription.subscribe(HINT_CHANNEL)
            async for message in subscription.listen():
                if message["type"] == "message":
                    self._tell(message["data"])
                elif message["type"] == "subscribe":
                    self._listening_since = time.monotonic()

    def _tell(self, payload: bytes) -> None:
        try:
            hint = orjson.loads(payload)
            run_id, workspace_id = str(hint["run"]), str(hint["workspace"])
        except (ValueError, KeyError, TypeError):
            logger.warning("hints.malformed")
            return
        change = RunHint(run_id, str(hint.get("workflow", "")), str(hint.get("status", "")))
        if change.status in FINAL_RUN:
            self.note_end(run_id)
        else:
            # One that is retried goes on after its end.
            self._ended.pop(run_id, None)
        for bell in self._runs.get(run_id, ()):
            bell.ring()
        for queue in self._workspaces.get(workspace_id, ()):
            queue.put(change)

    def note_end(self, run_id: str) -> None:
        """Remember that the run has ended, and tell who waits for it."""
        self._ended[run_id] = None
        if len(self._ended) > MAX_ENDED:
            self._ended.popitem(last=False)
        for bell in self._ends.get(run_id, ()):
            bell.ring()


_tailers: WeakKeyDictionary[asyncio.AbstractEventLoop, Tailer] = WeakKeyDictionary()


def tailer() -> Tailer:
    """Give the tailer of the running event loop; a process has one of each."""
    return _tailers.setdefault(asyncio.get_running_loop(), Tailer())


async def stop_tailer() -> None:
    """Stop the running loop's tailer, if there is one."""
    running = _tailers.pop(asyncio.get_running_loop(), None)
    if running is not None:
        await running.stop()
