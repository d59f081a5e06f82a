"""The app's place in Django."""

from django.apps import AppConfig


class WorkspacesConfig(AppConfig):
    name = "backend.workspaces"
    label = "workspaces"
    verbose_name = "Workspaces"
