"""Connections that are kept for the next call, if they still can serve one."""

import select
from typing import Any
from weakref import WeakSet

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection


class LiveConnector(aiohttp.TCPConnector):
    """Hands out no kept connection that the server has closed meanwhile.

    The loop may not have come round to notice; a call over such a connection would fail, and
    calls are not sent twice.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._used: WeakSet[ResponseHandler] = WeakSet()

    async def connect(self, *args: Any, **kwargs: Any) -> Connection:
        """Take a kept connection, or open one."""
        while True:
            connection = await super().connect(*args, **kwargs)
            protocol = connection.protocol
            if protocol not in self._used:
                if protocol is not None:
                    self._used.add(protocol)
                return connection
            if not _has_something_to_read(connection):
                return connection
            connection.close()


def _has_something_to_read(connection: Connection) -> bool:
    """Tell whether there is an end, or words that nobody asked for, on an idle connection."""
    if connection.transport is None:
        return True
    poll = select.poll()
    poll.register(connection.transport.get_extra_info("socket").fileno(), select.POLLIN)
    return bool(poll.poll(0))


def why_not_connected(error: aiohttp.ClientConnectorError) -> str:
    """Say in a few words why no connection came about."""
    cause = error.__cause__
    return (cause.strerror if isinstance(cause, OSError) else "") or str(cause or error)
