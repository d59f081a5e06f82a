"""What the clock process loads: Django and the schedule, and nothing of what runs steps."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
# Celery would run Django's checks, and they load all that the web process serves.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
django.setup()

from backend.config.celery import app  # noqa: E402 - Django first
from workers import beat  # noqa: E402, F401 - fills the schedule

__all__ = ["app"]
