"""The attempts that run on this process's loop, by lease: started, stopped, completed."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from backend.engine.outcomes import Called, Failed, Outcome
from backend.engine.plan import Key
from backend.limits.seats import penalise
from backend.runs.calls import check_call
from backend.runs.live import Claimed
from backend.runs.prepare import Prepared
from backend.runs.results import Encoded
from backend.runs.services.finish import Completion
from backend.runs.services.load import load
from workers.context import Reach, StepContext
from workers.database import Database
from workers.reserving import Reservations
from workers.runner import attempt

logger = logging.getLogger(__name__)

NOT_LOADED = Failed(
    "internal",
    "What the step needs could not be loaded. This is a fault of Heddle, not of the workflow; the "
    "worker's log has the details.",
)


@dataclass
class _Running:
    claimed: Claimed
    task: "asyncio.Task[None]"
    #: Whether the claim is stored; one that runs ahead is nobody's business but this process's.
    is_stored: bool


class Attempts:
    """Holds a slot for every claimed step until it ends, and its lease until that is stored."""

    def __init__(
        self,
        database: Database,
        reach: Reach,
        *,
        on_completed: Callable[[Completion], None],
        on_stopped: Callable[[], None],
    ) -> None:
        self._database = database
        self._reach = reach
        self._reservations = Reservations(database)
        self._on_completed = on_completed
        self._on_stopped = on_stopped
        self._running: dict[str, _Running] = {}
        #: Leases of attempts that have ended and are not stored yet.
        self._ended: set[str] = set()
        #: Held by the step whose settings are evaluated alone: such steps queue for one thread.
        self._alone = asyncio.Lock()

    def __len__(self) -> int:
        return len(self._running)

    @property
    def leases(self) -> list[str]:
        """The leases that are held, as far as their claims are stored."""
        return [lease for lease, r in self._running.items() if r.is_stored] + list(self._ended)

    def count_of(self, run_id: UUID) -> int:
        """How many attempts of a run are under way here."""
        return sum(running.claimed.run.id == run_id for running in self._running.values())

    def launch(
        self,
        claimed: Sequence[Claimed],
        *,
        prepared: Mapping[str, Prepared] | None = None,
        is_stored: bool = True,
    ) -> None:
        """Take the slots at once; load what the steps of a run need, together; run them."""
        for items in _by_run(claimed).values():
            # Each run by itself: what one of them has that is broken, or slow, is not the others'.
            loading = None if prepared else asyncio.create_task(self._load(items))
            for item in items:
                ready = prepared[item.lease_id] if prepared else None
                task = asyncio.create_task(self._execute(item, ready, loading))
                self._running[item.lease_id] = _Running(item, task, is_stored)
                task.add_done_callback(partial(self._on_ended, item.lease_id))

    def confirm(self, leases: Iterable[str]) -> None:
        """Say that these claims are stored now."""
        for lease in leases:
            if (running := self._running.get(lease)) is not None:
                running.is_stored = True

    def free(self, lease: str) -> None:
        """Free the slot of an attempt that has ended; the lease is held until that is stored."""
        running = self._running.pop(lease, None)
        if running is not None and running.is_stored:
            self._ended.add(lease)

    def forget(self, lease: str) -> None:
        """Give up a lease: the completion is stored, or somebody else has the step."""
        self._running.pop(lease, None)
        self._ended.discard(lease)

    def stop_all(self) -> None:
        """Cancel every attempt."""
        self.stop(list(self._running))

    def stop_run(self, run_id: UUID) -> None:
        """Cancel every attempt of a run."""
        self.stop([i for i, r in self._running.items() if r.claimed.run.id == run_id])

    def stop(self, leases: Iterable[str]) -> None:
        """Cancel attempts; those that are not here are passed over."""
        for lease in list(leases):
            if (running := self._running.get(lease)) is not None:
                running.task.cancel()

    async def settle(self, *, seconds: float) -> Mapping[tuple[UUID, Key], str]:
        """Let attempts end for a while, then cancel them; gives those that were cancelled."""
        tasks = [running.task for running in self._running.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)
        left = {
            (running.claimed.run.id, running.claimed.key): lease
            for lease, running in self._running.items()
            if not running.task.done() and running.is_stored
        }
        self.stop([i for i, running in self._running.items() if not running.task.done()])
        return left

    async def _load(self, claimed: Sequence[Claimed]) -> dict[str, Prepared]:
        resolve = self._reach.evaluator.evaluate_batch
        return await self._database.insist(load, claimed, resolve=resolve)

    async def _execute(
        self,
        claimed: Claimed,
        prepared: Prepared | None,
        loading: "asyncio.Task[dict[str, Prepared]] | None",
    ) -> None:
        outcome, encoded = await self._attempt(claimed, prepared, loading)
        self._on_completed(
            Completion(
                run_id=claimed.run.id,
                key=claimed.key,
                lease_id=claimed.lease_id,
                outcome=outcome,
                encoded=encoded,
            )
        )

    def _on_ended(self, lease: str, task: "asyncio.Task[None]") -> None:
        # A callback, for a task may be cancelled before it has run its first line.
        if task.cancelled():
            # Stopped from outside: the row is final already, or belongs to another attempt.
            self.forget(lease)
            self._on_stopped()

    async def _attempt(
        self,
        claimed: Claimed,
        prepared: Prepared | None,
        loading: "asyncio.Task[dict[str, Prepared]] | None",
    ) -> tuple[Outcome, Encoded | None]:
        try:
            if prepared is None and loading is not None:
                # One attempt that is cancelled must not take the others' settings with it.
                prepared = (await asyncio.shield(loading))[claimed.lease_id]
            if prepared is None or prepared.was_not_reached:
                async with self._alone:
                    prepared = (await self._load([claimed]))[claimed.lease_id]
        except Exception:
            logger.exception("load_failed", extra={"run": str(claimed.run.id)})
            return NOT_LOADED, None
        context = StepContext(
            claimed,
            node_id=prepared.node.id,
            scope=prepared.scope,
            reach=self._reach,
            reservations=self._reservations,
        )
        outcome, encoded = await attempt(prepared, context)
        if isinstance(outcome, Failed) and outcome.retry_after_s and claimed.run.limited:
            # The server wants to be left alone: by whoever else uses the same, too.
            await self._database.insist(
                penalise,
                workspace_id=claimed.run.workspace_id,
                keys=prepared.node.limits,
                seconds=outcome.retry_after_s,
            )
        if isinstance(outcome, Called):
            outcome = await self._database.insist(
                check_call,
                outcome,
                workspace_id=claimed.run.workspace_id,
                depth=claimed.run.depth,
            )
        return outcome, encoded


def _by_run(claimed: Sequence[Claimed]) -> Mapping[UUID, list[Claimed]]:
    groups: dict[UUID, list[Claimed]] = {}
    for item in claimed:
        groups.setdefault(item.run.id, []).append(item)
    return groups
