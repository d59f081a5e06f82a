"""What is said over Redis after a commit: doorbells, hints, stop signals. All may be lost."""

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from uuid import UUID

import redis
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

#: The Celery task that wakes a lane's workers. It never names a step.
WORK_TASK = "heddle.work"
SWEEP_TASK = "heddle.sweep"

HINT_CHANNEL = "heddle:hint"
STOP_CHANNEL = "heddle:stop"
BELL_COALESCE_MS = 500
DELTA_MAX_ENTRIES = 10_000
DELTA_TTL_S = 3600


def bell_channel(lane: str) -> str:
    """Where a lane's doorbell rings."""
    return f"heddle:bell:{lane}"


def delta_stream(run_id: UUID | str) -> str:
    """The Redis stream that carries a run's tokens."""
    return f"heddle:deltas:{run_id}"


@dataclass(frozen=True)
class Hint:
    """A run has got as far as `seq`; readers then look into the table."""

    run_id: UUID
    workspace_id: UUID
    workflow_id: UUID
    seq: int
    status: str

    def to_json(self) -> str:
        """The message on the hint channel."""
        return json.dumps(
            {
                "run": str(self.run_id),
                "workspace": str(self.workspace_id),
                "workflow": str(self.workflow_id),
                "seq": self.seq,
                "status": self.status,
            }
        )


@cache
def client() -> "redis.Redis":
    """The process's Redis connection pool, for plain commands."""
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=5,
        socket_connect_timeout=2,
        health_check_interval=10,
        decode_responses=True,
    )


def announce(
    *,
    lanes: Iterable[str] = (),
    hints: Sequence[Hint] = (),
    stopped: Sequence[UUID | str] = (),
    ended: Sequence[UUID | str] = (),
) -> None:
    """Ring the lanes, hint at runs, stop leases and what is left of runs, in one round trip.

    Called after the commit and never raises: the table is the truth, pollers and the sweeper find
    what was not announced.
    """
    lanes = sorted(set(lanes))
    if not lanes and not hints and not stopped and not ended:
        return
    try:
        pipeline = client().pipeline(transaction=False)
        for lane in lanes:
            pipeline.publish(bell_channel(lane), "")
        for hint in hints:
            pipeline.publish(HINT_CHANNEL, hint.to_json())
        if stopped or ended:
            message = {"leases": [str(i) for i in stopped], "runs": [str(i) for i in ended]}
            pipeline.publish(STOP_CHANNEL, json.dumps(message))
        heard = pipeline.execute()[: len(lanes)]
        for lane, listeners in zip(lanes, heard, strict=True):
            if not listeners:
                _send_work(lane)
    except (redis.RedisError, OperationalError, OSError) as error:
        logger.warning("redis_unreachable", extra={"error": str(error)})


def _send_work(lane: str) -> None:
    # No loop is known to listen: a message waits in the queue for the next worker. One is enough.
    if client().set(f"heddle:bell-sent:{lane}", "1", nx=True, px=BELL_COALESCE_MS):
        current_app.send_task(WORK_TASK, kwargs={"lane": lane}, queue=lane, ignore_result=True)
