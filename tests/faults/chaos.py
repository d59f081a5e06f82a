"""A seeded run of everything that can go wrong, over a load of mixed graphs."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import psycopg

from heddle_platform.console import say
from tests.faults import graphs
from tests.faults.fair_checks import light_ones_are_served
from tests.faults.harms import Harms
from tests.faults.harness.starter import Starter
from tests.faults.harness.times import SLOTS
from tests.faults.trial import Trial
from tests.faults.verdicts import Table

WORKERS = 3
#: Runs that are under way at once.
OPEN_RUNS = 12
#: Of so many runs one is the modest workspace's.
SHARE = 10
#: Seconds between two faults.
PAUSE_S = (0.3, 1.5)
OPEN = "SELECT count(*) FROM runs_run WHERE status IN ('queued', 'running', 'paused')"


@dataclass
class Chaos:
    """Starts runs on one thread and does harm on the main one, which alone may start processes."""

    trial: Trial
    seed: int
    seconds: float
    done: Counter[str] = field(default_factory=Counter)
    #: Runs of another workspace, which asks for little.
    light: list[str] = field(default_factory=list)
    error: BaseException | None = None
    _over: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.cluster = self.trial.cluster
        self.harms = Harms(self.trial, random.Random(self.seed))

    def run(self) -> None:
        """Do harm for the time; then heal everything and let the runs end."""
        for _ in range(WORKERS - len(self.cluster.workers)):
            self.harms.add_worker()
        key = self.cluster.another_workspace()
        self.modest = Starter(self.cluster, self.trial.book, api_key=key)
        loader = threading.Thread(target=self._load_for_ever, name="load", daemon=True)
        loader.start()
        end = time.monotonic() + self.seconds
        deck: list[Callable[[], None]] = []
        while time.monotonic() < end:
            if not deck:
                deck = self.harms.deck()
            fault = deck.pop()
            fault()
            self.done[fault.__name__] += 1
            self._over.wait(self.harms.dice.uniform(*PAUSE_S))
        self._over.set()
        loader.join(60)
        if self.error is not None:
            raise self.error
        self.cluster.heal()
        self.trial.wait_for_ends(within_s=120)

    def table(self) -> Table:
        """Everything that was found, how the modest workspace fared too."""
        table = self.trial.table()
        bound = 2 * SLOTS * WORKERS
        table.add([light_ones_are_served(self.trial.look(), self.light, bound=bound)])
        self.modest.close()
        return table

    def tell(self) -> None:
        """Say what was done."""
        said = {event: self.cluster.logs.said(event) for event in ("fenced", "session_lost")}
        counts = {
            **self.done,
            "runs": len(self.trial.book.ids()),
            "samples": self.trial.sampler.samples,
            "steps lost": self.trial.count("step.lost"),
            **said,
        }
        say(f"seed {self.seed}: " + ", ".join(f"{name} {count}" for name, count in counts.items()))

    # -- load -------------------------------------------------------------------------------------

    def _load_for_ever(self) -> None:
        try:
            while not self._over.is_set():
                if self._open_runs() < OPEN_RUNS:
                    self.trial.start_any()
                    self._ask_for_little()
                else:
                    self._over.wait(0.1)
        except Exception as error:  # noqa: BLE001 - raised where the chaos is run
            self.error = error

    def _ask_for_little(self) -> None:
        if len(self.light) * SHARE < len(self.trial.book.ids()):
            self.light.append(self.modest.start(graphs.line("One", [graphs.values("only")])))

    def _open_runs(self) -> int:
        try:
            return int(self.cluster.query(OPEN)[0][0])
        except psycopg.OperationalError:
            return 0
