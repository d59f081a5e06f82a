"""The process's event loop: pulls steps, runs them as coroutines, commits what they gave.

Celery hosts this loop and wakes it; the steps of a process share it, hundreds at a time.
"""

import asyncio
import contextlib
import logging
import os
import random
import signal
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import Any
from uuid import UUID

import redis.asyncio as redis
from django.conf import settings

from backend.providers.egress import close_clients
from backend.providers.egress_policy import EgressPolicy
from backend.runs.dispatch import announce
from backend.runs.services.finish import Completion, Finished, Seat, Timer, runs_ahead
from backend.runs.services.follow_up import follow_up
from backend.runs.services.pull import pull
from backend.runs.services.sweep import release, sweep, wake
from backend.runs.taken import Announcement
from workers.attempts import Attempts
from workers.committer import Committer
from workers.context import Credentials, Reach
from workers.database import Database
from workers.keeper import Hooks, Keeper
from workers.listener import listen
from workers.pulse import Pulse
from workers.sandbox.evaluator import Evaluator
from workers.streams import DeltaWriter

logger = logging.getLogger(__name__)

#: Seconds after which an idle loop looks for work unasked.
IDLE_POLL_S = (1.0, 2.0)
#: Seconds until a pull is repeated that found its runs busy.
CONTENDED_S = 0.003
TIMER_SLACK_S = 0.005
#: Seconds that running steps get when the process is asked to stop.
DRAIN_S = 10.0
#: Sweeps by the loop itself, in case the clock process is away; times the sweep interval.
OWN_SWEEP_FACTOR = 4
#: Seconds until a part of the loop that met a fault goes on.
AFTER_FAULT_S = 1.0


