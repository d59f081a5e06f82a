"""The app's place in Django."""

from django.apps import AppConfig


class RealtimeConfig(AppConfig):
    name = "backend.realtime"
    label = "realtime"
    verbose_name = "Realtime"
