"""What a worker process loads: Django, then the tasks and the loop that hosts the steps."""

import os
import warnings

import django
from celery.exceptions import SecurityWarning

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
# Celery would run Django's checks, and they load all that the web process serves.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
django.setup()
# Celery warns of pickled messages run by root; only JSON is accepted here.
warnings.filterwarnings("ignore", category=SecurityWarning)

from backend.config.celery import app  # noqa: E402 - Django first
from backend.providers import structured  # noqa: E402, F401 - slow to import: before the first step
from workers import beat, lifecycle, tasks  # noqa: E402, F401 - registers tasks, signals, schedule

__all__ = ["app"]
