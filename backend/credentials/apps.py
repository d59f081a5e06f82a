"""The app's place in Django."""

from django.apps import AppConfig


class CredentialsConfig(AppConfig):
    name = "backend.credentials"
    label = "credentials"
    verbose_name = "Credentials"
