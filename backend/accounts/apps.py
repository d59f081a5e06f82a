"""The app's place in Django."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "backend.accounts"
    label = "accounts"
    verbose_name = "Accounts"

    def ready(self) -> None:
        """Register what describes the ways in."""
        from backend.accounts import schema  # noqa: F401, PLC0415