class Host:
    """One worker process of a lane: a thread with the loop, and what other threads may ask."""

    def __init__(self, *, lane: str, slots: int) -> None:
        self.lane = lane
        self.evaluator = Evaluator(processes=2)
        self._slots = slots
        self._thread = threading.Thread(target=self._main, name="loop", daemon=True)
        self._started = threading.Event()
        self._loop: Loop | None = None

    def start(self) -> None:
        """Start the loop in a thread of its own."""
        self._thread.start()
        self._started.wait()

    def ring(self) -> None:
        """Say that there may be work."""
        self._call(lambda loop: loop.bell.set())

    def begin_stop(self) -> None:
        """Pull no more, and let what runs end."""
        self._call(lambda loop: loop.stopping.set())

    def stop(self) -> None:
        """Finish what can be finished in time, give the rest back, and end."""
        self.begin_stop()
        self._thread.join(DRAIN_S + 10)

    def _call(self, act: Callable[["Loop"], None]) -> None:
        if (loop := self._loop) is not None:
            # The loop may end at this very moment; then there is nothing left to say.
            with contextlib.suppress(RuntimeError):
                loop.call(act)

    def _main(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = Loop(lane=self.lane, slots=self._slots, evaluator=self.evaluator)
        await self._loop.prepare()
        self._started.set()
        asked_to_stop = await self._loop.serve()
        if not asked_to_stop:
            # A process whose loop has ended does nothing; let the supervisor start a new one.
            os.kill(os.getpid(), signal.SIGTERM)


class Loop:
    """The parts that run beside each other on the loop, wired to each other."""

    def __init__(self, *, lane: str, slots: int, evaluator: Evaluator) -> None:
        self.bell = asyncio.Event()
        self.stopping = asyncio.Event()
        self._asyncio = asyncio.get_running_loop()
        self._lane = lane
        self._slots = slots
        self._resolve = evaluator.evaluate_batch
        self._evaluator = evaluator
        self._draining = False
        self._started: set[asyncio.Task[Any]] = set()
        self._database = Database(threads=4, name="work")
        self._redis = redis.Redis.from_url(
            settings.REDIS_URL, decode_responses=True, health_check_interval=10
        )
        self._pulse = Pulse(lane=lane, slots=slots)
        self._deltas = DeltaWriter(self._redis)
        self._committer = Committer(
            self._database, resolve=self._resolve, seat=self._seat, on_finished=self._on_finished
        )
        self._attempts = Attempts(
            self._database,
            Reach(
                egress=EgressPolicy(frozenset(settings.HEDDLE_EGRESS_ALLOW)),
                credentials=Credentials(self._database),
                evaluator=evaluator,
                deltas=self._deltas,
            ),
            on_completed=self._take,
            on_stopped=self.bell.set,
        )
        self._keeper = Keeper(
            self._database,
            self._attempts,
            Hooks(
                resolve=self._resolve,
                seat=self._seat,
                submit=self._committer.submit,
                announce=self._announce,
                set_timer=self._set_timer,
                on_free=self.bell.set,
            ),
        )

    def call(self, act: Callable[["Loop"], None]) -> None:
        """Do something with the loop, from another thread.

        Raises:
            RuntimeError: The loop has ended.
        """
        self._asyncio.call_soon_threadsafe(act, self)

    async def prepare(self) -> None:
        """Register the process, and start what the first step would wait for."""
        await self._pulse.open()
        await asyncio.to_thread(self._evaluator.warm_up)

    async def serve(self) -> bool:
        """Run until asked to stop, or until a part ends by a fault; tells which it was."""
        parts: dict[str, Coroutine[Any, Any, None]] = {
            "pull": self._pull_for_ever(),
            "commit": self._committer.run(),
            "keep": self._keeper.run(),
            "pulse": self._pulse.run(self._attempts, self._keeper, on_new_session=self.bell.set),
            "sweep": self._sweep_for_ever(),
            "deltas": self._deltas.run(),
            "listen": listen(
                self._redis, lane=self._lane, on_bell=self.bell.set, on_stop=self._on_stop
            ),
        }
        tasks = [asyncio.create_task(part, name=name) for name, part in parts.items()]
        stopping = asyncio.create_task(self.stopping.wait())
        ended, _ = await asyncio.wait([*tasks, stopping], return_when=asyncio.FIRST_COMPLETED)
        for task in ended - {stopping}:
            logger.critical(
                "part_ended", extra={"part": task.get_name()}, exc_info=task.exception()
            )
        await self._drain(tasks)
        return stopping in ended

    # -- pull -------------------------------------------------------------------------------------

    def _seat(self) -> Seat | None:
        free = self._slots - len(self._attempts)
        if self._draining or free <= 0:
            return None
        return Seat(session_id=self._pulse.session_id, lane=self._lane, free=free)

    async def _pull_for_ever(self) -> None:
        self.bell.set()
        while not self._draining:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.bell.wait(), random.uniform(*IDLE_POLL_S))  # noqa: S311
            self.bell.clear()
            try:
                await self._pull()
            except Exception:
                logger.exception("pull_failed")
                await asyncio.sleep(AFTER_FAULT_S)

    async def _pull(self) -> None:
        if (seat := self._seat()) is None:
            return
        pulled = await self._database.insist(
            pull, seat, resolve=self._resolve, busy=self._keeper.runs, ahead=runs_ahead()
        )
        self._announce(pulled.announcement)
        self._attempts.launch(pulled.claimed)
        for timer in pulled.timers:
            self._set_timer(timer)
        # A pull that took all it could may have left ready steps of these runs to the next one.
        if runs_ahead() and len(pulled.claimed) < seat.free:
            for live in pulled.lives:
                self._keeper.keep(live)
        if pulled.contended:
            await asyncio.sleep(CONTENDED_S)
        if pulled.contended or pulled.has_more or len(pulled.claimed) == seat.free:
            self.bell.set()

    def _on_stop(self, leases: list[str], runs: list[UUID]) -> None:
        self._attempts.stop(leases)
        self._keeper.drop(runs)

    # -- commit -----------------------------------------------------------------------------------

    def _take(self, completion: Completion) -> None:
        if not self._keeper.take(completion):
            self._committer.submit(completion)

    def _on_finished(self, batch: list[Completion], finished: Finished) -> None:
        was_full = len(self._attempts) >= self._slots
        for completion in batch:
            self._attempts.forget(completion.lease_id)
        self._attempts.launch(finished.claimed)
        for timer in finished.timers:
            self._set_timer(timer)
        if was_full:
            self.bell.set()
        self._announce(finished.announcement)
        for completion in finished.fenced:
            logger.info("fenced", extra={"run": str(completion.run_id), "step": completion.key})

    def _announce(self, announcement: Announcement) -> None:
        # Our own lane's bell rings here; the network only carries it to the other processes.
        if self._lane in announcement.lanes:
            self.bell.set()
        if announcement.needs_work:
            self._start(self._database.insist(follow_up, announcement, resolve=self._resolve))
        elif announcement.lanes or announcement.hints or announcement.stopped:
            self._asyncio.run_in_executor(None, announcement.send)

    def _start(self, work: Coroutine[Any, Any, Any]) -> None:
        task = self._asyncio.create_task(work)
        self._started.add(task)
        task.add_done_callback(self._started.discard)

    def _set_timer(self, timer: Timer) -> None:
        # A little late rather than early: what is not due yet would wait for the sweeper.
        self._asyncio.call_later(max(0.0, timer.in_s) + TIMER_SLACK_S, self._on_due, timer)

    def _on_due(self, timer: Timer) -> None:
        if self._keeper.due(timer):
            return
        if timer.parked:
            due = [(timer.run_id, timer.key)]
            self._start(self._database.insist(wake, due, resolve=self._resolve))
        self.bell.set()

    # -- sweep ------------------------------------------------------------------------------------

    async def _sweep_for_ever(self) -> None:
        while True:
            pause = settings.HEDDLE_SWEEP_S * OWN_SWEEP_FACTOR
            await asyncio.sleep(pause * random.uniform(1, 1.5))  # noqa: S311
            try:
                await self._database.insist(sweep, resolve=self._resolve)
            except Exception:
                logger.exception("sweep_failed")

    # -- the end ----------------------------------------------------------------------------------

    async def _stored(self) -> None:
        # Completions of runs that are let go come to the committer: it is asked last.
        await self._keeper.drained()
        await self._committer.drained()

    async def _drain(self, tasks: Sequence["asyncio.Task[None]"]) -> None:
        """Stop pulling; let steps end for a while; give back what is left; go."""
        self._draining = True
        self.bell.set()
        # A pull that is under way may still bring steps; they are among those to give back.
        await asyncio.wait([task for task in tasks if task.get_name() == "pull"], timeout=DRAIN_S)
        await self._pulse.say("stopping")
        left = await self._attempts.settle(seconds=DRAIN_S)
        # Not for ever: it may be the committer that broke.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stored(), DRAIN_S)
        if left:
            await self._database.insist(release, left)
        await self._deltas.flush()
        await self._pulse.say("stopped")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._redis.aclose()
        self._evaluator.close()
        await close_clients()
        await asyncio.to_thread(announce, lanes=[self._lane])
