"""The product's processes as the machine counts them: memory, and time of the processors."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

#: What tells a process's part, in its command line; the first that fits counts.
PARTS = {
    "uvicorn": "web",
    " beat ": "beat",
    " worker ": "workers",
    "monty": "workers",
    "sandbox": "workers",
    "postgres": "postgres",
    "redis-server": "redis",
    "valkey-server": "redis",
}
OWN = ("web", "workers", "beat")
SERVICES = ("postgres", "redis")
MIB = 1024 * 1024


class Processes:
    """Everything that one `bin/up` has started."""

    def __init__(self, supervisor: int) -> None:
        self._supervisor = psutil.Process(supervisor)

    def memory(self) -> dict[str, float]:
        """Proportional memory in MiB, by part: pages that several share are counted once."""
        found: dict[str, float] = dict.fromkeys((*OWN, *SERVICES), 0.0)
        for part, process in self._all():
            with suppress(psutil.NoSuchProcess):
                found[part] = found.get(part, 0.0) + process.memory_full_info().pss / MIB
        return {part: round(mebibytes, 1) for part, mebibytes in found.items()}

    def cpu_s(self) -> dict[str, float]:
        """Seconds of processor time so far, by part."""
        found: dict[str, float] = dict.fromkeys((*OWN, *SERVICES), 0.0)
        for part, process in self._all():
            with suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                found[part] = found.get(part, 0.0) + times.user + times.system
        return found

    def forget_peaks(self) -> None:
        """Let the peak of each worker's memory count from now on."""
        for pid in self._workers():
            Path(f"/proc/{pid}/clear_refs").write_text("5")

    def worker_peak_mib(self) -> float:
        """The most memory that a worker process has held since then."""
        return max(_peak_mib(pid) for pid in self._workers())

    def _workers(self) -> list[int]:
        """The worker processes themselves, without their sandboxes."""
        return [
            process.pid
            for part, process in self._all()
            if part == "workers" and " worker " in " ".join(process.cmdline())
        ]

    def _all(self) -> Iterator[tuple[str, psutil.Process]]:
        for process in self._supervisor.children(recursive=True):
            with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
                line = " ".join(process.cmdline())
                part = next((part for word, part in PARTS.items() if word in line), "other")
                yield part, process


def _peak_mib(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise SystemExit("This kernel does not tell the peak of a process's memory.")
