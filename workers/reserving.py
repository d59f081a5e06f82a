"""Puts aside, of the budgets of runs, what the paid calls of this process may use."""

import asyncio
from uuid import UUID

from backend.limits.budgets import CallWish, Refused, reserve_all
from workers.database import Database


class Reservations:
    """Those that ask while others are being answered are answered together, in one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._asked: dict[UUID, tuple[CallWish, asyncio.Future[Refused | None]]] = {}
        self._answering: asyncio.Task[None] | None = None

    async def reserve(self, wish: CallWish) -> Refused | None:
        """Reserve for an attempt; gives the reason if the call must not be made."""
        _, answer = self._asked.setdefault(
            wish.lease_id, (wish, asyncio.get_running_loop().create_future())
        )
        if self._answering is None or self._answering.done():
            self._answering = asyncio.create_task(self._answer())
        # An attempt that is cancelled must not take the answer from another of the same lease.
        return await asyncio.shield(answer)

    async def _answer(self) -> None:
        while self._asked:
            asked, self._asked = self._asked, {}
            try:
                answers = await self._database.insist(
                    reserve_all, [wish for wish, _ in asked.values()]
                )
            except Exception as error:  # noqa: BLE001 - each attempt shows it as its own
                for _, answer in asked.values():
                    answer.set_exception(error)
                continue
            for lease_id, (_, answer) in asked.items():
                answer.set_result(answers[lease_id])
