"""One private PostgreSQL and Redis per session, started by the first test that needs them."""

import atexit
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.services import TestServices

_FOLDERS_WITH_SERVICES = ("integration", "acceptance", "e2e")

# Django reads its settings before any fixture runs; the addresses are known before the servers are.
_services = TestServices()
(_services.folder / "data").mkdir()
os.environ.update(_services.environment())
os.environ["DJANGO_SETTINGS_MODULE"] = "backend.config.settings"
atexit.register(_services.stop)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test outside unit/ a Redis that no earlier test has written to."""
    tests = Path(__file__).parent
    for item in items:
        if item.path.relative_to(tests).parts[0] in _FOLDERS_WITH_SERVICES:
            item.add_marker(pytest.mark.usefixtures("empty_redis"))


@pytest.fixture(scope="session")
def services() -> Iterator[TestServices]:
    """The session's servers; ask for `postgres_server` or `redis_server` to have them running."""
    yield _services
    _services.stop()


@pytest.fixture(scope="session")
def postgres_server(services: TestServices) -> TestServices:
    """A running private PostgreSQL."""
    services.start_postgres()
    return services


@pytest.fixture(scope="session")
def redis_server(services: TestServices) -> TestServices:
    """A running private Redis."""
    services.start_redis()
    return services


@pytest.fixture(scope="session")
def django_db_modify_db_settings(postgres_server: TestServices) -> None:
    """Have the database server running before pytest-django makes the test database."""


@pytest.fixture
def empty_redis(redis_server: TestServices) -> Iterator["redis.Redis[bytes]"]:
    """A client of the session's Redis, which is empty at the test's start."""
    with redis.Redis.from_url(redis_server.redis.url) as client:
        client.flushall()
        yield client
