import asyncio
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID, uuid4

import pytest

from backend.engine.budget import Estimate
from backend.limits.budgets import AttemptOver, BudgetExceeded, CallWish, Refused, reserve_all
from backend.nodes.base import NodeError
from workers.context import StepContext
from workers.reserving import Reservations


class Answers:
    """Stands for the database: tells what was asked together, and answers when it is let."""

    def __init__(self, refusal: Refused | Exception | None = None) -> None:
        self.batches: list[list[UUID]] = []
        self.let = asyncio.Event()
        self._refusal = refusal

    async def insist(self, function: Callable[..., Any], wishes: Sequence[CallWish]) -> Any:
        assert function is reserve_all
        self.batches.append([wish.lease_id for wish in wishes])
        await self.let.wait()
        if isinstance(self._refusal, ValueError):
            raise self._refusal
        return {wish.lease_id: self._refusal for wish in wishes}


def wish(lease_id: UUID | None = None) -> CallWish:
    return CallWish(uuid4(), lease_id or uuid4(), uuid4(), Estimate(1, None))


async def settled() -> None:
    """Let every task go as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_who_asks_while_others_are_answered_is_answered_with_the_next() -> None:
    database = Answers()
    reservations = Reservations(cast("Any", database))
    first = asyncio.create_task(reservations.reserve(wish()))
    await settled()
    later = [asyncio.create_task(reservations.reserve(wish())) for _ in range(5)]
    await settled()

    database.let.set()

    assert await asyncio.gather(first, *later) == [None] * 6
    assert [len(batch) for batch in database.batches] == [1, 5]


async def test_one_that_is_cancelled_leaves_the_others_their_answer() -> None:
    database = Answers()
    reservations = Reservations(cast("Any", database))
    asking = [asyncio.create_task(reservations.reserve(wish())) for _ in range(3)]
    await settled()

    asking[0].cancel()
    database.let.set()

    assert await asyncio.gather(*asking[1:]) == [None, None]
    with pytest.raises(asyncio.CancelledError):
        await asking[0]


async def test_a_fault_reaches_all_who_asked_and_not_those_who_ask_later() -> None:
    database = Answers(ValueError("broken"))
    database.let.set()
    reservations = Reservations(cast("Any", database))

    answers = await asyncio.gather(
        *(reservations.reserve(wish()) for _ in range(2)), return_exceptions=True
    )
    database._refusal = None

    assert [str(answer) for answer in answers] == ["broken", "broken"]
    assert await reservations.reserve(wish()) is None


def step_context(reservations: Reservations, *, budget_id: UUID | None) -> StepContext:
    run = SimpleNamespace(id=uuid4(), workspace_id=uuid4(), budget_id=budget_id)
    claimed = SimpleNamespace(
        run=run, step_id=str(uuid4()), attempt=1, path="a", lease_id=str(uuid4())
    )
    return StepContext(
        cast("Any", claimed),
        node_id="a",
        scope={},
        reach=cast("Any", SimpleNamespace(egress=None)),
        reservations=reservations,
    )


async def test_a_run_without_a_budget_asks_nobody() -> None:
    database = Answers()
    context = step_context(Reservations(cast("Any", database)), budget_id=None)

    await context.reserve(Estimate(1, None))

    assert database.batches == []


async def test_a_node_is_told_why_it_may_not_call() -> None:
    database = Answers(BudgetExceeded("Not enough."))
    database.let.set()
    context = step_context(Reservations(cast("Any", database)), budget_id=uuid4())

    with pytest.raises(NodeError, match="Not enough") as refused:
        await context.reserve(Estimate(1, None))

    assert refused.value.code == "budget_exceeded"
    assert not refused.value.retryable


async def test_an_attempt_whose_step_was_taken_away_ends_without_a_word() -> None:
    database = Answers(AttemptOver())
    database.let.set()
    context = step_context(Reservations(cast("Any", database)), budget_id=uuid4())
    attempt = asyncio.create_task(context.reserve(Estimate(1, None)))

    await asyncio.wait([attempt])

    assert attempt.cancelled()
