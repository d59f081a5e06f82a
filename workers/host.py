"""The process's event loop: pulls steps, runs them as coroutines, commits what they gave.

Celery hosts this loop and wakes it; the steps of a process share it, hundreds at a time.
"""

import asyncio
import contextlib
import logging
import random
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

import redis.asyncio as redis
from django.conf import settings

from backend.providers.egress import close_clients
from backend.providers.egress_policy import EgressPolicy
from backend.runs.dispatch import announce
from backend.runs.prepare import Prepared
from backend.runs.services.finish import Completion, Finished, Seat, Timer
from backend.runs.services.load import load
from backend.runs.services.pull import Pulled, pull
from backend.runs.services.sessions import beat, open_session, set_state
from backend.runs.services.sweep import release, sweep, wake
from backend.runs.transaction import Announcement, Claimed
from workers.committer import Committer
from workers.context import Credentials, Reach, StepContext
from workers.database import Database
from workers.listener import listen
from workers.runner import attempt
from workers.sandbox.evaluator import Evaluator
from workers.streams import DeltaWriter

logger = logging.getLogger(__name__)

#: Seconds after which an idle loop looks for work unasked.
IDLE_POLL_S = (1.0, 2.0)
#: Seconds until a pull is repeated that found its runs busy.
CONTENDED_S = 0.003
TIMER_SLACK_S = 0.005
#: Seconds that running steps get when the process is asked to stop.
DRAIN_S = 25.0
#: Sweeps by the loop itself, in case the clock process is away; times the sweep interval.
OWN_SWEEP_FACTOR = 4


@dataclass(frozen=True)
class Running:
    """An attempt on this loop."""

    claimed: Claimed
    task: "asyncio.Task[None]"


