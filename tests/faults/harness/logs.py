"""What the workers of a cluster told in their logs."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.faults.harness.worker import Worker
from tests.live_product import LiveProduct

#: Characters of a traceback that are shown.
COMPLAINT = 600


@dataclass
class Logs:
    """The logs of every worker that there ever was."""

    product: LiveProduct
    names: list[str] = field(default_factory=list)
    #: Bytes of each log that belong to earlier tests.
    _read: dict[str, int] = field(default_factory=dict)

    def said(self, event: str, *workers: Worker) -> int:
        """How often workers, of all that there were, told of an event since `turn_the_page`."""
        names = [worker.name for worker in workers] or self.names
        return sum(line.get("event") == event for name in names for line in self._lines(name))

    def printed(self, worker: Worker, text: str) -> bool:
        """Whether a worker printed a text."""
        return text in self.product.log(worker.name).read_text(errors="replace")

    def complaints(self) -> list[str]:
        """Errors that workers told of, each with the end of its traceback."""
        return [
            f"{name}: {line['event']} {str(line.get('exception', ''))[-COMPLAINT:]}"
            for name in self.names
            for line in self._lines(name)
            if line.get("level") in ("error", "critical")
        ]

    def turn_the_page(self) -> None:
        """Let only what is told from now on count."""
        logs = {name: self.product.log(name) for name in self.names}
        self._read = {name: log.stat().st_size for name, log in logs.items()}

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        with self.product.log(name).open("rb") as log:
            log.seek(self._read.get(name, 0))
            for line in log.read().splitlines():
                if line.startswith(b"{"):
                    yield json.loads(line)
