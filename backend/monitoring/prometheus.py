"""The figures in Prometheus' form, read when they are asked for; nothing is counted in between."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.registry import Collector

from backend.monitoring import figures, health

WORKER = ["lane", "host", "pid"]


def render() -> bytes:
    """Write every figure as text."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(FiguresCollector())
    ProcessCollector(registry=registry)
    return generate_latest(registry)


class FiguresCollector(Collector):
    """Turns the panel's figures into gauges."""

    def collect(self) -> Iterator[Gauge]:
        """Give the gauges."""
        yield from _workers()
        yield from _lanes()
        yield from _runs()
        yield from _times()
        yield from _failures()
        yield from _services()


def _workers() -> Iterator[Gauge]:
    slots = Gauge("heddle_worker_slots", "Steps that a worker can run at once", labels=WORKER)
    in_use = Gauge("heddle_worker_slots_in_use", "Steps that a worker runs", labels=WORKER)
    alive = Gauge("heddle_worker_up", "Whether a worker's heartbeat is fresh", labels=WORKER)
    for row in figures.workers():
        labels = [row["lane"], row["host"], str(row["pid"])]
        slots.add_metric(labels, row["slots"])
        in_use.add_metric(labels, row["in_use"])
        alive.add_metric(labels, float(row["state"] in ("alive", "stopping")))
    yield from (slots, in_use, alive)


def _lanes() -> Iterator[Gauge]:
    ready = Gauge("heddle_steps_ready", "Steps that wait for a worker", labels=["lane"])
    running = Gauge("heddle_steps_running", "Steps that run", labels=["lane"])
    oldest = Gauge(
        "heddle_oldest_wait_seconds", "How long the oldest ready step waits", labels=["lane"]
    )
    for row in figures.lanes():
        ready.add_metric([row["lane"]], row["ready"])
        running.add_metric([row["lane"]], row["running"])
        oldest.add_metric([row["lane"]], row["oldest_wait_s"] or 0)
    yield from (ready, running, oldest)


def _runs() -> Iterator[Gauge]:
    runs = Gauge("heddle_runs", "Runs under way, and ended within a day", labels=["status"])
    for status, count in figures.runs_by_status().items():
        runs.add_metric([status], count)
    yield runs


def _times() -> Iterator[Gauge]:
    help_texts = {
        "wait": "How long steps waited for a worker, last hour",
        "step": "How long steps worked, last hour",
        "run": "How long runs took, last hour",
    }
    for name, percentiles in figures.latency().items():
        gauge = Gauge(f"heddle_{name}_duration_seconds", help_texts[name], labels=["quantile"])
        for quantile, key in (("0.5", "p50"), ("0.95", "p95")):
            if (value := percentiles[key]) is not None:
                gauge.add_metric([quantile], value)
        yield gauge


def _failures() -> Iterator[Gauge]:
    failures = Gauge(
        "heddle_failed_steps", "Steps that failed in the last hour", labels=["kind", "code"]
    )
    for row in figures.failures():
        failures.add_metric([row["kind"], row["code"]], row["count"])
    yield failures


def _services() -> Iterator[Gauge]:
    up = Gauge("heddle_service_up", "Whether a service answers", labels=["service"])
    size = Gauge("heddle_service_bytes", "How large a service has grown", labels=["service"])
    for service, state, key in (
        ("postgres", health.postgres(), "size_bytes"),
        ("redis", health.redis(), "memory_bytes"),
    ):
        up.add_metric([service], float(state["ok"]))
        size.add_metric([service], state[key] or 0)
    yield from (up, size)
