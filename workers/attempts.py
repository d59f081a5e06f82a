"""The attempts that run on this process's loop, by lease: started, stopped, completed."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from backend.engine.outcomes import Failed, Outcome
from backend.runs.prepare import Prepared
from backend.runs.results import Encoded
from backend.runs.services.finish import Completion
from backend.runs.services.load import load
from backend.runs.transaction import Claimed
from workers.context import Reach, StepContext
from workers.database import Database
from workers.runner import attempt

logger = logging.getLogger(__name__)

NOT_LOADED = Failed(
    "internal",
    "What the step needs could not be loaded. This is a fault of Heddle, not of the workflow; the "
    "worker's log has the details.",
)


@dataclass(frozen=True)
class _Running:
    claimed: Claimed
    task: "asyncio.Task[None]"


class Attempts:
    """Holds a slot for every claimed step until its completion is committed."""

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
        self._on_completed = on_completed
        self._on_stopped = on_stopped
        self._running: dict[str, _Running] = {}
        #: Held by the step whose settings are evaluated alone: such steps queue for one thread.
        self._alone = asyncio.Lock()

    def __len__(self) -> int:
        return len(self._running)

    @property
    def leases(self) -> list[str]:
        """The leases that are held."""
        return list(self._running)

    def launch(self, claimed: Sequence[Claimed]) -> None:
        """Take the slots at once; load what the steps of a run need, together; run them."""
        for items in _by_run(claimed).values():
            # Each run by itself: what one of them has that is broken, or slow, is not the others'.
            loading = asyncio.create_task(self._load(items))
            for item in items:
                task = asyncio.create_task(self._execute(item, loading))
                self._running[_lease(item)] = _Running(item, task)
                task.add_done_callback(partial(self._on_ended, _lease(item)))

    def forget(self, lease: str) -> None:
        """Free the slot: the completion is committed, or somebody else has the step."""
        self._running.pop(lease, None)

    def stop(self, leases: Iterable[str]) -> None:
        """Cancel attempts; those that are not here are passed over."""
        for lease in list(leases):
            if (running := self._running.get(lease)) is not None:
                running.task.cancel()

    async def settle(self, *, seconds: float) -> Mapping[tuple[UUID, int], str]:
        """Let attempts end for a while, then cancel them; gives those that were cancelled."""
        tasks = [running.task for running in self._running.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)
        left = {
            (running.claimed.run.id, running.claimed.step.no): lease
            for lease, running in self._running.items()
            if not running.task.done()
        }
        self.stop(left.values())
        return left

    async def _load(self, claimed: Sequence[Claimed]) -> dict[str, Prepared]:
        resolve = self._reach.evaluator.evaluate_batch
        return await self._database.insist(load, claimed, resolve=resolve)

    async def _execute(
        self, claimed: Claimed, loading: "asyncio.Task[dict[str, Prepared]]"
    ) -> None:
        outcome, encoded = await self._attempt(claimed, loading)
        self._on_completed(
            Completion(
                run_id=claimed.run.id,
                no=claimed.step.no,
                lease_id=_lease(claimed),
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
        self, claimed: Claimed, loading: "asyncio.Task[dict[str, Prepared]]"
    ) -> tuple[Outcome, Encoded | None]:
        try:
            # One attempt that is cancelled must not take the others' settings with it.
            prepared = (await asyncio.shield(loading))[_lease(claimed)]
            if prepared.was_not_reached:
                async with self._alone:
                    prepared = (await self._load([claimed]))[_lease(claimed)]
        except Exception:
            logger.exception("load_failed", extra={"run": str(claimed.run.id)})
            return NOT_LOADED, None
        context = StepContext(
            claimed, node_id=prepared.node.id, scope=prepared.scope, reach=self._reach
        )
        return await attempt(prepared, context)


def _lease(claimed: Claimed) -> str:
    if claimed.step.lease_id is None:
        raise ValueError("a claimed step has a lease")
    return claimed.step.lease_id


def _by_run(claimed: Sequence[Claimed]) -> Mapping[UUID, list[Claimed]]:
    groups: dict[UUID, list[Claimed]] = {}
    for item in claimed:
        groups.setdefault(item.run.id, []).append(item)
    return groups
