from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import partial
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from backend.api.sql import query
from backend.engine.budget import Amount, Balance, Estimate
from backend.limits.budgets import (
    AttemptOver,
    BudgetExceeded,
    CallWish,
    PriceMissing,
    open_budget,
    reserve_all,
)
from backend.limits.ledger import Ended, Ledger
from backend.limits.models import Budget, Reservation
from tests.integration.limits.work import Work, on_threads
from tests.integration.people import Person, make_person

USAGE = {"input_tokens": 10, "output_tokens": 20, "cost": 0.5}


def budget_of(person: Person, **wish: object) -> Budget:
    budget = open_budget(workspace_id=person.workspace.id, wish=wish)
    assert budget is not None
    return budget


def attempts(work: Work, count: int = 1) -> list[tuple[UUID, UUID]]:
    """Make running steps; gives each one's id and lease."""
    ids = work.add(count, status="running")
    rows = query("SELECT id, lease_id FROM runs_step WHERE id = ANY(%s)", [ids])
    return [(step_id, lease_id) for step_id, lease_id in rows]


def wish(
    budget: Budget, attempt: tuple[UUID, UUID], tokens: int, cost: str | None = "0"
) -> CallWish:
    step_id, lease_id = attempt
    estimate = Estimate(tokens, None if cost is None else Decimal(cost))
    return CallWish(budget.id, lease_id, step_id, estimate)


def reserve(asked: CallWish) -> None:
    refusal = reserve_all([asked])[asked.lease_id]
    if refusal is not None:
        raise refusal


def settle(ended: Sequence[Ended]) -> None:
    with transaction.atomic():
        ledger = Ledger.lock(one.budget_id for one in ended)
        ledger.settle(ended)
        ledger.save()


def count_steps(budget_id: UUID | None, steps: int) -> int:
    with transaction.atomic():
        ledger = Ledger.lock([budget_id])
        granted = ledger.start(budget_id, steps)
        ledger.save()
    return granted


def balance(budget: Budget) -> Balance:
    return Budget.objects.get(id=budget.id).balance()


def test_what_a_call_used_takes_the_place_of_what_was_reserved(work: Work) -> None:
    budget = budget_of(work.person, tokens=100, cost=1)
    [attempt] = attempts(work)

    reserve(wish(budget, attempt, 80, "0.9"))
    assert balance(budget).reserved == Amount(80, Decimal("0.9"))
    settle([Ended(attempt[1], budget.id, USAGE)])

    assert balance(budget).spent == Amount(30, Decimal("0.5"))
    assert balance(budget).reserved == Amount()
    assert not Reservation.objects.exists()


def test_who_asks_for_more_than_is_left_is_refused_with_the_figures(work: Work) -> None:
    budget = budget_of(work.person, tokens=100, cost=0.25)
    first, second = attempts(work, 2)
    reserve(wish(budget, first, 60, "0.2"))

    with pytest.raises(BudgetExceeded, match=r"budget of 100 tokens .* 60 are .* may use 41"):
        reserve(wish(budget, second, 41))
    with pytest.raises(BudgetExceeded, match=r"budget of 0\.25 of money .* `budget\.cost`"):
        reserve(wish(budget, second, 1, "0.06"))

    assert balance(budget).reserved == Amount(60, Decimal("0.2"))
    reserve(wish(budget, second, 40, "0.05"))


def test_after_a_call_that_used_more_than_reserved_the_next_is_refused(work: Work) -> None:
    budget = budget_of(work.person, tokens=100)
    first, second = attempts(work, 2)
    reserve(wish(budget, first, 10))
    settle([Ended(first[1], budget.id, {"input_tokens": 150, "output_tokens": 0, "cost": None})])

    with pytest.raises(BudgetExceeded):
        reserve(wish(budget, second, 1))


def test_an_attempt_that_asks_again_has_reserved_once(work: Work) -> None:
    budget = budget_of(work.person, tokens=100)
    [attempt] = attempts(work)

    for _ in range(3):
        reserve(wish(budget, attempt, 60))
    reserve_all([wish(budget, attempt, 60), wish(budget, attempt, 60)])

    assert balance(budget).reserved == Amount(60)


def test_attempts_that_ask_together_are_served_in_their_order(work: Work) -> None:
    budget, other = budget_of(work.person, tokens=100), budget_of(work.person, tokens=10)
    a, b, c, d = attempts(work, 4)

    answers = reserve_all(
        [wish(budget, a, 70), wish(budget, b, 70), wish(budget, c, 30), wish(other, d, 10)]
    )

    assert [type(answer) for answer in answers.values()] == [
        type(None),
        BudgetExceeded,
        type(None),
        type(None),
    ]
    assert balance(other).reserved == Amount(10)


def test_what_was_reserved_for_a_lost_attempt_comes_back(work: Work) -> None:
    budget = budget_of(work.person, tokens=100)
    [attempt] = attempts(work)
    reserve(wish(budget, attempt, 100))

    settle([Ended(attempt[1], budget.id, {})])

    assert balance(budget) == Balance(max_tokens=100)


def test_a_call_of_which_nobody_knows_what_it_used_counts_as_estimated(work: Work) -> None:
    budget = budget_of(work.person, tokens=100)
    [attempt] = attempts(work)
    reserve(wish(budget, attempt, 40, "0.1"))

    settle([Ended(attempt[1], budget.id, None)])

    assert balance(budget).spent == Amount(40, Decimal("0.1"))
    assert balance(budget).reserved == Amount()


def test_usage_without_a_reservation_counts_too(work: Work) -> None:
    budget = budget_of(work.person, tokens=100)

    settle([Ended(uuid4(), budget.id, USAGE), Ended(uuid4(), budget.id, USAGE)])

    assert balance(budget).spent == Amount(60, Decimal(1))


