"""The app's place in Django."""

from django.apps import AppConfig


class RunsConfig(AppConfig):
    name = "backend.runs"
    label = "runs"
    verbose_name = "Runs"
