"""Everything that a chaos run does to a cluster."""

import random
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.faults.harness.times import TTL_S
from tests.faults.harness.worker import Worker
from tests.faults.trial import Trial
from tests.services import REDIS


@dataclass
class Harms:
    """The faults, each a method; to be called on the main thread, which alone starts processes."""

    trial: Trial
    dice: random.Random
    _pause: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.cluster = self.trial.cluster

    def deck(self) -> list[Callable[[], None]]:
        """All of them, shuffled."""
        faults = [
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
        ]
        return self.dice.sample(faults, len(faults))

    # -- workers ----------------------------------------------------------------------------------

    def add_worker(self) -> None:
        """Start a worker of one way or the other."""
        # Some run ahead and some do not, as in the middle of a change of the setting.
        self.cluster.add_worker(settings={"HEDDLE_RUN_AHEAD": self.dice.choice("01")})

    def _any_worker(self) -> Worker:
        return self.dice.choice(self.cluster.workers)

    def kill_a_worker(self) -> None:
        """End a process without a word."""
        self.cluster.kill(self.trial.busiest())
        self.add_worker()

    def freeze_a_worker(self) -> None:
        """Have a worker come back when its steps are somebody else's."""
        victim = self.trial.busiest()
        self.cluster.freeze(victim)
        self._pause.wait(2 * TTL_S)
        self.cluster.thaw(victim)

    def replace_a_worker(self) -> None:
        """Ask a worker to stop, as a deployment does."""
        victim = self._any_worker()
        self.cluster.ask_to_stop(victim)
        self.add_worker()
        self.cluster.wait_for_exit(victim)

    # -- PostgreSQL -------------------------------------------------------------------------------

    def cut_the_database(self) -> None:
        """Reset a worker's connections."""
        self._any_worker().postgres.cut()

    def slow_the_database(self) -> None:
        """Have every word be late."""
        victim = self._any_worker()
        victim.postgres.delay_s = 0.05
        self._pause.wait(1)
        victim.postgres.heal()

    def silence_the_database(self) -> None:
        """Leave a worker without an answer for longer than its lease."""
        victim = self._any_worker()
        victim.postgres.swallow()
        self._pause.wait(1.3 * TTL_S)
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
        self._pause.wait(self.dice.uniform(0, 3))
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
            self.trial.book.starters[run].cancel(run)
