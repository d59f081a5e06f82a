"""The heartbeat: prolongs the process's session, and fences the process when it cannot."""

import asyncio
import logging
import time
from collections.abc import Callable
from uuid import UUID

from django.conf import settings

from backend.runs.services.sessions import Beat, beat, open_session, set_state
from backend.runs.services.sweep import release
from workers.attempts import Attempts
from workers.database import Database
from workers.keeper import Keeper

logger = logging.getLogger(__name__)


class Pulse:
    """The process's session. It has a database thread of its own: it must not queue."""

    def __init__(self, *, lane: str, slots: int) -> None:
        self._lane = lane
        self._slots = slots
        self._database = Database(threads=1, name="pulse")
        self.session_id: UUID

    async def open(self) -> None:
        """Register the process; also anew, when its session was lost."""
        self.session_id = await self._database.insist(
            open_session, lane=self._lane, slots=self._slots
        )

    async def say(self, state: str) -> None:
        """Tell what the process is doing."""
        await self._database.insist(set_state, self.session_id, state)

    async def run(
        self, attempts: Attempts, keeper: Keeper, *, on_new_session: Callable[[], None]
    ) -> None:
        """Beat for ever.

        A process that was not heard for nearly the lease's time counts itself as dead, by its own
        monotonic clock, and stops what it runs before another process is given it.
        """
        ttl = settings.HEDDLE_LEASE_TTL_S
        patience = ttl - min(3.0, ttl / 5)
        last_heard = time.monotonic()
        while True:
            left = last_heard + patience - time.monotonic()
            await asyncio.sleep(min(settings.HEDDLE_HEARTBEAT_S, left))
            asked = time.monotonic()
            answer = await self._ask(attempts, keeper, within_s=last_heard + patience - asked)
            if answer is not None and answer.alive:
                last_heard = asked
                await self._reconcile(attempts, answer)
                keeper.drop(answer.ended)
            elif answer is not None or time.monotonic() - last_heard >= patience:
                logger.warning("session_lost", extra={"steps": len(attempts)})
                keeper.drop(keeper.runs)
                attempts.stop_all()
                await self.open()
                last_heard = time.monotonic()
                on_new_session()

    async def _ask(self, attempts: Attempts, keeper: Keeper, *, within_s: float) -> Beat | None:
        asked = self._database.run(
            beat,
            self.session_id,
            leases=attempts.leases,
            in_use=len(attempts),
            runs=keeper.runs,
        )
        try:
            return await asyncio.wait_for(asked, within_s)
        except Exception as error:  # noqa: BLE001 - whatever it is, the session is not prolonged
            logger.warning("heartbeat_failed", extra={"error": str(error).strip()})
            return None

    async def _reconcile(self, attempts: Attempts, answer: Beat) -> None:
        attempts.stop(answer.lost)
        held = set(attempts.leases)
        unknown = {(run, no): lease for run, no, lease in answer.unknown if lease not in held}
        if unknown:
            await self._database.insist(release, unknown, count_loss=True)
