"""A worker process's life: the loop starts when Celery is ready, and drains before it goes."""

import gc
import logging
from typing import Any

from celery.signals import worker_ready, worker_shutdown, worker_shutting_down
from django.conf import settings

from workers.host import Host
from workers.lanes import lane_of, slots_of

logger = logging.getLogger(__name__)

_hosts: list[Host] = []


def host() -> Host | None:
    """The process's loop, if it runs."""
    return _hosts[0] if _hosts else None


@worker_ready.connect
def start_host(sender: Any, **_: Any) -> None:
    """Start the loop for the lane whose queue this worker consumes."""
    lane = lane_of(sender.app.amqp.queues.consume_from)
    slots = slots_of(lane, io_slots=settings.HEDDLE_IO_SLOTS)
    started = Host(lane=lane, slots=slots)
    started.start()
    _hosts.append(started)
    _spare_the_collector()
    logger.info("worker_ready", extra={"lane": lane, "slots": slots})


def _spare_the_collector() -> None:
    """Look for garbage less often: steps make many small objects, and hardly ever cycles of them.

    What was imported stays for good, and is not looked through again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@worker_shutting_down.connect
def stop_host(**_: Any) -> None:
    """Stop pulling at once. Celery's own warm shutdown goes on beside it."""
    if _hosts:
        _hosts[0].begin_stop()


@worker_shutdown.connect
def wait_for_host(**_: Any) -> None:
    """Let running steps end for a while before the process goes."""
    if _hosts:
        _hosts[0].stop()
