"""What was measured, as values, as a table and as JSON."""

import json
import os
import platform
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import psutil

#: Changes when the meaning of a key does; what is only added does not count.
FORMAT = "heddle-bench/1"
FSYNCS = 50


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One line of the table: a figure over several repetitions, and what it is to reach."""

    id: str
    title: str
    unit: str
    values: Sequence[float]
    reach: float | None = None
    better: Literal["lower", "higher"] = "lower"
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def workload(self) -> str:
        """The blueprint's name of what was done."""
        return self.id.partition(".")[0]

    @property
    def median(self) -> float:
        """The figure."""
        return statistics.median(self.values)

    @property
    def reached(self) -> bool | None:
        """Whether the figure is as good as it is to be; none if nothing is said about it."""
        if self.reach is None:
            return None
        return self.median <= self.reach if self.better == "lower" else self.median >= self.reach

    def to_json(self) -> dict[str, Any]:
        """The line for programs."""
        return {
            "id": self.id,
            "workload": self.workload,
            "title": self.title,
            "unit": self.unit,
            "better": self.better,
            "median": self.median,
            "least": min(self.values),
            "most": max(self.values),
            "values": list(self.values),
            "reach": self.reach,
            "reached": self.reached,
            "details": dict(self.details),
        }

    def to_line(self) -> str:
        """The line for people."""
        spread = f"({_short(min(self.values))} – {_short(max(self.values))})"
        mark = {None: " ", True: "✓", False: "✗"}[self.reached]
        sign = "≤" if self.better == "lower" else "≥"
        reach = "" if self.reach is None else f"{sign} {_short(self.reach)}"
        return (
            f"{mark} {self.id:24} {self.title:44} {_short(self.median):>9} {self.unit:8} "
            f"{spread:>22}  {reach}"
        )


HEADING = f"  {'':24} {'':44} {'median':>9} {'':8} {'least – most':>22}  to reach"


def report(results: Sequence[Measured], *, folder: Path, load: Sequence[float]) -> dict[str, Any]:
    """Everything that was measured, and where."""
    return {
        "format": FORMAT,
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": {
            "cores": os.cpu_count(),
            "memory_mib": psutil.virtual_memory().total // 1024**2,
            "system": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version(),
            "fsync_ms": _fsync_ms(folder),
            "load_before": list(load),
            "load_after": list(os.getloadavg()),
        },
        "results": [one.to_json() for one in results],
    }


def write(path: Path, content: Mapping[str, Any]) -> None:
    """Keep a report."""
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def _fsync_ms(folder: Path) -> float:
    """What a durable commit costs at least: a small write that is forced to the disk."""
    path = folder / "fsync-probe"
    took = []
    with path.open("wb", buffering=0) as file:
        for _ in range(FSYNCS):
            file.write(b"\0" * 8192)
            began = time.perf_counter()
            os.fsync(file.fileno())
            took.append((time.perf_counter() - began) * 1000)
    path.unlink()
    return round(statistics.median(took), 3)


def _short(value: float) -> str:
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 100 else f"{value:.3g}"
