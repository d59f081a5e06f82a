"""What a worker process loads: Django, then the tasks and the loop that hosts the steps."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
django.setup()

from backend.config.celery import app  # noqa: E402 - Django first
from workers import beat, lifecycle, tasks  # noqa: E402, F401 - registers tasks, signals, schedule

__all__ = ["app"]
