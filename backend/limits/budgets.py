"""What runs may spend: opened with the run, reserved before a paid call, settled with its end."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction

from backend.api.sql import execute, query
from backend.engine.budget import Amount, Estimate, Exceeded, kept
from backend.engine.errors import DomainError
from backend.limits.ledger import Ledger
from backend.limits.models import Budget


class BudgetExceeded(DomainError):
    """What the run may spend does not suffice for the next call, or for another step."""

    code: ClassVar[str] = "budget_exceeded"
    status: ClassVar[int] = 409


class PriceMissing(DomainError):
    """A run may spend so much money, and nobody knows what the call costs."""

    code: ClassVar[str] = "price_missing"
    status: ClassVar[int] = 409


class AttemptOver(Exception):
    """The attempt does not hold its step any more: it must not call anything."""


@dataclass(frozen=True)
class CallWish:
    """An attempt wants to make a paid call."""

    budget_id: UUID
    lease_id: UUID
    step_id: UUID
    estimate: Estimate


def open_budget(*, workspace_id: UUID, wish: Mapping[str, Any]) -> Budget | None:
    """Make the budget that a request asks for; none if all it bounds is the time."""
    if not wish.keys() & {"tokens", "cost", "steps"}:
        return None
    cost = wish.get("cost")
    return Budget.objects.create(
        workspace_id=workspace_id,
        max_tokens=wish.get("tokens"),
        max_cost=None if cost is None else kept(Decimal(str(cost))),
        max_steps=wish.get("steps"),
        on_exceeded=wish.get("on_exceeded", Budget.OnExceeded.FAIL),
    )


def raise_budget(budget_id: UUID, wish: Mapping[str, Any]) -> None:
    """Set bounds of a budget anew; those that are not named stay."""
    columns = {"tokens": "max_tokens", "cost": "max_cost", "steps": "max_steps"}
    fields = {columns[name]: value for name, value in wish.items() if name in columns}
    if fields.get("max_cost") is not None:
        fields["max_cost"] = kept(Decimal(str(fields["max_cost"])))
    if fields:
        Budget.objects.filter(id=budget_id).update(**fields)


Refused = BudgetExceeded | PriceMissing | AttemptOver


def reserve_all(wishes: Sequence[CallWish]) -> dict[UUID, Refused | None]:
    """Put aside what calls may use, before they are made; tells for each lease why not.

    They are served in their order; asking again changes nothing. It is committed to the disk
    before the answer: what is spent must not be forgotten.
    """
    with transaction.atomic():
        ledger = Ledger.lock(wish.budget_id for wish in wishes)
        # Read after the locks: who takes a step away locks its budget too.
        reserved, alive = _leases(wishes)
        answers: dict[UUID, Refused | None] = {}
        new: list[tuple[CallWish, Amount]] = []
        for wish in {wish.lease_id: wish for wish in wishes}.values():
            if wish.lease_id in reserved:
                answers[wish.lease_id] = None
            elif wish.lease_id not in alive:
                answers[wish.lease_id] = AttemptOver()
            else:
                answers[wish.lease_id] = refusal = _reserve(ledger, wish)
                if refusal is None:
                    new.append((wish, _amount(wish.estimate)))
        _insert(new)
        ledger.save()
    return answers


def _reserve(ledger: Ledger, wish: CallWish) -> Refused | None:
    balance = ledger.balance(wish.budget_id)
    if balance is None:
        return AttemptOver()
    if wish.estimate.cost is None and balance.max_cost is not None:
        return PriceMissing(
            "The run has a budget of money, and the credential has no price for this model. Enter "
            "it there, 0 if it costs nothing."
        )
    after = balance.reserve(_amount(wish.estimate))
    if isinstance(after, Exceeded):
        return BudgetExceeded(_sentence(after))
    ledger.put(wish.budget_id, after)
    return None


def _sentence(exceeded: Exceeded) -> str:
    unit = "tokens" if exceeded.what == "tokens" else "of money"
    return (
        f"The run's budget of {_shown(exceeded.limit)} {unit} does not suffice: "
        f"{_shown(exceeded.used)} are spent or reserved, and the next call may use "
        f"{_shown(exceeded.wanted)}. Start the run with a larger `budget.{exceeded.what}`, or "
        "bound the answer with `max_tokens`."
    )


def _shown(number: Decimal) -> str:
    return f"{number.normalize():f}"


def _amount(estimate: Estimate) -> Amount:
    return Amount(estimate.tokens, estimate.cost or Decimal(0))


LEASES = """
SELECT w.lease_id, r.lease_id IS NOT NULL, EXISTS (
    SELECT 1 FROM runs_step s
    WHERE s.id = w.step_id AND s.lease_id = w.lease_id AND s.status = 'running')
FROM unnest(%s::uuid[], %s::uuid[]) AS w(lease_id, step_id)
LEFT JOIN limits_reservation r ON r.lease_id = w.lease_id
"""
INSERT = """
INSERT INTO limits_reservation (lease_id, budget_id, tokens, cost)
SELECT * FROM unnest(%s::uuid[], %s::uuid[], %s::bigint[], %s::numeric[])
"""


def _leases(wishes: Iterable[CallWish]) -> tuple[set[UUID], set[UUID]]:
    """Tell which leases have a reservation, and which hold their step."""
    pairs = [(wish.lease_id, wish.step_id) for wish in wishes]
    rows = query(LEASES, [list(column) for column in zip(*pairs, strict=True)] or [[], []])
    return {lease for lease, has, _ in rows if has}, {lease for lease, _, holds in rows if holds}


def _insert(new: Sequence[tuple[CallWish, Amount]]) -> None:
    if new:
        rows = [(w.lease_id, w.budget_id, amount.tokens, amount.cost) for w, amount in new]
        execute(INSERT, [list(column) for column in zip(*rows, strict=True)])
