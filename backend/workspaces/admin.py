from django.contrib import admin

from backend.workspaces.models import Member, Workspace


class MemberInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Member
    extra = 0
    autocomplete_fields = ["user"]


@admin.register(Workspace)
class WorkspaceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "id", "created_at"]
    search_fields = ["name"]
    readonly_fields = ["created_at"]
    inlines = [MemberInline]
