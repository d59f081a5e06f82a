from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from backend.api.sql import execute
from backend.limits.rates import rates
from tests.integration.limits.work import Work
from tests.integration.people import Person


@pytest.fixture(autouse=True)
def fresh_rates() -> Iterator[None]:
    """Forget that Redis was away in another test."""
    rates.cache_clear()
    yield
    rates.cache_clear()


@pytest.fixture(scope="session", autouse=True)
def limits_column(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    with django_db_blocker.unblock():
        execute("ALTER TABLE runs_step ADD COLUMN IF NOT EXISTS limits varchar[]")


@pytest.fixture
def work(alice: Person) -> Work:
    return Work(alice)
