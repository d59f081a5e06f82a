"""The Celery tasks: wake-ups and the clock's sweep. A message never names a step."""

import logging

from celery import shared_task

from backend.runs.dispatch import SWEEP_TASK, WORK_TASK
from backend.runs.services.sweep import sweep as sweep_once
from workers import lifecycle

logger = logging.getLogger(__name__)


@shared_task(name=WORK_TASK)
def work(*, lane: str, **_: object) -> None:
    """Wake this process's loop: its lane has work."""
    host = lifecycle.host()
    if host is not None and host.lane == lane:
        host.ring()


@shared_task(name=SWEEP_TASK)
def sweep(**_: object) -> None:
    """Do once what nobody else will finish."""
    host = lifecycle.host()
    swept = sweep_once(resolve=host.evaluator.evaluate_batch if host else None)
    if swept.dead_sessions or swept.recovered or swept.overdue or swept.unstuck:
        logger.warning("swept", extra=vars(swept))
