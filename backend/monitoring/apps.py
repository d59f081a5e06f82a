"""The app's place in Django."""

from django.apps import AppConfig


class MonitoringConfig(AppConfig):
    name = "backend.monitoring"
    label = "monitoring"
    verbose_name = "Monitoring"
