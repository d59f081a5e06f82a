from django.contrib import admin
from django.http import HttpRequest

from backend.credentials.models import Credential


@admin.register(Credential)
class CredentialAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """To look at and revoke: secrets are sealed by the API and shown nowhere."""

    list_display = ["name", "kind", "workspace", "base_url", "allow_private", "last_used_at"]
    list_filter = ["kind", "allow_private"]
    search_fields = ["name", "base_url"]
    exclude = ["sealed", "secret_hint"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Credential | None = None) -> bool:
        return False
