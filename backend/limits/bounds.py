"""The rows of limits, as steps fall under them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from backend.api.sql import query
from backend.limits.models import step_key
from backend.limits.rates import Bucket

#: A limit, as it is unique in the installation: workspace and step key.
Place = tuple[UUID, str]


@dataclass(frozen=True)
class Bound:
    """What a limit's row says."""

    max_running: int | None
    bucket: Bucket | None


Bounds = Mapping[Place, Bound]

LIMITED = "SELECT workspace_id, target, key FROM limits_limit WHERE workspace_id = ANY(%s)"
FIND = """
SELECT l.workspace_id, l.target, l.key, l.max_running, l.rate, l.per_s
FROM limits_limit l JOIN unnest(%s::uuid[], %s::text[], %s::text[]) AS c(workspace_id, target, key)
ON (l.workspace_id, l.target, l.key) = (c.workspace_id, c.target, c.key)
"""
# One order for all, or two claims could wait for each other.
LOCK = FIND + " ORDER BY l.id FOR UPDATE OF l"


def limited_keys(workspace_ids: Iterable[UUID]) -> dict[UUID, frozenset[str]]:
    """Tell which keys are limited in these workspaces; a workspace without limits is left out."""
    found: dict[UUID, set[str]] = {}
    for workspace_id, target, key in query(LIMITED, [list(set(workspace_ids))]):
        found.setdefault(workspace_id, set()).add(step_key(target, key))
    return {workspace_id: frozenset(keys) for workspace_id, keys in found.items()}


def find(places: Iterable[Place]) -> dict[Place, Bound]:
    """Read the limits among these places."""
    return _read(FIND, places)


def lock(places: Iterable[Place]) -> dict[Place, Bound]:
    """Read the limits among these places, and keep their rows until the transaction's end."""
    return _read(LOCK, places)


def buckets_of(bounds: Bounds) -> dict[Place, Bucket]:
    """Name the limits that have a rate."""
    return {place: bound.bucket for place, bound in bounds.items() if bound.bucket is not None}


def _read(statement: str, places: Iterable[Place]) -> dict[Place, Bound]:
    rows = [(workspace_id, *key.partition(":")[::2]) for workspace_id, key in places]
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
    return dict(_bound(*row) for row in query(statement, columns))


def _bound(
    workspace_id: UUID,
    target: str,
    key: str,
    max_running: int | None,
    rate: int | None,
    per_s: float,
) -> tuple[Place, Bound]:
    place = (workspace_id, step_key(target, key))
    name = f"heddle:rate:{workspace_id}:{place[1]}"
    return place, Bound(max_running, Bucket(name, rate, per_s) if rate is not None else None)
