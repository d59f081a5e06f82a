"""The latest runs of workflows in one statement; by relation, for runs lie a layer above."""

import statistics
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef, QuerySet
from django.db.models.functions import Extract, JSONObject

from backend.workflows.models import Workflow

RECENT = 16


@dataclass(frozen=True)
class History:
    """What a list shows of a workflow's runs, the oldest first."""

    recent_runs: list[dict[str, Any]]

    @property
    def last_run(self) -> dict[str, Any] | None:
        """The latest run."""
        return self.recent_runs[-1] if self.recent_runs else None

    @property
    def median_s(self) -> float | None:
        """How long a run that succeeds takes."""
        walls = [run["wall_s"] for run in self.recent_runs if run["status"] == "succeeded"]
        return statistics.median(walls) if walls else None


def with_recent_runs(workflows: QuerySet[Workflow]) -> QuerySet[Workflow]:
    """Add each workflow's latest runs, found by the index of its runs."""
    run_model: Any = Workflow._meta.get_field("runs").related_model  # noqa: SLF001
    latest = (
        run_model.objects.filter(workflow=OuterRef("pk"))
        .order_by("-created_at", "-id")
        .values(
            shown=JSONObject(
                id="id",
                status="status",
                created_at="created_at",
                finished_at="finished_at",
                wall_s=Extract(F("finished_at") - F("started_at"), "epoch"),
            )
        )
    )
    return workflows.annotate(recent_runs=ArraySubquery(latest[:RECENT]))


def history_of(workflow: Workflow) -> History:
    """Read what `with_recent_runs` added."""
    rows = list(reversed(getattr(workflow, "recent_runs", [])))
    return History([_read(row) for row in rows])


def _read(row: dict[str, Any]) -> dict[str, Any]:
    moments = {
        name: row[name] and datetime.fromisoformat(row[name])
        for name in ("created_at", "finished_at")
    }
    return {**row, **moments}
