"""Budgets in a transaction: locked once, changed in memory, written once.

A transition that concerns several runs locks all of their budgets together, after the runs and
after limits; in one order, so that two transitions cannot wait for each other.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID

from backend.api.sql import execute, query
from backend.engine.budget import Amount, Balance, amount_of
from backend.limits.models import Budget


@dataclass(frozen=True)
class Ended:
    """An attempt of a run with a budget has ended.

    `usage` is what it used, nothing if it was lost or cancelled. If nobody tells it is None, and
    what was reserved counts as used.
    """

    lease_id: UUID
    budget_id: UUID
    usage: Mapping[str, Any] | None = None


class Ledger:
    """Budgets whose rows this transaction has locked."""

    def __init__(self, balances: Mapping[UUID, Balance]) -> None:
        self._before = balances
        self._now = dict(balances)

    @classmethod
    def lock(cls, budget_ids: Iterable[UUID | None]) -> Self:
        """Lock budgets, in the order of their ids. None stands for a run without a budget."""
        ids = {budget_id for budget_id in budget_ids if budget_id is not None}
        if not ids:
            return cls({})
        rows = Budget.objects.filter(id__in=ids).order_by("id").select_for_update()
        return cls({row.id: row.balance() for row in rows})

    def balance(self, budget_id: UUID) -> Balance | None:
        """Where a budget stands now; none if it is gone."""
        return self._now.get(budget_id)

    def put(self, budget_id: UUID, balance: Balance) -> None:
        """Set where a budget stands."""
        self._now[budget_id] = balance

    def settle(self, ended: Sequence[Ended]) -> None:
        """Count what attempts have used, in the place of what was reserved for them."""
        reserved = _taken_back(one.lease_id for one in ended)
        for one in ended:
            held = reserved.get(one.lease_id, Amount())
            used = held if one.usage is None else amount_of(one.usage)
            if (balance := self._now.get(one.budget_id)) is not None:
                self._now[one.budget_id] = balance.settle(reserved=held, used=used)

    def start(self, budget_id: UUID | None, steps: int) -> int:
        """Count steps that start, and tell how many of them may."""
        balance = self._now.get(budget_id) if budget_id is not None else None
        if budget_id is None or balance is None:
            return steps
        granted = balance.may_start(steps)
        self._now[budget_id] = balance.start(granted)
        return granted

    def sentence(self, budget_id: UUID | None) -> str:
        """Say that a run may start no more steps."""
        balance = self._now.get(budget_id) if budget_id is not None else None
        steps = balance.max_steps if balance is not None else None
        return (
            f"The run's budget of {steps} steps is used up. Start the run with a larger "
            "`budget.steps`, or resume it with one."
        )

    def save(self) -> None:
        """Write what has changed, as one statement."""
        changed = {key: now for key, now in self._now.items() if now != self._before[key]}
        if changed:
            execute(SAVE, [json.dumps([_row(key, balance) for key, balance in changed.items()])])


TAKE_BACK = """
DELETE FROM limits_reservation WHERE lease_id = ANY(%s) RETURNING lease_id, tokens, cost
"""
SAVE = """
UPDATE limits_budget b SET
    spent_tokens = c.spent_tokens, spent_cost = c.spent_cost, reserved_tokens = c.reserved_tokens,
    reserved_cost = c.reserved_cost, steps_started = c.steps_started
FROM json_to_recordset(%s::json) AS c(
    id uuid, spent_tokens bigint, spent_cost numeric, reserved_tokens bigint, reserved_cost numeric,
    steps_started bigint)
WHERE b.id = c.id
"""


def _taken_back(lease_ids: Iterable[UUID]) -> dict[UUID, Amount]:
    ids = list(lease_ids)
    rows = query(TAKE_BACK, [ids]) if ids else []
    return {lease_id: Amount(tokens, cost) for lease_id, tokens, cost in rows}


def _row(budget_id: UUID, balance: Balance) -> dict[str, Any]:
    return {
        "id": str(budget_id),
        "spent_tokens": balance.spent.tokens,
        "spent_cost": str(balance.spent.cost),
        "reserved_tokens": balance.reserved.tokens,
        "reserved_cost": str(balance.reserved.cost),
        "steps_started": balance.steps_started,
    }
