from collections.abc import Iterator

import pytest

from backend.api.sql import execute
from backend.limits import rates
from tests.integration.limits.work import Work
from tests.integration.people import Person


@pytest.fixture(autouse=True)
def fresh_rates() -> Iterator[None]:
    """Forget that Redis was away in another test."""
    rates.rates.cache_clear()
    yield
    rates.rates.cache_clear()


@pytest.fixture
def work(alice: Person) -> Work:
    execute("ALTER TABLE runs_step ADD COLUMN IF NOT EXISTS limits varchar[]")
    return Work(alice)
