"""The installation's figures, each from one statement that an index answers."""

from collections.abc import Sequence
from typing import Any

from django.db import connection

from backend.engine.state import RunStatus
from backend.nodes.registry import KINDS

#: Percentiles are taken of the newest steps and runs of the last hour, at most so many.
SAMPLE = 20_000
FAILURES_SHOWN = 20
GONE_SHOWN_S = 600

WORKERS = """
SELECT id, host, pid, lane, slots, in_use, started_at, heartbeat_at,
       CASE WHEN state IN ('alive', 'stopping') AND expires_at < now() THEN 'dead' ELSE state END
       AS state
FROM runs_workersession
WHERE state IN ('alive', 'stopping') OR heartbeat_at > now() - make_interval(secs => %s)
ORDER BY lane, started_at
"""
LANES = """
SELECT lane, sum(ready) AS ready, sum(running) AS running, max(oldest) AS oldest_wait_s
FROM (
    SELECT lane, count(*) AS ready, 0 AS running,
           extract(epoch FROM now() - min(ready_at))::float8 AS oldest
    FROM runs_step
    WHERE status = 'ready' AND (not_before IS NULL OR not_before <= now()) GROUP BY lane
    UNION ALL
    SELECT lane, 0, count(*), NULL FROM runs_step WHERE status = 'running' GROUP BY lane
    UNION ALL
    SELECT DISTINCT lane, 0, 0, NULL::float8 FROM runs_workersession
    WHERE state IN ('alive', 'stopping')
) AS parts GROUP BY lane ORDER BY lane
"""
RUNS = """
SELECT status, count(*) FROM runs_run
WHERE status NOT IN ('succeeded', 'failed', 'cancelled') GROUP BY status
UNION ALL
SELECT status, count(*) FROM runs_run
WHERE finished_at > now() - interval '24 hours' GROUP BY status
"""
THROUGHPUT = """
WITH minutes AS (
    SELECT generate_series(
        date_trunc('minute', now()) - interval '59 minutes', date_trunc('minute', now()),
        interval '1 minute') AS minute
), steps AS (
    SELECT date_trunc('minute', finished_at) AS minute, count(*) AS n FROM runs_step
    WHERE finished_at >= date_trunc('minute', now()) - interval '59 minutes'
      AND status IN ('succeeded', 'failed') GROUP BY 1
), runs AS (
    SELECT date_trunc('minute', finished_at) AS minute, count(*) AS n FROM runs_run
    WHERE finished_at >= date_trunc('minute', now()) - interval '59 minutes' GROUP BY 1
)
SELECT minute, coalesce(steps.n, 0) AS steps, coalesce(runs.n, 0) AS runs
FROM minutes LEFT JOIN steps USING (minute) LEFT JOIN runs USING (minute) ORDER BY minute
"""
STEP_TIMES = """
SELECT percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY wait),
       percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY work)
FROM (
    SELECT extract(epoch FROM started_at - ready_at)::float8 AS wait,
           extract(epoch FROM finished_at - started_at)::float8 AS work
    FROM runs_step
    WHERE finished_at > now() - interval '1 hour' AND started_at IS NOT NULL
      AND NOT kind = ANY(%s)
    ORDER BY finished_at DESC LIMIT %s
) AS latest
"""
RUN_TIMES = """
SELECT percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY wall)
FROM (
    SELECT extract(epoch FROM finished_at - created_at)::float8 AS wall FROM runs_run
    WHERE finished_at > now() - interval '1 hour' ORDER BY finished_at DESC LIMIT %s
) AS latest
"""
FAILURES = """
SELECT kind, coalesce(error->>'code', 'unknown') AS code, count(*) AS count,
       (array_agg(run_id ORDER BY finished_at DESC))[1] AS last_run_id,
       max(finished_at) AS last_at
FROM runs_step
WHERE finished_at > now() - interval '1 hour' AND status = 'failed'
GROUP BY 1, 2 ORDER BY count DESC, last_at DESC LIMIT %s
"""


def workers() -> list[dict[str, Any]]:
    """List the worker processes, and those that went away a short while ago."""
    return _rows(WORKERS, [GONE_SHOWN_S])


def lanes() -> list[dict[str, Any]]:
    """Tell what waits and runs in each lane."""
    return [
        {**row, "ready": int(row["ready"]), "running": int(row["running"])} for row in _rows(LANES)
    ]


def runs_by_status() -> dict[str, int]:
    """Count runs: the unfinished, and those that ended within a day."""
    counts = {status.value: 0 for status in RunStatus}
    with connection.cursor() as cursor:
        cursor.execute(RUNS)
        counts.update(dict(cursor.fetchall()))
    return counts


def throughput() -> list[dict[str, Any]]:
    """Count the steps and runs that ended in each of the last sixty minutes."""
    return _rows(THROUGHPUT)


def latency() -> dict[str, dict[str, float | None]]:
    """Give median and 95th percentile of waiting, of a step's work and of whole runs."""
    inline = [name for name, kind in KINDS.items() if kind.spec.inline]
    with connection.cursor() as cursor:
        cursor.execute(STEP_TIMES, [inline, SAMPLE])
        wait, step = cursor.fetchone()
        cursor.execute(RUN_TIMES, [SAMPLE])
        (run,) = cursor.fetchone()
    return {"wait": _percentiles(wait), "step": _percentiles(step), "run": _percentiles(run)}


def failures() -> list[dict[str, Any]]:
    """List what failed in the last hour, by kind and code."""
    return _rows(FAILURES, [FAILURES_SHOWN])


def _rows(statement: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        names = [column.name for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _percentiles(values: Sequence[float | None] | None) -> dict[str, float | None]:
    p50, p95 = values or (None, None)
    return {"p50": p50, "p95": p95}
