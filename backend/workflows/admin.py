from django.contrib import admin
from django.http import HttpRequest

from backend.workflows.models import Workflow


@admin.register(Workflow)
class WorkflowAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """To look at only: documents are checked and numbered by the API."""

    list_display = ["name", "workspace", "revision", "latest_version", "updated_at", "deleted_at"]
    list_filter = ["workspace"]
    search_fields = ["name"]
    exclude = ["document", "issues"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Workflow | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Workflow | None = None) -> bool:
        return False