def test_an_attempt_that_lost_its_step_may_not_call(work: Work) -> None:
    budget = budget_of(work.person, tokens=100)
    step_id, lease_id = attempts(work)[0]

    with pytest.raises(AttemptOver):
        reserve(wish(budget, (step_id, uuid4()), 1))
    work.set_status([step_id], "succeeded")
    with pytest.raises(AttemptOver):
        reserve(wish(budget, (step_id, lease_id), 1))

    assert balance(budget).reserved == Amount()


def test_a_budget_that_is_gone_lets_nobody_call(work: Work) -> None:
    budget = budget_of(work.person, tokens=100)
    [attempt] = attempts(work)
    asked = wish(budget, attempt, 1)
    settled = Ended(attempt[1], budget.id, USAGE)
    budget.delete()

    with pytest.raises(AttemptOver):
        reserve(asked)
    settle([settled])


def test_money_cannot_be_bounded_where_no_price_is_known(work: Work) -> None:
    bounded, free = budget_of(work.person, cost=1), budget_of(work.person, tokens=100)
    first, second = attempts(work, 2)

    with pytest.raises(PriceMissing, match="0 if it costs nothing"):
        reserve(wish(bounded, first, 5, None))
    reserve(wish(free, second, 5, None))

    assert balance(free).reserved == Amount(5)


def test_as_many_steps_start_as_the_budget_has(work: Work) -> None:
    budget = budget_of(work.person, steps=5)

    assert [count_steps(budget.id, 3), count_steps(budget.id, 3)] == [3, 2]
    assert count_steps(budget.id, 1) == 0
    assert balance(budget).steps_started == 5
    assert "budget of 5 steps" in Ledger.lock([budget.id]).sentence(budget.id)


def test_a_budget_that_is_lowered_under_what_has_started_starts_no_more(work: Work) -> None:
    budget = budget_of(work.person, steps=5)
    count_steps(budget.id, 4)
    Budget.objects.update(max_steps=2)

    assert count_steps(budget.id, 1) == 0


def test_a_run_without_a_budget_starts_what_it_likes_and_costs_no_query(
    work: Work, django_assert_num_queries: Callable[[int], object]
) -> None:
    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        ledger = Ledger.lock([None])
        assert ledger.start(None, 1000) == 1000
        ledger.save()


def test_a_transition_over_many_runs_locks_and_writes_their_budgets_once(
    work: Work, django_assert_num_queries: Callable[[int], object]
) -> None:
    budgets = [budget_of(work.person, tokens=100, steps=10) for _ in range(5)]
    leases = attempts(work, 10)
    reserve_all([wish(budgets[n % 5], attempt, 10) for n, attempt in enumerate(leases)])
    ended = [
        Ended(lease, budgets[n % 5].id, USAGE if n < 5 else {})
        for n, (_, lease) in enumerate(leases)
    ]

    with transaction.atomic(), django_assert_num_queries(3):  # type: ignore[attr-defined]
        ledger = Ledger.lock([None, *(budget.id for budget in budgets)])
        ledger.settle(ended)
        granted = [ledger.start(budget.id, 20) for budget in budgets]
        ledger.save()

    assert granted == [10] * 5
    for budget in budgets:
        assert balance(budget).spent == Amount(30, Decimal("0.5"))
        assert balance(budget).reserved == Amount()


@pytest.mark.parametrize("wanted", [{}, {"wall_s": 5}, {"on_exceeded": "pause"}])
def test_what_bounds_time_alone_needs_no_budget(alice: Person, wanted: dict[str, object]) -> None:
    assert open_budget(workspace_id=alice.workspace.id, wish=wanted) is None


def test_the_money_of_a_budget_is_the_number_that_was_written(alice: Person) -> None:
    budget = budget_of(alice, cost=0.1, on_exceeded="pause")

    assert Budget.objects.get(id=budget.id).max_cost == Decimal("0.1")
    assert budget.on_exceeded == "pause"


@pytest.mark.django_db(transaction=True)
def test_attempts_at_the_same_moment_reserve_no_more_than_there_is(transactional_db: None) -> None:
    work = Work(make_person("alice"))
    budget = budget_of(work.person, tokens=100)
    granted: list[UUID] = []

    def call(mine: list[tuple[UUID, UUID]]) -> None:
        for attempt in mine:
            try:
                reserve(wish(budget, attempt, 30))
            except BudgetExceeded:
                continue
            granted.append(attempt[0])
            with transaction.atomic():
                work.set_status([attempt[0]], "succeeded")
                settle([Ended(attempt[1], budget.id, {"input_tokens": 7})])

    on_threads([partial(call, attempts(work, 20)) for _ in range(6)])

    # While 70 are spent the next one's 30 still fit; with 77 they do not.
    assert len(granted) <= 11
    assert balance(budget) == Balance(max_tokens=100, spent=Amount(7 * len(granted)))


@pytest.mark.django_db(transaction=True)
def test_an_attempt_that_is_taken_away_while_it_reserves_leaves_nothing_behind(
    transactional_db: None,
) -> None:
    work = Work(make_person("alice"))
    budget = budget_of(work.person, tokens=10_000)

    def call(attempt: tuple[UUID, UUID]) -> None:
        with suppress(AttemptOver):
            reserve(wish(budget, attempt, 30))

    def take_away(attempt: tuple[UUID, UUID]) -> None:
        with transaction.atomic():
            work.set_status([attempt[0]], "ready")
            settle([Ended(attempt[1], budget.id, {})])

    for attempt in attempts(work, 20):
        on_threads([partial(call, attempt), partial(take_away, attempt)])

    assert balance(budget) == Balance(max_tokens=10_000)
    assert not Reservation.objects.exists()
