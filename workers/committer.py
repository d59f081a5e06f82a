"""Group commit: completions that come close together become one transaction."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from backend.engine.outcomes import Failed
from backend.runs.prepare import Resolve
from backend.runs.services.finish import Completion, Finished, Seat, finish
from workers.database import Database

logger = logging.getLogger(__name__)

NOT_STORABLE = Failed(
    "result_not_storable",
    "The step's result could not be stored; the worker's log has the details.",
)
#: Completions that one transaction takes at most.
BATCH = 200


class Committer:
    """Flushes completions as fast as the database takes them.

    One alone goes at once; while a transaction is on its way the next ones gather, so the
    busier the process, the larger the batches.
    """

    def __init__(
        self,
        database: Database,
        *,
        resolve: Resolve,
        seat: Callable[[], Seat | None],
        on_finished: Callable[[list[Completion], Finished], None],
    ) -> None:
        self._database = database
        self._resolve = resolve
        self._seat = seat
        self._on_finished = on_finished
        self._waiting: deque[Completion] = deque()
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    def submit(self, completion: Completion) -> None:
        """Take a completion."""
        self._waiting.append(completion)
        self._idle.clear()
        self._wake.set()

    async def run(self) -> None:
        """Flush for ever."""
        while True:
            await self._wake.wait()
            # Attempts that end in the same turn of the loop belong together.
            await asyncio.sleep(0)
            batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
            if not self._waiting:
                self._wake.clear()
            if batch:
                await self._flush(batch)
            if not self._waiting:
                self._idle.set()

    async def drained(self) -> None:
        """Wait until everything submitted is committed."""
        await self._idle.wait()

    async def _flush(self, batch: list[Completion]) -> None:
        try:
            # A commit whose answer was lost is repeated: leases make the second time a no-op.
            finished = await self._database.insist(
                finish, batch, resolve=self._resolve, seat=self._seat()
            )
        except Exception as error:  # noqa: BLE001 - one completion must not stop the others
            await self._flush_apart(batch, error)
            return
        self._on_finished(batch, finished)

    async def _flush_apart(self, batch: list[Completion], error: Exception) -> None:
        logger.error("finish_failed", exc_info=error, extra={"completions": len(batch)})
        if len(batch) > 1:
            middle = len(batch) // 2
            await self._flush(batch[:middle])
            await self._flush(batch[middle:])
        elif batch[0].outcome != NOT_STORABLE:
            await self._flush([replace(batch[0], outcome=NOT_STORABLE, encoded=None)])
        # Else even the failure cannot be stored; the heartbeat finds the lease and counts a loss.
