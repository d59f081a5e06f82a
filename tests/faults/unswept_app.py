"""A worker that never sweeps; for the negative control."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
django.setup()

from backend.runs.services import sweep as sweeping  # noqa: E402 - Django first

# Replaced before the worker's own modules import it by name.
sweeping.sweep = lambda **_: sweeping.Swept()

from workers.app import app  # noqa: E402 - after the replacement

__all__ = ["app"]
