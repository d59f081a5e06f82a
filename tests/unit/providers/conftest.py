from collections.abc import AsyncIterator

import pytest

from backend.providers.egress import close_clients
from tests.mock_endpoint import MockEndpoint, running


@pytest.fixture(autouse=True)
async def clients_closed_at_the_end() -> AsyncIterator[None]:
    yield
    await close_clients()


@pytest.fixture
async def server() -> AsyncIterator[MockEndpoint]:
    async with running() as endpoint:
        yield endpoint
        await close_clients()
