"""The composition root: settings, URLs, servers' entry points. Only it knows every app."""

# Without this import a process that sends a task would do so to Celery's default broker.
from backend.config.celery import app as celery_app

__all__ = ["celery_app"]
