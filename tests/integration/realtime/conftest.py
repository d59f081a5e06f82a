"""Async tests reach the database from threads; what those hold is given back after each test."""

from collections.abc import AsyncIterator

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from backend.runs.tailer import stop_tailer


@pytest.fixture(autouse=True)
async def nothing_stays_open() -> AsyncIterator[None]:
    yield
    await stop_tailer()
    await sync_to_async(connections.close_all)()
