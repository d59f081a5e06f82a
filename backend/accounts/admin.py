from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.http import HttpRequest

from backend.accounts.models import ApiKey, User
from backend.workspaces.services import open_workspace


class PersonCreationForm(AdminUserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ["email", "name"]


class PersonChangeForm(UserChangeForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ["email", "name", "password", "is_active", "is_staff", "is_superuser"]


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]
    form = PersonChangeForm
    add_form = PersonCreationForm
    list_display = ["email", "name", "is_active", "is_superuser", "last_login"]
    list_filter = ["is_active", "is_superuser"]
    search_fields = ["email", "name"]
    ordering = ["email"]
    filter_horizontal = []
    readonly_fields = ["last_login", "created_at"]
    fieldsets = [
        (None, {"fields": ["email", "name", "password"]}),
        ("Rights", {"fields": ["is_active", "is_staff", "is_superuser"]}),
        ("Dates", {"fields": ["last_login", "created_at"]}),
    ]
    add_fieldsets = [
        (None, {"fields": ["email", "name", "usable_password", "password1", "password2"]})
    ]

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:  # noqa: FBT001 - Django passes it by position
        # Addresses are kept in lower case, so that each is found however it is typed.
        obj.email = obj.email.lower()
        super().save_model(request, obj, form, change)
        if not change:
            open_workspace(user_id=obj.id, name=f"{obj.display_name}’s workspace")


@admin.register(ApiKey)
class ApiKeyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "prefix", "workspace", "created_by", "expires_at", "last_used_at"]
    search_fields = ["name", "prefix"]
    readonly_fields = [
        "workspace",
        "name",
        "prefix",
        "scopes",
        "created_by",
        "created_at",
        "expires_at",
        "last_used_at",
    ]
    exclude = ["digest"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
