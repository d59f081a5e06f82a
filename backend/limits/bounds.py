"""The rows of limits, as steps fall under them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from backend.api.sql import query
from backend.limits.aliases import Place, aliases
from backend.limits.models import Limit, step_key
from backend.limits.rates import Bucket

#: What steps may name by an alias.
HAVE_DEFAULTS = (Limit.Target.CREDENTIAL, Limit.Target.MODEL)


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
    """Tell which keys are limited in these workspaces; a workspace without limits is left out.

    Steps that use what is the default name it so: where that is limited, its alias is among them.
    """
    rows = query(LIMITED, [list(set(workspace_ids))])
    places = {(workspace_id, step_key(target, key)) for workspace_id, target, key in rows}
    named = aliases(workspace_id for workspace_id, target, _ in rows if target in HAVE_DEFAULTS)
    places |= {alias for alias, place in named.items() if place in places}
    found: dict[UUID, set[str]] = {}
    for workspace_id, key in places:
        found.setdefault(workspace_id, set()).add(key)
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
