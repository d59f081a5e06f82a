"""The rows and logs of some runs as they are in one moment."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

import django
import psycopg
from django.apps import apps

from tests.faults.graph import Graph

FINAL_RUN = frozenset({"succeeded", "failed", "cancelled"})
FINAL_STEP = frozenset({"succeeded", "failed", "skipped", "cancelled"})


@dataclass(frozen=True)
class RunRow:
    """A run."""

    id: str
    status: str
    event_seq: int
    open_steps: int
    error: Mapping[str, Any] | None

    @property
    def is_final(self) -> bool:
        return self.status in FINAL_RUN


@dataclass(frozen=True)
class StepRow:
    """A step."""

    run_id: str
    path: str
    status: str
    pending: int
    attempt: int
    failures: int
    losses: int

    @property
    def is_final(self) -> bool:
        return self.status in FINAL_STEP

    def __str__(self) -> str:
        return f"{self.path} of {self.run_id}"


@dataclass(frozen=True)
class EventRow:
    """An entry of a run's log."""

    run_id: str
    seq: int
    type: str
    path: str
    attempt: int | None
    at: datetime
    #: The beginning of what a step gave.
    preview: str | None


@dataclass(frozen=True)
class Snapshot:
    """Runs with their steps and logs; `graphs` says what each run's document asked for."""

    runs: Mapping[str, RunRow]
    steps: Mapping[str, Mapping[str, StepRow]]
    events: Mapping[str, list[EventRow]]
    graphs: Mapping[str, Graph] = field(default_factory=dict)

    def step_events(self, run_id: str) -> dict[str, list[EventRow]]:
        """A run's log by the path of the step that it tells of."""
        found: dict[str, list[EventRow]] = defaultdict(list)
        for event in self.events.get(run_id, ()):
            if event.path:
                found[event.path].append(event)
        return found


RUNS = "SELECT id, status, event_seq, open_steps, error FROM runs_run WHERE id = ANY(%s)"
STEPS = """
SELECT run_id, path, status, pending, attempt, failures, losses
FROM runs_step WHERE run_id = ANY(%s)
"""
EVENTS = """
SELECT run_id, seq, type, path, attempt, at, data ->> 'preview'
FROM {table} WHERE run_id = ANY(%s) ORDER BY run_id, seq
"""


def take(
    connection: "psycopg.Connection[tuple[Any, ...]]",
    ids: Collection[str],
    graphs: Mapping[str, Graph],
) -> Snapshot:
    """Read everything about some runs in one moment."""
    wanted = [list(ids)]
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        runs = connection.execute(RUNS, wanted).fetchall()
        steps = connection.execute(STEPS, wanted).fetchall()
        events = connection.execute(EVENTS.format(table=events_table()).encode(), wanted).fetchall()
    return Snapshot(
        runs={str(row[0]): RunRow(str(row[0]), *row[1:]) for row in runs},
        steps=_by_run(steps),
        events=_logs(events),
        graphs=graphs,
    )


@cache
def events_table() -> str:
    """The table or view of the runs' logs."""
    django.setup()
    return str(apps.get_model("runs", "RunEvent")._meta.db_table)


def _by_run(rows: list[tuple[Any, ...]]) -> dict[str, dict[str, StepRow]]:
    found: dict[str, dict[str, StepRow]] = defaultdict(dict)
    for run_id, *values in rows:
        step = StepRow(str(run_id), *values)
        found[step.run_id][step.path] = step
    return found


def _logs(rows: list[tuple[Any, ...]]) -> dict[str, list[EventRow]]:
    found: dict[str, list[EventRow]] = defaultdict(list)
    for run_id, seq, type_, path, *rest in rows:
        found[str(run_id)].append(EventRow(str(run_id), seq, type_, path or "", *rest))
    return found
