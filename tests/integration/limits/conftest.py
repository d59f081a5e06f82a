from collections.abc import Iterator

import pytest

from backend.limits.rates import rates
from tests.integration.limits.work import Work
from tests.integration.people import Person


@pytest.fixture(autouse=True)
def fresh_rates() -> Iterator[None]:
    """Forget that Redis was away in another test."""
    rates.cache_clear()
    yield
    rates.cache_clear()


@pytest.fixture
def work(alice: Person) -> Work:
    return Work(alice)
