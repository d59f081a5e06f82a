"""Listens to doorbells and stop signals over Redis, and goes on listening when Redis comes back."""

import asyncio
import json
import logging
from collections.abc import Callable
from uuid import UUID

import redis.asyncio as redis
from redis.exceptions import RedisError

from backend.runs.dispatch import STOP_CHANNEL, bell_channel

logger = logging.getLogger(__name__)

RECONNECT_S = 0.5


async def listen(
    client: "redis.Redis",
    *,
    lane: str,
    on_bell: Callable[[], None],
    on_stop: Callable[[list[str], list[UUID]], None],
) -> None:
    """Listen for ever. A new connection counts as a bell: one may have been missed."""
    while True:
        try:
            async with client.pubsub(ignore_subscribe_messages=True) as channel:
                await channel.subscribe(bell_channel(lane), STOP_CHANNEL)
                on_bell()
                async for message in channel.listen():
                    if message["channel"] == STOP_CHANNEL:
                        said = json.loads(message["data"])
                        on_stop(said["leases"], [UUID(run_id) for run_id in said["runs"]])
                    else:
                        on_bell()
        except (RedisError, OSError) as error:
            logger.warning("redis_unreachable", extra={"error": str(error)})
        await asyncio.sleep(RECONNECT_S)
