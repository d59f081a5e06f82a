"""The app's place in Django."""

from django.apps import AppConfig


class WorkflowsConfig(AppConfig):
    name = "backend.workflows"
    label = "workflows"
    verbose_name = "Workflows"
