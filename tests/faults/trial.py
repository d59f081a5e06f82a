"""One test on a cluster: what it starts, what it sees, and the table of invariants at its end."""

import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from tests.faults import end_checks, graphs, invariants, snapshot
from tests.faults.effect_checks import EffectWitness, effects_fit
from tests.faults.harness.cluster import Cluster
from tests.faults.harness.effects import EffectRecorder
from tests.faults.harness.starter import Book, Starter
from tests.faults.harness.worker import Worker
from tests.faults.sampler import Sampler
from tests.faults.snapshot import FINAL_RUN, Snapshot
from tests.faults.verdicts import Table, Verdict
from tests.waiting import wait_until

RUNNING = """
SELECT w.pid, count(*) FROM runs_step s JOIN runs_workersession w ON w.id = s.session_id
WHERE s.status = 'running' GROUP BY w.pid
"""
ENDED = "SELECT count(*) FROM runs_run WHERE id = ANY(%s) AND status = ANY(%s)"


@dataclass
class Trial:
    """A cluster, a recorder of effects, a starter of runs and a sampler of invariants."""

    cluster: Cluster
    dice: random.Random
    book: Book = field(default_factory=Book)
    #: How often PostgreSQL ended without warning.
    crashes: int = 0
    _pause: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> "Trial":
        self.recorder = EffectRecorder(self.cluster.background)
        self.recorder.start()
        services = self.cluster.services
        self.witness = EffectWitness(
            services.postgres.url(self.cluster.product.database), self.book
        )
        self.recorder.witness = self.witness.look
        self.workers = self.cluster.make_whole()
        self.cluster.logs.turn_the_page()
        self.starter = Starter(self.cluster, self.book)
        self.sampler = Sampler(self.cluster, self.book)
        self.sampler.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.recorder.forget()
        self.sampler.__exit__()
        self.starter.close()
        self.cluster.background.call(self.witness.close())
        self.recorder.close()

    # -- doing ------------------------------------------------------------------------------------

    def load(self, runs: int) -> list[str]:
        """Start runs of mixed graphs."""
        return [self.start_any() for _ in range(runs)]

    def start_any(self) -> str:
        """Start a run of some graph."""
        make = self.dice.choice(graphs.MAKERS)
        return self.starter.start(make(self.dice, self.recorder.url))

    def start(self, document: dict[str, Any], **options: Any) -> str:
        """Start a run."""
        return self.starter.start(document, **options)

    def hold(self, width: int, gate: str = "gate") -> str:
        """Start a run, and return when its steps are under way, until the gate opens."""
        url = self.recorder.url
        nodes = [graphs.gate(f"n{i}", url, gate) for i in range(width)]
        run = self.start(graphs.spread("Held", nodes, graphs.effect("closing", url)))
        self.wait_for_calls(gate, width)
        return run

    def add_worker(self, **options: Any) -> Worker:
        """Have one more worker, of some kind."""
        worker = self.cluster.add_worker(**options)
        self.cluster.wait_for_workers([worker])
        return worker

    def freeze_usual_workers(self) -> None:
        """Leave the work to the others, without the price of new processes."""
        for worker in self.workers:
            self.cluster.freeze(worker)

    def thaw_usual_workers(self) -> None:
        """Let them work again."""
        for worker in self.workers:
            self.cluster.thaw(worker)

    def go_on_for(self, seconds: float, *, every_s: float = 1.0) -> None:
        """Start runs for as long as the harm shall last."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.start_any()
            self._pause.wait(min(every_s, left))

    # -- seeing -----------------------------------------------------------------------------------

    def wait_for_calls(self, name: str, count: int) -> None:
        """Return when so many calls of a page are under way."""
        wait_until(
            lambda: self.recorder.in_flight[name] >= count,
            what=f"{count} calls of {name}; there are {dict(self.recorder.in_flight)}",
            within_s=30,
        )

    def wait_for_losses(self, count: int, *, within_s: float = 30) -> None:
        """Return when so many steps were seen to have lost their worker."""
        wait_until(
            lambda: self.count("step.lost") >= count, what=f"{count} losses", within_s=within_s
        )

    def wait_for_arrivals(self, name: str, count: int) -> None:
        """Return when so many calls of a page have come, whatever became of them."""
        wait_until(
            lambda: self.recorder.arrived[name] >= count,
            what=f"{count} arrivals at {name}; there were {self.recorder.arrived[name]}",
        )

    def wait_for_broken(self, *names: str) -> None:
        """Return when one of these invariants is seen broken."""
        wait_until(
            lambda: (
                {v.name for v in invariants.at_any_moment(self.look()) if v.violations} & set(names)
            ),
            what=f"a violation of {', '.join(names)}",
        )

    def wait_until_heard(self, event: str, *workers: Worker, times: int = 1) -> None:
        """Return when workers have told of something."""
        wait_until(
            lambda: self.cluster.logs.said(event, *workers) >= times, what=f"{event} in the log"
        )

    def wait_for_ends(self, *, within_s: float = 60) -> None:
        """Return when every run has ended."""
        wait_until(
            lambda: self.still_open() == 0,
            what="the end of every run",
            within_s=within_s,
            every_s=0.1,
        )

    def wait_for_end_of(self, run_id: str, *, within_s: float = 60) -> None:
        """Return when one run has ended."""
        wait_until(
            lambda: self.cluster.query(ENDED, [[run_id], list(FINAL_RUN)])[0][0],
            what=f"the end of {run_id}",
            within_s=within_s,
        )

    def still_open(self) -> int:
        """How many runs are under way."""
        ids = self.book.ids()
        return len(ids) - int(self.cluster.query(ENDED, [ids, list(FINAL_RUN)])[0][0])

    def look(self) -> Snapshot:
        """Every run of the test as it is now."""
        with self.cluster.database() as connection:
            return snapshot.take(connection, self.book.ids(), self.book.graphs)

    def count(self, event: str) -> int:
        """How often the logs tell of something."""
        return sum(e.type == event for log in self.look().events.values() for e in log)

    def busiest(self) -> Worker:
        """The worker that runs the most steps."""
        rows = dict(self.cluster.query(RUNNING))
        return max(self.cluster.workers, key=lambda worker: rows.get(worker.pid, 0))

    # -- judging ----------------------------------------------------------------------------------

    def table(self, *, ended: bool = True) -> Table:
        """Everything that was found, now that it is over."""
        self.sampler.__exit__()
        if self.sampler.error is not None:
            raise self.sampler.error
        found = self.look()
        table = Table()
        table.add(self.sampler.table.rows.values())
        table.add([*invariants.at_rest(found), self._ends(found), self.witness.verdict])
        table.add([effects_fit(found, self.recorder, crashes=self.crashes)])
        if ended:
            table.add([end_checks.readers_agree(found, self.book, self.dice)])
            table.add([end_checks.nothing_is_left_behind(self.cluster)])
        return table

    def _ends(self, found: Snapshot) -> Verdict:
        verdict = Verdict("I1", "Every run ends, and no step of an ended run is open")
        for run in found.runs.values():
            fits = run.status in self.book.endings[run.id]
            verdict.expect(fits, f"{run.id} is {run.status}: {run.error}")
        return verdict

    def assert_sound(self, *, within_s: float = 60) -> None:
        """Wait for the end of every run, and find no invariant broken."""
        self.wait_for_ends(within_s=within_s)
        table = self.table()
        assert self.sampler.samples > 0
        assert not table.violations, f"\n{table}"
