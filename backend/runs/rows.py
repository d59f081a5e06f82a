"""Steps between their rows and a scheduling pass: read what is asked for, write what changed."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from backend.engine.advance import StepState
from backend.engine.state import FINAL_STEP, StepStatus
from backend.runs.sql import execute, query

COLUMNS = (
    "id, no, path, status, pending, taken, attempt, failures, losses, lease_id, ready_at, "
    "not_before, waiting_until, started_at, finished_at, ports, error, usage, reason, session_id, "
    "parked_at"
)
FINAL = sorted(status.value for status in FINAL_STEP)


class StepRows:
    """The steps of one run inside a transaction that holds the run's row."""

    def __init__(self, run_id: UUID) -> None:
        self._run_id = run_id
        self._by_no: dict[int, StepState] = {}

    def get(self, no: int) -> StepState:
        """The step with this number."""
        if no not in self._by_no:
            self.prefetch([no])
        return self._by_no[no]

    def prefetch(self, numbers: Iterable[int]) -> None:
        """Read these steps at once."""
        wanted = [no for no in numbers if no not in self._by_no]
        if wanted:
            self._read("no = ANY(%s)", [wanted])

    def open(self) -> list[StepState]:
        """Every step that is not final, by number."""
        self._read("status <> ALL(%s)", [FINAL])
        steps = sorted(self._by_no.values(), key=lambda step: step.no)
        return [step for step in steps if not step.status.is_final]

    def _read(self, condition: str, parameters: list[Any]) -> None:
        statement = f"SELECT {COLUMNS} FROM runs_step WHERE run_id = %s AND {condition}"  # noqa: S608
        for row in query(statement, [self._run_id, *parameters]):
            # What the pass has changed already is newer than the row.
            self._by_no.setdefault(row[1], _state(row))


def _state(row: tuple[Any, ...]) -> StepState:
    return StepState(
        id=str(row[0]),
        no=row[1],
        path=row[2],
        status=StepStatus(row[3]),
        pending=row[4],
        taken=row[5],
        attempt=row[6],
        failures=row[7],
        losses=row[8],
        lease_id=str(row[9]) if row[9] else None,
        ready_at=row[10],
        not_before=row[11],
        waiting_until=row[12],
        started_at=row[13],
        finished_at=row[14],
        ports=tuple(row[15]),
        error=row[16],
        usage=row[17],
        reason=row[18] or None,
        session_id=str(row[19]) if row[19] else None,
        parked_at=row[20],
    )


UPDATE = """
UPDATE runs_step s SET
    status = c.status, pending = c.pending, taken = c.taken, attempt = c.attempt,
    failures = c.failures, losses = c.losses, lease_id = c.lease_id, ready_at = c.ready_at,
    not_before = c.not_before, waiting_until = c.waiting_until, started_at = c.started_at,
    finished_at = c.finished_at, ports = c.ports, error = c.error, usage = c.usage,
    reason = c.reason, session_id = c.session_id, parked_at = c.parked_at
FROM json_to_recordset(%s::json) AS c(
    id uuid, status text, pending int, taken int, attempt int, failures int, losses int,
    lease_id uuid, ready_at timestamptz, not_before timestamptz, waiting_until timestamptz,
    started_at timestamptz, finished_at timestamptz, ports text[], error json, usage json,
    reason text, session_id uuid, parked_at timestamptz)
WHERE s.id = c.id
"""


def write(steps: Iterable[StepState]) -> None:
    """Store changed steps with one statement."""
    rows = [_row(step) for step in steps]
    if rows:
        execute(UPDATE, [json.dumps(rows, separators=(",", ":"))])


def _row(step: StepState) -> Mapping[str, Any]:
    return {
        "id": step.id,
        "status": step.status.value,
        "pending": step.pending,
        "taken": step.taken,
        "attempt": step.attempt,
        "failures": step.failures,
        "losses": step.losses,
        "lease_id": step.lease_id,
        "ready_at": _time(step.ready_at),
        "not_before": _time(step.not_before),
        "waiting_until": _time(step.waiting_until),
        "started_at": _time(step.started_at),
        "finished_at": _time(step.finished_at),
        "ports": list(step.ports),
        "error": step.error,
        "usage": step.usage,
        "reason": step.reason or "",
        "session_id": step.session_id,
        "parked_at": _time(step.parked_at),
    }


def _time(value: datetime | None) -> str | None:
    return value.isoformat() if value else None


def database_now() -> datetime:
    """The database's clock; no other clock decides about state."""
    now: datetime = query("SELECT clock_timestamp()")[0][0]
    return now
