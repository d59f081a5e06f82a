"""A seeded run of everything that can go wrong, over a load of mixed graphs."""

import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import psycopg

from heddle_platform.console import say
from tests.faults.harness.cluster import TTL_S, Worker
from tests.faults.trial import Trial
from tests.services import REDIS

#: Runs that are under way at once, and workers besides the load that each of them gets.
OPEN_RUNS = 12
WORKERS = 3
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
    error: BaseException | None = None
    _over: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self.cluster = self.trial.cluster
        self.faults: tuple[Callable[[], None], ...] = (
            self.kill_a_worker,
            self.freeze_a_worker,
            self.replace_a_worker,
            self.cut_the_database,
            self.slow_the_database,
            self.silence_the_database,
            self.lose_answers_to_commits,
            self.end_every_backend,
            self.crash_postgres,
            self.flush_redis,
            self.crash_redis,
            self.cut_redis,
            self.lose_doorbells,
            self.multiply_doorbells,
            self.cancel_runs,
        )

    def run(self) -> None:
        """Do harm for the time; then heal everything and let the runs end."""
        end = time.monotonic() + self.seconds
        for _ in range(WORKERS - len(self.cluster.workers)):
            self._add_worker()
        loader = threading.Thread(target=self._load_for_ever, name="load", daemon=True)
        loader.start()
        deck: list[Callable[[], None]] = []
        while time.monotonic() < end:
            if not deck:
                deck = self.dice.sample(self.faults, len(self.faults))
            fault = deck.pop()
            fault()
            self.done[fault.__name__] += 1
            self._over.wait(self.dice.uniform(*PAUSE_S))
        self._over.set()
        loader.join(60)
        if self.error is not None:
            raise self.error
        self.cluster.heal()
        self.trial.wait_for_ends(within_s=120)

    def tell(self) -> None:
        """Say what was done."""
        said = {event: self.cluster.said(event) for event in ("fenced", "session_lost")}
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
                else:
                    self._over.wait(0.1)
        except Exception as error:  # noqa: BLE001 - raised where the chaos is run
            self.error = error

    def _open_runs(self) -> int:
        try:
            return int(self.cluster.query(OPEN)[0][0])
        except psycopg.OperationalError:
            return 0

    # -- workers ----------------------------------------------------------------------------------

    def _add_worker(self) -> None:
        # Some run ahead and some do not, as in the middle of a change of the setting.
        self.cluster.add_worker(settings={"HEDDLE_RUN_AHEAD": self.dice.choice("01")})

    def _any_worker(self) -> Worker:
        return self.dice.choice(self.cluster.workers)

    def kill_a_worker(self) -> None:
        """End a process without a word."""
        self.cluster.kill(self.trial.busiest())
        self._add_worker()

    def freeze_a_worker(self) -> None:
        """Have a worker come back when its steps are somebody else's."""
        victim = self.trial.busiest()
        self.cluster.freeze(victim)
        self._over.wait(2 * TTL_S)
        self.cluster.thaw(victim)

    def replace_a_worker(self) -> None:
        """Ask a worker to stop, as a deployment does."""
        victim = self._any_worker()
        self.cluster.ask_to_stop(victim)
        self._add_worker()
        self.cluster.wait_for_exit(victim)

    # -- PostgreSQL -------------------------------------------------------------------------------

    def cut_the_database(self) -> None:
        """Reset a worker's connections."""
        self._any_worker().postgres.cut()

    def slow_the_database(self) -> None:
        """Have every word be late."""
        victim = self._any_worker()
        victim.postgres.delay_s = 0.05
        self._over.wait(1)
        victim.postgres.heal()

    def silence_the_database(self) -> None:
        """Leave a worker without an answer for longer than its lease."""
        victim = self._any_worker()
        victim.postgres.swallow()
        self._over.wait(1.3 * TTL_S)
        victim.postgres.heal()

    def lose_answers_to_commits(self) -> None:
        """Have a worker not know what it has stored."""
        self._any_worker().answers.left = 3

    def end_every_backend(self) -> None:
        """Have the server hang up on everyone."""
        self.cluster.terminate_backends()

    def crash_postgres(self) -> None:
        """Have the server start anew from its log."""
        self.trial.crashes += 1
        self.cluster.restart_postgres()

    # -- Redis ------------------------------------------------------------------------------------

    def flush_redis(self) -> None:
        """Have Redis forget everything."""
        with self.cluster.redis() as client:
            client.flushall()

    def crash_redis(self) -> None:
        """Have Redis away for a while."""
        self.cluster.services.end(REDIS, by=signal.SIGKILL)
        self._over.wait(self.dice.uniform(0, 3))
        self.cluster.services.start_redis()

    def cut_redis(self) -> None:
        """Reset a worker's connections."""
        self._any_worker().redis.cut()

    def lose_doorbells(self) -> None:
        """Let nobody hear a bell."""
        for worker in self.cluster.workers:
            worker.bells.copies = 0

    def multiply_doorbells(self) -> None:
        """Let everybody hear each bell again and again."""
        for worker in self.cluster.workers:
            worker.bells.copies = 10

    # -- people -----------------------------------------------------------------------------------

    def cancel_runs(self) -> None:
        """Cancel some of the latest runs, whatever they are at."""
        for run in self.trial.book.ids()[-3:]:
            self.trial.book.endings[run].add("cancelled")
            self.trial.starter.cancel(run)
