"""The administrators' panel in one value."""

from typing import Any

from backend.monitoring import figures, health

FINISHED_WITHIN_S = 24 * 3600


def take_snapshot() -> dict[str, Any]:
    """Gather every figure of the panel."""
    return {
        "workers": figures.workers(),
        "lanes": figures.lanes(),
        "runs": {"by_status": figures.runs_by_status(), "finished_within_s": FINISHED_WITHIN_S},
        "throughput": {"per_minute": figures.throughput()},
        "latency": figures.latency(),
        "failures": figures.failures(),
        "health": {"postgres": health.postgres(), "redis": health.redis()},
    }
