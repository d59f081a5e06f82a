"""The outputs of a run's steps, read in sets and written in sets."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import connection

from backend.runs import results
from backend.runs.results import Encoded

READ = """
SELECT s.no, o.value, o.digest FROM runs_step s JOIN runs_stepoutput o ON o.step_id = s.id
WHERE s.run_id = %s AND s.no = ANY(%s)
"""
WRITE = """
INSERT INTO runs_stepoutput (step_id, value, digest, size, preview)
SELECT step_id, value, digest, size, preview
FROM json_to_recordset(%s::json) AS o(step_id uuid, value json, digest text, size bigint, preview text)
ON CONFLICT (step_id) DO UPDATE SET
    value = excluded.value, digest = excluded.digest, size = excluded.size, preview = excluded.preview
"""


class Outputs:
    """What the steps of one run gave, by number; each is read at most once."""

    def __init__(
        self, *, run_id: UUID, workspace_id: UUID, unsaved: Mapping[int, Any] | None = None
    ) -> None:
        self._run_id = run_id
        self._workspace_id = workspace_id
        #: Outputs of the transaction that is under way; they are newer than the table.
        self._unsaved = unsaved if unsaved is not None else {}
        self._known: dict[int, Any] = {}

    def of(self, numbers: Iterable[int]) -> dict[int, Any]:
        """Outputs of these steps; None for a step that gave nothing, as a skipped one."""
        numbers = list(numbers)
        missing = [no for no in numbers if no not in self._unsaved and no not in self._known]
        if missing:
            self._read(missing)
        return {no: self._unsaved[no] if no in self._unsaved else self._known[no] for no in numbers}

    def _read(self, numbers: Sequence[int]) -> None:
        self._known.update(dict.fromkeys(numbers))
        with connection.cursor() as cursor:
            cursor.execute(READ, [self._run_id, list(numbers)])
            for no, value, digest in cursor.fetchall():
                self._known[no] = read_value(self._workspace_id, value, digest)


def read_value(workspace_id: UUID, value: Any, digest: str) -> Any:
    """The value of a stored output, from its row or from the result store."""
    if digest:
        return results.load(workspace_id, digest)
    return value


def write(workspace_id: UUID, outputs: Mapping[str, Encoded]) -> None:
    """Store outputs by step id. Large ones go to the result store first: a row never points nowhere."""
    if not outputs:
        return
    for encoded in outputs.values():
        if encoded.digest:
            results.keep(workspace_id, encoded)
    rows = ",".join(_row(step_id, encoded) for step_id, encoded in outputs.items())
    with connection.cursor() as cursor:
        cursor.execute(WRITE, [f"[{rows}]"])


def _row(step_id: str, encoded: Encoded) -> str:
    # The value is JSON text already; writing it as part of the array spares encoding it twice.
    value = "null" if encoded.digest else encoded.text
    rest = json.dumps(
        {
            "step_id": step_id,
            "digest": encoded.digest,
            "size": encoded.size,
            "preview": encoded.preview,
        }
    )
    return f'{rest[:-1]},"value":{value}}}'
