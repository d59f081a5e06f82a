"""The app's place in Django."""

from django.apps import AppConfig


class LimitsConfig(AppConfig):
    name = "backend.limits"
    label = "limits"
    verbose_name = "Limits"
