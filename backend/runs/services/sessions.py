"""Worker processes: registered, and alive as long as they say so; the clock is the database's."""

import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings

from backend.api.ids import new_id
from backend.api.sql import execute, query
from backend.engine.plan import Key

OPEN = """
INSERT INTO runs_workersession
    (id, host, pid, lane, slots, in_use, started_at, heartbeat_at, expires_at, state)
SELECT %(id)s, %(host)s, %(pid)s, %(lane)s, %(slots)s, 0, now, now,
       now + make_interval(secs => %(ttl)s), 'alive'
FROM clock_timestamp() AS now
"""
BEAT = """
UPDATE runs_workersession SET heartbeat_at = clock_timestamp(), in_use = %(in_use)s,
    expires_at = clock_timestamp() + make_interval(secs => %(ttl)s)
WHERE id = %(id)s AND state IN ('alive', 'stopping') AND expires_at > clock_timestamp()
"""
LOST = """
SELECT lease FROM unnest(%(leases)s::uuid[]) AS lease
WHERE NOT EXISTS (
    SELECT 1 FROM runs_step s
    WHERE s.session_id = %(id)s AND s.status = 'running' AND s.lease_id = lease)
"""


# Claimed by this process in a transaction whose answer it never got.
UNKNOWN = """
SELECT run_id, scope, no, lease_id FROM runs_step
WHERE session_id = %(id)s AND status = 'running' AND lease_id <> ALL(%(leases)s::uuid[])
AND started_at < clock_timestamp() - make_interval(secs => %(grace)s)
"""
ENDED = """
SELECT id FROM runs_run
WHERE id = ANY(%(runs)s) AND status IN ('succeeded', 'failed', 'cancelled')
"""
#: Seconds that a fresh claim may be under way to the process.
GRACE_S = 10.0


@dataclass(frozen=True)
class Beat:
    """The answer to a heartbeat. A dead session must stop everything it runs."""

    alive: bool
    #: Leases that the process believes to hold and does not.
    lost: tuple[str, ...] = ()
    #: Steps that the database counts as this process's, and that it does not know.
    unknown: tuple[tuple[UUID, Key, str], ...] = ()
    #: Runs that the process has in memory and that have ended.
    ended: tuple[UUID, ...] = ()


def open_session(*, lane: str, slots: int) -> UUID:
    """Register this process."""
    session_id = new_id()
    execute(
        OPEN,
        {
            "id": session_id,
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "lane": lane,
            "slots": slots,
            "ttl": settings.HEDDLE_LEASE_TTL_S,
        },
    )
    return session_id


def beat(
    session_id: UUID, *, leases: Sequence[str], in_use: int = 0, runs: Sequence[UUID] = ()
) -> Beat:
    """Prolong the session and ask which leases are still good.

    `leases` are those of claims that were committed, `in_use` the slots that are taken, `runs` the
    runs that the process has in memory.

    Cancellation reaches a worker by this answer too, should the signal over Redis be lost.
    """
    parameters: dict[str, Any] = {
        "id": session_id,
        "in_use": in_use,
        "ttl": settings.HEDDLE_LEASE_TTL_S,
        "leases": list(leases),
    }
    if execute(BEAT, parameters) == 0:
        return Beat(alive=False, lost=tuple(leases))
    lost = tuple(str(row[0]) for row in query(LOST, parameters))
    rows = query(UNKNOWN, {**parameters, "grace": GRACE_S})
    unknown = tuple((run_id, Key(scope, no), str(lease)) for run_id, scope, no, lease in rows)
    ended = tuple(row[0] for row in query(ENDED, {"runs": list(runs)}))
    return Beat(alive=True, lost=lost, unknown=unknown, ended=ended)


def set_state(session_id: UUID, state: str) -> None:
    """Say that the process is stopping, or has stopped."""
    execute(
        "UPDATE runs_workersession SET state = %s WHERE id = %s AND state <> 'dead'",
        [state, session_id],
    )
