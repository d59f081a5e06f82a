"""What django-allauth asks of this installation."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts are made by administrators, never by strangers."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse sign-up."""
        return False
