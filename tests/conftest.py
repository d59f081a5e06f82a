"""One private PostgreSQL and Redis per session, started by the first test that needs them."""

import atexit
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.live_endpoint import LiveEndpoint, live_endpoint
from tests.live_product import LiveProduct
from tests.services import TestServices

# Django reads its settings before any fixture runs; the addresses are known before the servers are.
_services = TestServices()
(_services.folder / "data").mkdir()
os.environ.update(_services.environment())
os.environ["DJANGO_SETTINGS_MODULE"] = "backend.config.settings"
atexit.register(_services.stop)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every integration test a Redis that no earlier test has written to."""
    folder = Path(__file__).parent / "integration"
    for item in items:
        if item.path.is_relative_to(folder):
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
def empty_redis(redis_server: TestServices) -> Iterator[redis.Redis]:
    """A client of the session's Redis, which is empty at the test's start."""
    with redis.Redis.from_url(redis_server.redis.url) as client:
        client.flushall()
        yield client


@pytest.fixture(scope="session")
def running_product(
    postgres_server: TestServices, redis_server: TestServices
) -> Iterator[LiveProduct]:
    """The product as real processes, shared by the session's tests; ask for `live_product`."""
    product = LiveProduct(services=postgres_server)
    try:
        product.set_up()
        product.start_all()
        yield product
    finally:
        product.stop()


@pytest.fixture
def live_product(running_product: LiveProduct) -> LiveProduct:
    """The running product, whole: what an earlier test stopped is started again."""
    for name in ("web", "io-1", "beat"):
        process = running_product.processes.get(name)
        if process is None or process.poll() is not None:
            running_product.start(name)
    for name in set(running_product.processes) - {"web", "io-1", "beat"}:
        running_product.kill(name)
    running_product.wait_until_ready()
    return running_product


@pytest.fixture(scope="session")
def running_endpoint() -> Iterator[LiveEndpoint]:
    """A mock model endpoint in a process of its own, shared; ask for `mock_endpoint`."""
    with live_endpoint() as endpoint:
        yield endpoint


@pytest.fixture
def mock_endpoint(running_endpoint: LiveEndpoint) -> LiveEndpoint:
    """A mock model endpoint that has seen nothing yet."""
    running_endpoint.reset()
    return running_endpoint


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Show what the product's processes said when a test of theirs fails."""
    report = yield
    product = getattr(item, "funcargs", {}).get("running_product")
    if report.failed and product:
        for name in product.processes:
            report.sections.append((f"the product's {name}", product.log_tail(name, lines=60)))
    return report
