"""What a run may spend: an estimate is reserved before a call, the real usage settled after it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_UP, Decimal
from typing import Any

#: A token of English text has about four characters; three rather reserves too much.
CHARS_PER_TOKEN = 3
#: Tokens of an answer whose length nobody bounded.
DEFAULT_ANSWER_TOKENS = 4096
#: Prices are for so many tokens.
PRICED_TOKENS = 1_000_000
#: The smallest amount of money that is kept.
SMALLEST_COST = Decimal("0.0000000001")
#: What one call, and what one budget, can count at most: servers report what they like.
MOST_OF_A_CALL = (10**12, Decimal(10**9))
MOST_OF_A_BUDGET = (10**18, Decimal(10**13))


@dataclass(frozen=True)
class Amount:
    """Tokens and money."""

    tokens: int = 0
    cost: Decimal = Decimal(0)

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.tokens + other.tokens, self.cost + other.cost)

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(self.tokens - other.tokens, self.cost - other.cost)

    def at_most(self, tokens: int, cost: Decimal) -> "Amount":
        """The amount, or as much of it as can be counted."""
        return Amount(min(self.tokens, tokens), min(self.cost, cost))


@dataclass(frozen=True)
class Estimate:
    """What a call may use; `cost` is none where the model has no price."""

    tokens: int
    cost: Decimal | None


@dataclass(frozen=True)
class Exceeded:
    """What there was not enough of."""

    #: tokens, cost or steps.
    what: str
    limit: Decimal
    #: What is spent and reserved already.
    used: Decimal
    wanted: Decimal


@dataclass(frozen=True, kw_only=True)
class Balance:
    """Where a budget stands. A maximum that is none has no bound."""

    max_tokens: int | None = None
    max_cost: Decimal | None = None
    max_steps: int | None = None
    spent: Amount = Amount()
    reserved: Amount = Amount()
    steps_started: int = 0

    def reserve(self, amount: Amount) -> "Balance | Exceeded":
        """Put an amount aside, unless spent and reserved would go over the budget."""
        after = self.spent + self.reserved + amount
        if self.max_tokens is not None and after.tokens > self.max_tokens:
            used = after.tokens - amount.tokens
            return _exceeded("tokens", self.max_tokens, used, amount.tokens)
        if self.max_cost is not None and after.cost > self.max_cost:
            return _exceeded("cost", self.max_cost, after.cost - amount.cost, amount.cost)
        return replace(self, reserved=self.reserved + amount)

    def settle(self, *, reserved: Amount, used: Amount) -> "Balance":
        """Put what was really used in the place of what was reserved for it, be it more or less."""
        spent = (self.spent + used).at_most(*MOST_OF_A_BUDGET)
        return replace(self, reserved=self.reserved - reserved, spent=spent)

    def may_start(self, steps: int) -> int:
        """Tell how many of so many steps may start."""
        if self.max_steps is None:
            return steps
        return min(steps, max(0, self.max_steps - self.steps_started))

    def start(self, steps: int) -> "Balance":
        """Count steps that start."""
        return replace(self, steps_started=self.steps_started + steps)


def _exceeded(
    what: str, limit: Decimal | int, used: Decimal | int, wanted: Decimal | int
) -> Exceeded:
    return Exceeded(what, Decimal(limit), Decimal(used), Decimal(wanted))


def estimate(
    *, prompt_chars: int, max_tokens: int | None, price: Mapping[str, float] | None
) -> Estimate:
    """Estimate a model call before it is made.

    `price` is the model's entry in the credential's table: money for a million tokens, `input` and
    `output` apart.
    """
    asked = -(-prompt_chars // CHARS_PER_TOKEN)
    answered = DEFAULT_ANSWER_TOKENS if max_tokens is None else max(0, max_tokens)
    answered = min(answered, MOST_OF_A_CALL[0] - asked)
    if price is None:
        return Estimate(asked + answered, None)
    money = asked * _money(price.get("input", 0)) + answered * _money(price.get("output", 0))
    return Estimate(asked + answered, kept(money / PRICED_TOKENS))


def amount_of(usage: Mapping[str, Any]) -> Amount:
    """Read what a step reports that it has used."""
    tokens = _whole(usage.get("input_tokens")) + _whole(usage.get("output_tokens"))
    return Amount(min(tokens, MOST_OF_A_CALL[0]), kept(_money(usage.get("cost"))))


def kept(money: Decimal) -> Decimal:
    """Round money up to what is kept: a thousand roundings down would be spent unseen."""
    return min(money, MOST_OF_A_CALL[1]).quantize(SMALLEST_COST, rounding=ROUND_UP)


def _whole(number: Any) -> int:
    return max(0, number) if isinstance(number, int) else 0


def _money(number: Any) -> Decimal:
    if not isinstance(number, int | float | Decimal) or not number > 0:
        return Decimal(0)
    # By way of its text: the number that the author typed, not the nearest binary fraction.
    return min(Decimal(str(number)), MOST_OF_A_CALL[1])
