from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from backend.runs.models import LaneQueue, Run, Step, WorkerSession


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Run state is written by transitions alone."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ["id", "workflow", "status", "trigger", "created_at", "finished_at"]
    list_filter = ["status", "trigger"]
    list_select_related = ["workflow"]
    search_fields = ["=id", "workflow__name"]


@admin.register(Step)
class StepAdmin(ReadOnlyAdmin):
    list_display = ["id", "run", "path", "kind", "status", "attempt", "started_at", "finished_at"]
    list_filter = ["status", "kind", "lane"]
    search_fields = ["=id", "=run__id", "path"]


@admin.register(WorkerSession)
class WorkerSessionAdmin(ReadOnlyAdmin):
    list_display = ["id", "host", "pid", "lane", "slots", "in_use", "state", "heartbeat_at"]
    list_filter = ["state", "lane"]


@admin.register(LaneQueue)
class LaneQueueAdmin(ReadOnlyAdmin):
    list_display = ["workspace", "lane", "vtime", "weight"]
    list_filter = ["lane"]
