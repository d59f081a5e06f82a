"""What workspaces limit."""

from django.contrib import admin

from backend.limits.models import Limit


@admin.register(Limit)
class LimitAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["target", "key", "workspace", "max_running", "rate", "per_s"]
    list_filter = ["target"]
    search_fields = ["key"]
    readonly_fields = ["workspace", "target", "key", "credential", "workflow"]

    def has_add_permission(self, request: object) -> bool:
        return False
