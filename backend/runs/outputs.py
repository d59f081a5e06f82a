"""The outputs of a run's steps, read in sets and written in sets."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from backend.runs import results
from backend.runs.results import Encoded
from backend.runs.sql import execute, query

READ = """
SELECT s.no, o.value, o.digest FROM runs_step s JOIN runs_stepoutput o ON o.step_id = s.id
WHERE s.run_id = %s AND s.no = ANY(%s)
"""
WRITE = """
INSERT INTO runs_stepoutput (step_id, value, digest, size, preview)
SELECT step_id, value::json, digest, size, preview
FROM unnest(%s::uuid[], %s::text[], %s::text[], %s::bigint[], %s::text[])
    AS o(step_id, value, digest, size, preview)
ON CONFLICT (step_id) DO UPDATE SET
    value = excluded.value, digest = excluded.digest, size = excluded.size,
    preview = excluded.preview
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
        for no, value, digest in query(READ, [self._run_id, list(numbers)]):
            self._known[no] = read_value(self._workspace_id, value, digest)


def read_value(workspace_id: UUID, value: Any, digest: str) -> Any:
    """The value of a stored output, from its row or from the result store."""
    if digest:
        return results.load(workspace_id, digest)
    return value


def write(workspace_id: UUID, outputs: Mapping[str, Encoded]) -> None:
    """Store outputs by step id; large ones in the result store first, so no row points nowhere."""
    if not outputs:
        return
    for encoded in outputs.values():
        if encoded.digest:
            results.keep(workspace_id, encoded)
    rows = list(outputs.values())
    # Arrays of JSON texts, not one JSON array: a value may hold NUL, which `json` itself stores.
    parameters = [
        list(outputs),
        [None if encoded.digest else encoded.text for encoded in rows],
        [encoded.digest for encoded in rows],
        [encoded.size for encoded in rows],
        [encoded.preview for encoded in rows],
    ]
    execute(WRITE, parameters)