class Host:
    """One worker process of a lane."""

    def __init__(self, *, lane: str, slots: int) -> None:
        self.lane = lane
        self.slots = slots
        self.evaluator = Evaluator(processes=2)
        self._thread = threading.Thread(target=self._main, name="loop", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._started = threading.Event()

    # -- called from other threads ---------------------------------------------------------------

    def start(self) -> None:
        """Start the loop in a thread of its own."""
        self._thread.start()
        self._started.wait()

    def ring(self) -> None:
        """Say that there may be work."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._bell.set)

    def begin_stop(self) -> None:
        """Pull no more, and let what runs end."""
        if self._loop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stopping.set)

    def stop(self) -> None:
        """Finish what can be finished in time, give the rest back, and end."""
        self.begin_stop()
        self._thread.join(DRAIN_S + 10)

    # -- the loop ---------------------------------------------------------------------------------

    def _main(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._bell = asyncio.Event()
        self._stopping = asyncio.Event()
        self._draining = False
        self._running: dict[str, Running] = {}
        # The heartbeat has a thread of its own: it must not queue behind a long transaction.
        self._pulse = Database(threads=1, name="pulse")
        self._database = Database(threads=4, name="work")
        self._redis = redis.Redis.from_url(
            settings.REDIS_URL, decode_responses=True, health_check_interval=10
        )
        self._deltas = DeltaWriter(self._redis)
        self._reach = Reach(
            egress=EgressPolicy(frozenset(settings.HEDDLE_EGRESS_ALLOW)),
            credentials=Credentials(self._database),
            evaluator=self.evaluator,
            deltas=self._deltas,
        )
        self._session = await self._pulse.insist(open_session, lane=self.lane, slots=self.slots)
        self._committer = Committer(
            self._database,
            resolve=self.evaluator.evaluate_batch,
            seat=self._seat,
            on_finished=self._on_finished,
        )
        # Interpreters start at first use; the first step should not wait for that.
        await asyncio.to_thread(self.evaluator.warm_up)
        self._started.set()
        self._bell.set()
        services = [
            asyncio.create_task(coroutine, name=name)
            for name, coroutine in (
                ("pull", self._pull_for_ever()),
                ("commit", self._committer.run()),
                ("pulse", self._beat_for_ever()),
                ("sweep", self._sweep_for_ever()),
                ("deltas", self._deltas.run()),
                ("listen", self._listen()),
            )
        ]
        await self._until_stopped(services)
        await self._drain(services)

    async def _until_stopped(self, services: Sequence["asyncio.Task[None]"]) -> None:
        stopping = asyncio.create_task(self._stopping.wait())
        done, _ = await asyncio.wait([*services, stopping], return_when=asyncio.FIRST_COMPLETED)
        for task in done - {stopping}:
            # A part that ends is a fault; the supervisor starts a new process.
            logger.critical(
                "loop_part_ended", extra={"part": task.get_name()}, exc_info=task.exception()
            )

    async def _listen(self) -> None:
        await listen(self._redis, lane=self.lane, on_bell=self._bell.set, on_stop=self._stop_leases)

    # -- pull -------------------------------------------------------------------------------------

    def _seat(self) -> Seat | None:
        free = self.slots - len(self._running)
        if self._draining or free <= 0:
            return None
        return Seat(session_id=self._session, lane=self.lane, free=free)

    async def _pull_for_ever(self) -> None:
        while not self._draining:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._bell.wait(), random.uniform(*IDLE_POLL_S))  # noqa: S311
            self._bell.clear()
            if (seat := self._seat()) is None:
                continue
            pulled: Pulled = await self._database.insist(pull, seat)
            self._announce(pulled.announcement)
            self._launch(pulled.claimed)
            if pulled.contended:
                await asyncio.sleep(CONTENDED_S)
            if pulled.contended or len(pulled.claimed) == seat.free:
                self._bell.set()

    def _launch(self, claimed: Sequence[Claimed]) -> None:
        """Hold the slots at once; load what the steps need; run them."""
        if not claimed:
            return
        loading = asyncio.create_task(self._load(claimed))
        for item in claimed:
            task = asyncio.create_task(self._execute(item, loading))
            self._running[_lease(item)] = Running(item, task)

    async def _load(self, claimed: Sequence[Claimed]) -> dict[str, Prepared]:
        return await self._database.insist(load, claimed, resolve=self.evaluator.evaluate_batch)

    async def _execute(
        self, claimed: Claimed, loading: "asyncio.Task[dict[str, Prepared]]"
    ) -> None:
        lease = _lease(claimed)
        try:
            prepared = (await asyncio.shield(loading))[lease]
            context = StepContext(
                claimed,
                node_id=prepared.node.id,
                scope=prepared.scope,
                reach=self._reach,
            )
            outcome, encoded = await attempt(prepared, context)
            self._committer.submit(
                Completion(
                    run_id=claimed.run.id,
                    no=claimed.step.no,
                    lease_id=lease,
                    outcome=outcome,
                    encoded=encoded,
                )
            )
        except asyncio.CancelledError:
            # Stopped from outside: the row is final already, or belongs to another attempt.
            self._running.pop(lease, None)
            self._bell.set()

    # -- commit -----------------------------------------------------------------------------------

    def _on_finished(self, batch: list[Completion], finished: Finished) -> None:
        was_full = len(self._running) >= self.slots
        for completion in batch:
            self._running.pop(completion.lease_id, None)
        self._launch(finished.claimed)
        for timer in finished.timers:
            self._set_timer(timer)
        if was_full:
            self._bell.set()
        self._announce(finished.announcement)
        for completion in finished.fenced:
            logger.info("fenced", extra={"run": str(completion.run_id), "step": completion.no})

    def _announce(self, announcement: Announcement) -> None:
        # Our own lane's bell rings here; the network only carries it to the other processes.
        if self.lane in announcement.lanes:
            self._bell.set()
        if announcement.lanes or announcement.hints or announcement.stopped:
            asyncio.get_running_loop().run_in_executor(None, announcement.send)

    def _set_timer(self, timer: Timer) -> None:
        # A little late rather than early: what is not due yet would wait for the sweeper.
        delay = max(0.0, timer.in_s) + TIMER_SLACK_S
        loop = asyncio.get_running_loop()
        if timer.parked:
            loop.call_later(delay, lambda: loop.create_task(self._wake([(timer.run_id, timer.no)])))
        else:
            loop.call_later(delay, self._bell.set)

    async def _wake(self, steps: list[tuple[UUID, int]]) -> None:
        await self._database.insist(wake, steps, resolve=self.evaluator.evaluate_batch)

    # -- leases -----------------------------------------------------------------------------------

    def _stop_leases(self, leases: Iterable[str]) -> None:
        for lease in leases:
            if (running := self._running.get(lease)) is not None:
                running.task.cancel()

    async def _beat_for_ever(self) -> None:
        interval, ttl = settings.HEDDLE_HEARTBEAT_S, settings.HEDDLE_LEASE_TTL_S
        last_heard = time.monotonic()
        while True:
            await asyncio.sleep(interval)
            asked = time.monotonic()
            try:
                answer = await asyncio.wait_for(
                    self._pulse.run(beat, self._session, leases=list(self._running)), ttl
                )
            except Exception as error:  # noqa: BLE001 - whatever it is, the session is not prolonged
                logger.warning("heartbeat_failed", extra={"error": str(error).strip()})
                if time.monotonic() - last_heard > ttl - min(3.0, ttl / 5):
                    await self._fence_self()
                continue
            last_heard = asked
            if not answer.alive:
                await self._fence_self()
                continue
            self._stop_leases(answer.lost)
            if answer.unknown:
                unknown = {(run_id, no): lease for run_id, no, lease in answer.unknown}
                unknown = {k: v for k, v in unknown.items() if v not in self._running}
                await self._database.insist(release, unknown, count_loss=True)

    async def _fence_self(self) -> None:
        """The session may count as dead: stop everything, and begin anew under another one."""
        logger.warning("session_lost", extra={"steps": len(self._running)})
        self._stop_leases(list(self._running))
        self._session = await self._pulse.insist(open_session, lane=self.lane, slots=self.slots)
        self._bell.set()

    async def _sweep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(settings.HEDDLE_SWEEP_S * OWN_SWEEP_FACTOR * random.uniform(1, 1.5))  # noqa: S311
            await self._database.insist(sweep, resolve=self.evaluator.evaluate_batch)

    # -- the end ----------------------------------------------------------------------------------

    async def _drain(self, services: Sequence["asyncio.Task[None]"]) -> None:
        """Stop pulling; let steps end for a while; give back what is left; go."""
        self._draining = True
        await self._pulse.insist(set_state, self._session, "stopping")
        tasks = [running.task for running in self._running.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=DRAIN_S)
        left = {
            (r.claimed.run.id, r.claimed.step.no): lease
            for lease, r in self._running.items()
            if not r.task.done()
        }
        for running in list(self._running.values()):
            running.task.cancel()
        await self._committer.drained()
        if left:
            await self._database.insist(release, left)
        await self._deltas.flush()
        await self._pulse.insist(set_state, self._session, "stopped")
        for task in services:
            task.cancel()
        await asyncio.gather(*services, return_exceptions=True)
        await self._redis.aclose()
        self.evaluator.close()
        await close_clients()
        await asyncio.to_thread(announce, lanes=[self.lane])


def _lease(claimed: Claimed) -> str:
    if claimed.step.lease_id is None:
        raise ValueError("a claimed step has a lease")
    return claimed.step.lease_id
