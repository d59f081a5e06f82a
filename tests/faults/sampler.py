"""Looks at the invariants of every moment, again and again, while a test does its harm."""

import threading
import time
from dataclasses import dataclass, field
from typing import Any

import psycopg

from tests.faults import invariants, snapshot
from tests.faults.harness.cluster import Cluster
from tests.faults.harness.starter import Book
from tests.faults.snapshot import Snapshot
from tests.faults.verdicts import Table, Verdict

EVERY_S = 0.25


@dataclass
class Sampler:
    """A thread that takes snapshots of the runs that are under way."""

    cluster: Cluster
    book: Book
    table: Table = field(default_factory=Table)
    samples: int = 0
    missed: int = 0
    error: BaseException | None = None
    _ended: dict[str, str] = field(default_factory=dict)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> "Sampler":
        self._thread = threading.Thread(target=self._guarded, name="sampler", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(30)

    def _guarded(self) -> None:
        try:
            self._sample_for_ever()
        except Exception as error:  # noqa: BLE001 - the test raises it
            self.error = error

    def _sample_for_ever(self) -> None:
        while not self._stop.is_set():
            try:
                with self.cluster.database() as connection:
                    while not self._stop.is_set():
                        self._sample(connection)
                        self._stop.wait(EVERY_S)
            except psycopg.OperationalError:
                self.missed += 1
                time.sleep(EVERY_S)

    def _sample(self, connection: "psycopg.Connection[tuple[Any, ...]]") -> None:
        open_ = [run for run in self.book.ids() if run not in self._ended]
        graphs = {run: self.book.graphs[run] for run in open_}
        found = snapshot.take(connection, open_, graphs)
        self.table.add([*invariants.at_any_moment(found), self._ends_last(connection, found)])
        self.samples += 1

    def _ends_last(
        self, connection: "psycopg.Connection[tuple[Any, ...]]", found: Snapshot
    ) -> Verdict:
        """I6, as seen over time: a run that was seen to have ended has the same end ever after."""
        verdict = Verdict("I6", "What is final stays as it is, and ended runs start nothing")
        now = connection.execute(
            "SELECT id, status FROM runs_run WHERE id = ANY(%s)", [list(self._ended)]
        ).fetchall()
        for run_id, status in now:
            before = self._ended[str(run_id)]
            verdict.expect(status == before, f"{run_id} was {before} and is {status}")
        self._ended |= {run.id: run.status for run in found.runs.values() if run.is_final}
        return verdict
