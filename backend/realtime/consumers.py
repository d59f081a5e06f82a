"""The sockets: each sends what it reads, at its browser's pace, while its person may see it."""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Coroutine
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.generic.websocket import AsyncJsonWebsocketConsumer

from backend.monitoring import live
from backend.realtime import access
from backend.realtime.deltas import follow_deltas
from backend.realtime.reading import follow_events, progress_of, recent_changes
from backend.runs.tailer import tailer

SIGNED_OUT = 4401
NOT_FOUND = 4404
BAD_CURSOR = 4400
TOO_SLOW = 4408
#: How long a browser may take for one frame.
STALL_S = 5.0
#: How often it is asked whether the person may still watch.
RECHECK_S = 5.0
MAX_REMEMBERED = 1000


class WatchConsumer(AsyncJsonWebsocketConsumer):
    """What all sockets share: who may open one, sending with a limit, and closing in time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._tasks: list[asyncio.Task[None]] = []
        self._sending = asyncio.Lock()

    async def may_watch(self) -> bool:
        """Whether the person may watch what the address names."""
        raise NotImplementedError

    def watches(self) -> list[Coroutine[Any, Any, None]]:
        """What to do while the socket is open."""
        raise NotImplementedError

    @property
    def user_id(self) -> UUID:
        """The signed-in person."""
        user_id: UUID = self._user.pk
        return user_id

    @property
    def _user(self) -> Any:
        return self.scope["user"]

    def _named(self, name: str) -> UUID:
        found: UUID = self.scope["url_route"]["kwargs"][name]
        return found

    async def connect(self) -> None:
        """Let in who is signed in and may watch; others are refused at the handshake."""
        if not self._user.is_authenticated:
            await self.close(SIGNED_OUT)
        elif not await self.may_watch():
            await self.close(NOT_FOUND)
        else:
            await self.accept()
            for work in (*self.watches(), self._recheck()):
                self._tasks.append(asyncio.create_task(self._guarded(work)))

    async def disconnect(self, code: int) -> None:
        """Stop reading."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def receive(
        self, text_data: str | None = None, bytes_data: bytes | None = None, **_: Any
    ) -> None:
        """Browsers have nothing to say here."""

    async def tell(self, frame: dict[str, Any]) -> None:
        """Send a frame; a browser that does not take it in time is cut off and may come back."""
        try:
            async with asyncio.timeout(STALL_S), self._sending:
                await self.send_json(frame)
        except TimeoutError:
            await self.close(TOO_SLOW)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except asyncio.CancelledError:
            raise
        except Exception:
            await self.close(1011)
            raise

    async def _recheck(self) -> None:
        key = self.scope["session"].session_key or ""
        while True:
            await asyncio.sleep(RECHECK_S)
            live_session = await access.session_is_live(key, self.user_id)
            if not live_session or not await self.may_watch():
                await self.close(SIGNED_OUT)
                return


class RunConsumer(WatchConsumer):
    """Frames `{"event": …}` and `{"delta": …}` of one run."""

    @property
    def run_id(self) -> UUID:
        """The run that the address names."""
        return self._named("run_id")

    async def connect(self) -> None:
        """Refuse a cursor that is none."""
        if _after(self.scope["query_string"]) is None:
            await self.close(BAD_CURSOR)
        else:
            await super().connect()

    async def may_watch(self) -> bool:
        """Ask for the run's workspace."""
        return await access.may_watch_run(self.user_id, self.run_id)

    def watches(self) -> list[Coroutine[Any, Any, None]]:
        """Follow the log and the text."""
        return [self._tell_events(), self._tell_deltas()]

    async def _tell_events(self) -> None:
        after = _after(self.scope["query_string"]) or 0
        async for events in follow_events(self.run_id, after=after):
            for event in events:
                await self.tell({"event": event.to_json()})

    async def _tell_deltas(self) -> None:
        progress = await progress_of(self.run_id)
        if progress is None or progress.is_over:
            return
        async for delta in follow_deltas(self.run_id):
            await self.tell({"delta": delta})


class WorkspaceConsumer(WatchConsumer):
    """Frames `{"run": {id, workflow_id, status}}` whenever a run's status changes."""

    @property
    def workspace_id(self) -> UUID:
        """The workspace that the address names."""
        return self._named("workspace_id")

    async def may_watch(self) -> bool:
        """Ask for the membership."""
        return await access.may_watch_workspace(self.user_id, self.workspace_id)

    def watches(self) -> list[Coroutine[Any, Any, None]]:
        """Follow the hints, and the table for those that were lost."""
        return [self._tell_changes()]

    async def _tell_changes(self) -> None:
        told: OrderedDict[str, str] = OrderedDict()
        with tailer().watching_workspace(str(self.workspace_id)) as hints:
            while True:
                changes = [(h.run_id, h.workflow_id, h.status) for h in hints.take()]
                if not changes:
                    changes = [
                        (str(run), str(workflow), status)
                        for run, workflow, status in await recent_changes(self.workspace_id)
                    ]
                for run_id, workflow_id, status in changes:
                    if told.get(run_id) != status:
                        await self.tell(_run_frame(run_id, workflow_id, status))
                    told[run_id] = status
                    told.move_to_end(run_id)
                while len(told) > MAX_REMEMBERED:
                    told.popitem(last=False)
                await hints.wait()


class MonitoringConsumer(WatchConsumer):
    """Frames `{"monitoring": …}` every two seconds, for administrators of the installation."""

    async def may_watch(self) -> bool:
        """Ask for the right."""
        return await access.may_watch_installation(self.user_id)

    def watches(self) -> list[Coroutine[Any, Any, None]]:
        """Send the snapshot that the process makes once for all its sockets."""
        return [self._tell_snapshots()]

    async def _tell_snapshots(self) -> None:
        while True:
            await self.tell({"monitoring": await live.latest_snapshot()})
            await asyncio.sleep(live.EVERY_S)


def _run_frame(run_id: str, workflow_id: str, status: str) -> dict[str, Any]:
    return {"run": {"id": run_id, "workflow_id": workflow_id, "status": status}}


def _after(query: bytes) -> int | None:
    with contextlib.suppress(ValueError, UnicodeDecodeError):
        number = int(parse_qs(query.decode()).get("after", ["0"])[-1])
        return number if 0 <= number < 2**63 else None
    return None
