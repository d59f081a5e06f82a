from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from backend.engine.budget import (
    MOST_OF_A_BUDGET,
    MOST_OF_A_CALL,
    Amount,
    Balance,
    Estimate,
    Exceeded,
    amount_of,
    estimate,
    kept,
)

TOKENS = st.integers(0, 2000)
MONEY = st.decimals(0, 3, places=8)
AMOUNTS = st.builds(Amount, TOKENS, MONEY)


class Spending(RuleBasedStateMachine):
    """A budget under any order of reserving, settling and giving back."""

    def __init__(self) -> None:
        super().__init__()
        self.balance = Balance(max_tokens=5000, max_cost=Decimal(5))
        self.open: list[Amount] = []
        self.used = Amount()
        #: By how much calls used more than what was reserved for them.
        self.over = Amount()

    @rule(amount=AMOUNTS)
    def reserve(self, amount: Amount) -> None:
        before = self.balance
        answer = before.reserve(amount)
        after = before.spent + before.reserved + amount
        if isinstance(answer, Exceeded):
            assert after.tokens > 5000 or after.cost > 5
            return
        self.balance = answer
        self.open.append(amount)
        assert after.tokens <= 5000
        assert after.cost <= 5

    @rule(used=AMOUNTS, data=st.data())
    def settle(self, used: Amount, data: st.DataObject) -> None:
        if not self.open:
            return
        reserved = self.open.pop(data.draw(st.integers(0, len(self.open) - 1)))
        self.balance = self.balance.settle(reserved=reserved, used=used)
        self.used += used
        self.over += Amount(
            max(0, used.tokens - reserved.tokens), max(Decimal(0), used.cost - reserved.cost)
        )

    @rule(data=st.data())
    def give_back(self, data: st.DataObject) -> None:
        if self.open:
            reserved = self.open.pop(data.draw(st.integers(0, len(self.open) - 1)))
            self.balance = self.balance.settle(reserved=reserved, used=Amount())

    @invariant()
    def what_is_spent_and_reserved_is_what_was(self) -> None:
        assert self.balance.spent == self.used
        assert self.balance.reserved == sum(self.open, Amount())

    @invariant()
    def a_budget_is_exceeded_by_no_more_than_calls_went_over_their_estimates(self) -> None:
        total = self.balance.spent + self.balance.reserved
        assert total.tokens <= 5000 + self.over.tokens
        assert total.cost <= 5 + self.over.cost


TestSpending = Spending.TestCase


def test_the_refusal_says_what_there_was_not_enough_of() -> None:
    balance = Balance(max_tokens=100, spent=Amount(60), reserved=Amount(30))

    assert balance.reserve(Amount(11)) == Exceeded("tokens", Decimal(100), Decimal(90), Decimal(11))
    assert balance.reserve(Amount(10)) == Balance(
        max_tokens=100, spent=Amount(60), reserved=Amount(40)
    )


def test_after_a_call_that_cost_more_than_reserved_the_next_is_refused() -> None:
    balance = Balance(max_cost=Decimal(1)).reserve(Amount(cost=Decimal("0.5")))
    assert isinstance(balance, Balance)

    settled = balance.settle(reserved=Amount(cost=Decimal("0.5")), used=Amount(cost=Decimal("1.2")))

    assert settled.spent.cost == Decimal("1.2")
    assert isinstance(settled.reserve(Amount(cost=Decimal("0.0000000001"))), Exceeded)


def test_a_budget_without_maxima_refuses_nothing_and_counts_all_the_same() -> None:
    balance = Balance().reserve(Amount(10**9, Decimal(10**6)))

    assert isinstance(balance, Balance)
    assert balance.reserved == Amount(10**9, Decimal(10**6))
    assert balance.may_start(7) == 7


@given(st.integers(0, 50), st.lists(st.integers(0, 20)))
def test_no_more_steps_start_than_the_budget_has(most: int, wishes: list[int]) -> None:
    balance = Balance(max_steps=most)
    for wish in wishes:
        balance = balance.start(balance.may_start(wish))

    assert balance.steps_started == min(most, sum(wishes))


def test_a_call_is_estimated_by_its_prompt_and_the_longest_answer() -> None:
    price = {"input": 3.0, "output": 15.0}

    assert estimate(prompt_chars=3001, max_tokens=500, price=price) == Estimate(
        1501, Decimal("0.010503")
    )


@pytest.mark.parametrize(("max_tokens", "tokens"), [(None, 4096 + 1), (0, 1), (-5, 1), (7, 8)])
def test_an_answer_that_nobody_bounds_is_taken_for_long(
    max_tokens: int | None, tokens: int
) -> None:
    assert estimate(prompt_chars=1, max_tokens=max_tokens, price=None) == Estimate(tokens, None)


def test_money_is_exact() -> None:
    total = sum((amount_of({"cost": 0.1}) for _ in range(10)), Amount())

    assert total.cost == 1


def test_what_is_smaller_than_can_be_kept_is_rounded_up() -> None:
    assert kept(Decimal("1e-12")) == Decimal("0.0000000001")
    assert estimate(prompt_chars=3, max_tokens=0, price={"input": 1e-7}).cost == Decimal(
        "0.0000000001"
    )


@pytest.mark.parametrize(
    ("usage", "amount"),
    [
        ({"input_tokens": 3, "output_tokens": 4, "cost": 0.25}, Amount(7, Decimal("0.25"))),
        ({"input_tokens": 3, "output_tokens": None, "cost": None}, Amount(3)),
        ({}, Amount()),
        ({"input_tokens": "many", "output_tokens": -5, "cost": "dear"}, Amount()),
        ({"input_tokens": 4, "cost": -1.0}, Amount(4)),
        ({"cost": float("nan")}, Amount()),
    ],
)
def test_what_a_step_reports_is_read_as_tokens_and_money(
    usage: dict[str, object], amount: Amount
) -> None:
    assert amount_of(usage) == amount


@pytest.mark.parametrize("number", [10**40, 1e300, float("inf")])
def test_what_no_server_can_mean_is_cut_to_what_can_be_counted(number: float) -> None:
    usage = {"input_tokens": 10**40, "output_tokens": 10**40, "cost": number}

    assert amount_of(usage) == Amount(*MOST_OF_A_CALL)
    guess = estimate(prompt_chars=9, max_tokens=10**40, price={"input": number, "output": number})
    assert guess == Estimate(*MOST_OF_A_CALL)


def test_a_budget_that_was_overspent_without_measure_can_still_be_kept() -> None:
    balance = Balance(spent=Amount(*MOST_OF_A_BUDGET))

    assert balance.settle(reserved=Amount(), used=Amount(5, Decimal(5))) == balance
