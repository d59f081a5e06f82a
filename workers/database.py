"""The worker's threads for PostgreSQL: transitions are synchronous, and the loop never waits."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, connection

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

RETRY_INITIAL_S = 0.05
RETRY_MAX_S = 2.0


class Database:
    """A few threads, each with a connection of its own."""

    def __init__(self, *, threads: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=f"db-{name}")

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function that talks to the database; a broken connection is dropped with it.

        Raises:
            OperationalError: The database is away or refused; what was asked may have happened.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: _call(function, args, kwargs))

    async def insist(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function again and again until the database answers. It must be repeatable."""
        delay = RETRY_INITIAL_S
        while True:
            try:
                return await self.run(function, *args, **kwargs)
            except (OperationalError, InterfaceError) as error:
                logger.warning("database_unreachable", extra={"error": str(error).strip()})
                await asyncio.sleep(delay)
                delay = min(delay * 2, RETRY_MAX_S)

    def close(self) -> None:
        """End the threads when they are idle."""
        self._threads.shutdown(wait=True, cancel_futures=True)


def _call(function: Callable[..., T], args: tuple[object, ...], kwargs: dict[str, object]) -> T:
    try:
        return function(*args, **kwargs)
    except (OperationalError, InterfaceError):
        connection.close()
        raise
