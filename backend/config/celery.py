"""The Celery app: wake-ups only, no results; tasks are registered by the workers package."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")

app = Celery("heddle")
app.config_from_object("django.conf:settings", namespace="CELERY")
