"""The outputs of a run's steps, read in sets and kept while they are needed."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from uuid import UUID

from backend.api.sql import query
from backend.engine.plan import Key
from backend.engine.step_state import Draft
from backend.runs import results

READ = """
SELECT s.scope, s.no, o.value, o.digest
FROM runs_step s JOIN runs_stepoutput o ON o.step_id = s.id
JOIN unnest(%s::int[], %s::int[]) AS k(scope, no) ON k.scope = s.scope AND k.no = s.no
WHERE s.run_id = %s
"""
ITEMS = """
SELECT c.items, c.items_digest FROM runs_container c JOIN runs_step s ON s.id = c.step_id
WHERE s.run_id = %s AND s.scope = %s AND s.no = %s
"""
RESULTS = """
SELECT no, result, result_digest FROM runs_itemscope
WHERE run_id = %s AND container_scope = %s AND container_no = %s
AND (result IS NOT NULL OR result_digest <> '') ORDER BY index
"""
#: Outputs that are kept in memory between passes, at most.
KEPT = 20_000


class Outputs:
    """What the steps of one run gave, and what its containers go over; read at most once."""

    def __init__(self, *, run_id: UUID, workspace_id: UUID) -> None:
        self._run_id = run_id
        self._workspace_id = workspace_id
        #: What passes gave and is not in the tables yet, the newest first.
        self._unsaved: list[Draft] = []
        self._known: dict[Key, Any] = {}
        self._items: dict[Key, Sequence[Any]] = {}

    def add(self, draft: Draft) -> None:
        """Look into a draft too; it is newer than the tables."""
        self._unsaved.insert(0, draft)

    def saved(self, draft: Draft) -> None:
        """Say that what is in the draft is in the tables now."""
        self._unsaved.remove(draft)
        self._known.update(draft.outputs)
        self._items.update(draft.items)
        if len(self._known) > KEPT:
            self._known.clear()

    def of(self, keys: Iterable[Key]) -> dict[Key, Any]:
        """Outputs of these steps; None for a step that gave nothing, as a skipped one."""
        keys = list(keys)
        known = self._known
        found = {
            key: draft.outputs[key]
            for draft in self._unsaved
            for key in keys
            if key in draft.outputs
        }
        missing = [key for key in keys if key not in found and key not in known]
        if missing:
            self._read(missing)
        return {key: found[key] if key in found else known[key] for key in keys}

    def items(self, container: Key) -> Sequence[Any]:
        """What a container goes over."""
        for draft in self._unsaved:
            if container in draft.items:
                return draft.items[container]
        if container not in self._items:
            rows = query(ITEMS, [self._run_id, *container])
            value, digest = rows[0] if rows else (None, "")
            self._items[container] = read_value(self._workspace_id, value, digest) or ()
        return self._items[container]

    def results(self, container: Key, *, is_item: Callable[[int], bool]) -> list[tuple[int, Any]]:
        """What the items of a map came to, by scope; those that are stored in their order.

        `is_item` tells whether a scope that is not stored yet is one of the map's.
        """
        drafts = reversed(self._unsaved)
        given = {no: value for draft in drafts for no, value in draft.results.items()}
        unsaved = {no: value for no, value in given.items() if is_item(no)}
        rows = query(RESULTS, [self._run_id, *container])
        stored = [(no, read_value(self._workspace_id, v, d)) for no, v, d in rows]
        return list((dict(stored) | unsaved).items())

    def forget(self, keys: Iterable[Key]) -> None:
        """Drop outputs that nobody will read again."""
        for key in keys:
            self._known.pop(key, None)

    def _read(self, keys: Sequence[Key]) -> None:
        self._known.update(dict.fromkeys(keys))
        parameters = [[k.scope for k in keys], [k.no for k in keys], self._run_id]
        for scope, no, value, digest in query(READ, parameters):
            self._known[Key(scope, no)] = read_value(self._workspace_id, value, digest)


def read_value(workspace_id: UUID, value: Any, digest: str) -> Any:
    """The value of a stored output, from its row or from the result store."""
    if digest:
        return results.load(workspace_id, digest)
    return value
