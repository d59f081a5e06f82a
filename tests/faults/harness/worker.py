"""One worker process of a cluster, and the way to its servers."""

import subprocess
from dataclasses import dataclass

from tests.faults.harness.proxy import Proxy
from tests.faults.harness.watches import CommitAnswers, Doorbells


@dataclass(eq=False)
class Worker:
    """One io worker, and the proxies that it reaches its servers through."""

    name: str
    process: subprocess.Popen[bytes]
    postgres: Proxy
    redis: Proxy
    answers: CommitAnswers
    bells: Doorbells
    #: Whether it is like all others.
    is_usual: bool = True

    @property
    def pid(self) -> int:
        """The process, which is also the name of its group."""
        return self.process.pid

    def heal(self) -> None:
        """End all harm to its connections."""
        self.postgres.heal()
        self.redis.heal()
        self.answers.left = self.answers.hangs_left = 0
        self.bells.copies = 1
