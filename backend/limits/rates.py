"""Token buckets in Redis: how many steps start in a time. All of it may be lost at any moment."""

import json
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger(__name__)

#: A claim holds locks while it asks: it must not be kept long by a Redis that does not answer.
TIMEOUT_S = 0.5
#: For so long nobody asks again.
AWAY_S = 1.0

# A bucket is its level at a moment. It refills continuously up to its rate; what is not there is
# full. A level may be negative: that is how long it stays shut. Takers are served in their order,
# and each takes a token of all of its buckets or of none.
SCRIPT = """
local clock = redis.call('TIME')
local now = clock[1] + clock[2] / 1000000
local asked = cjson.decode(ARGV[1])
local levels, changed = {}, {}
for i, name in ipairs(KEYS) do
    local rate, every = asked.buckets[i][1], asked.buckets[i][2]
    local kept = redis.call('HMGET', name, 'level', 'at')
    levels[i] = rate
    if kept[1] and kept[2] then
        local gone = math.max(0, now - tonumber(kept[2]))
        levels[i] = math.min(rate, tonumber(kept[1]) + gone / every)
    end
end
for _, shut in ipairs(asked.shut) do
    local i = shut[1]
    levels[i] = math.min(levels[i], 1 - shut[2] / asked.buckets[i][2])
    changed[i] = true
end
local waits = {}
for n, needed in ipairs(asked.takers) do
    local wait = 0
    for _, i in ipairs(needed) do
        if levels[i] < 0.999999 then
            wait = math.max(wait, (1 - levels[i]) * asked.buckets[i][2])
        end
    end
    if wait == 0 then
        for _, i in ipairs(needed) do
            levels[i] = levels[i] - 1
            changed[i] = true
        end
    end
    waits[n] = string.format('%.6f', wait)
end
local told = {}
for i, name in ipairs(KEYS) do
    local rate, every = asked.buckets[i][1], asked.buckets[i][2]
    if changed[i] then
        redis.call('HSET', name, 'level', string.format('%.9f', levels[i]),
            'at', string.format('%.6f', now))
        redis.call('PEXPIRE', name, math.ceil((rate - levels[i]) * every * 1000) + 1000)
    end
    told[i] = string.format('%.9f', levels[i])
end
return {told, waits}
"""


class RatesAway(Exception):
    """Redis does not answer: nobody can say how much of a rate is left."""


@dataclass(frozen=True)
class Bucket:
    """Lets `rate` starts through in `per_s` seconds; after a pause as many at once."""

    name: str
    rate: int
    per_s: float

    @property
    def every_s(self) -> float:
        """Seconds in which one token comes."""
        return self.per_s / self.rate


class Rates:
    """The process's way to the buckets."""

    def __init__(self) -> None:
        self._redis = redis.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=TIMEOUT_S,
            socket_connect_timeout=TIMEOUT_S,
            # Once, for a connection that went away unnoticed.
            retry=Retry(NoBackoff(), 1),
            decode_responses=True,
        )
        self._script = self._redis.register_script(SCRIPT)
        self._away_until = 0.0

    def levels(self, buckets: Sequence[Bucket]) -> list[float]:
        """Tell the tokens in each bucket.

        Raises:
            RatesAway: Redis does not answer.
        """
        levels, _ = self._ask(buckets)
        return levels

    def take(self, buckets: Sequence[Bucket], takers: Sequence[Sequence[int]]) -> list[float]:
        """Take one token of each of a taker's buckets, or of none of them.

        A taker names its buckets by their places. The answer has the seconds that each has to wait,
        0 for who got its tokens.

        Raises:
            RatesAway: Redis does not answer.
        """
        _, waits = self._ask(buckets, takers=takers)
        return waits

    def shut(self, buckets: Sequence[Bucket], seconds: float) -> None:
        """Let nothing through for a time, at the end of which there is one token.

        Raises:
            RatesAway: Redis does not answer.
        """
        self._ask(buckets, shut_s=seconds)

    def _ask(
        self,
        buckets: Sequence[Bucket],
        *,
        takers: Sequence[Sequence[int]] = (),
        shut_s: float | None = None,
    ) -> tuple[list[float], list[float]]:
        if time.monotonic() < self._away_until:
            raise RatesAway
        places = range(1, len(buckets) + 1)
        asked: dict[str, Any] = {
            "buckets": [[bucket.rate, bucket.every_s] for bucket in buckets],
            "takers": [[place + 1 for place in taker] for taker in takers],
            "shut": [] if shut_s is None else [[place, shut_s] for place in places],
        }
        try:
            levels, waits = self._script(
                keys=[bucket.name for bucket in buckets], args=[json.dumps(asked)]
            )
        except (redis.RedisError, OSError) as error:
            self._away_until = time.monotonic() + AWAY_S
            logger.warning("redis_unreachable", extra={"error": str(error)})
            raise RatesAway from error
        return [float(level) for level in levels], [float(wait) for wait in waits]


@cache
def rates() -> Rates:
    """The process's buckets."""
    return Rates()
