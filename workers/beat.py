"""What the clock process sends, and how often."""

from django.conf import settings

from backend.config.celery import app
from backend.runs.dispatch import SWEEP_TASK

app.conf.beat_schedule = {
    "sweep": {
        "task": SWEEP_TASK,
        "schedule": settings.HEDDLE_SWEEP_S,
        # A sweep that waited longer than the next one is of no use.
        "options": {"queue": "io", "expires": max(1, int(settings.HEDDLE_SWEEP_S * 2))},
    },
}
app.conf.beat_max_loop_interval = max(1, int(settings.HEDDLE_SWEEP_S))
