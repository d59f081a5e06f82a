"""The product on servers of its own, with all that tests do to its processes."""

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import psycopg
import redis

from heddle_platform import child
from heddle_platform.places import ROOT
from tests.faults.harness.background import Background
from tests.faults.harness.logs import Logs
from tests.faults.harness.proxy import Proxy
from tests.faults.harness.times import KEEPS_COMMITS, SHORT_TIMES, USUAL
from tests.faults.harness.watches import CommitAnswers, Doorbells
from tests.faults.harness.worker import Worker
from tests.live_product import WORKER_APP, LiveProduct
from tests.services import POSTGRES, REDIS, TestServices
from tests.waiting import wait_until

SKEWED_CLOCK = ROOT / "tests" / "faults" / "harness" / "skewed_clock"
OPEN_WORKSPACE = """
from backend.accounts.models import User
from backend.accounts.services import create_api_key
from backend.workspaces.principal import ALL_SCOPES
from backend.workspaces.services import open_workspace
user = User.objects.get()
workspace = open_workspace(user_id=user.id, name="Another")
scopes = sorted(ALL_SCOPES)
print(create_api_key(workspace_id=workspace.id, user_id=user.id, name="test", scopes=scopes)[1])
"""
LIVE_WORKERS = "SELECT pid FROM runs_workersession WHERE state = 'alive' AND pid = ANY(%s)"


@dataclass
class Cluster:
    """PostgreSQL, Redis, web, beat and any number of io workers."""

    background: Background
    settings: Mapping[str, str]
    services: TestServices = field(
        default_factory=lambda: TestServices(postgres_settings=KEEPS_COMMITS)
    )
    workers: list[Worker] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.product = LiveProduct(
            services=self.services,
            database="heddle_faults",
            settings={**USUAL, **SHORT_TIMES, **self.settings},
        )
        self.logs = Logs(self.product)

    # -- life -------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the servers, web and beat."""
        self.services.start_postgres()
        self.services.start_redis()
        self.product.set_up()
        self.product.start("web")
        self.product.start("beat")

    def stop(self) -> None:
        """Kill every process and remove every file."""
        for worker in list(self.workers):
            self.kill(worker)
        for name in list(self.product.processes):
            self.product.kill(name)
        self.services.stop()

    def make_whole(self, *, workers: int = 2) -> list[Worker]:
        """Have servers, web, beat and so many usual workers running; return the workers."""
        self._start_missing_servers()
        for worker in [w for w in self.workers if not w.is_usual or w.process.poll() is not None]:
            self.kill(worker)
        for worker in self.workers[workers:]:
            self.kill(worker)
        for _ in range(workers - len(self.workers)):
            self.add_worker()
        self.heal()
        return list(self.workers)

    def heal(self) -> None:
        """End all harm, and return when everything works."""
        self._start_missing_servers()
        for worker in self.workers:
            self.thaw(worker)
            worker.heal()
        self.product.wait_until_ready()
        self.wait_for_workers(self.workers)

    def _start_missing_servers(self) -> None:
        if not self.services.runs(POSTGRES):
            self.services.start_postgres()
        if not self.services.runs(REDIS):
            self.services.start_redis()
        for name in ("web", "beat"):
            if name not in self.product.processes:
                self.product.start(name)

    def restart_beat(self, settings: Mapping[str, str]) -> None:
        """Start the clock process anew, with other times."""
        self.product.kill("beat")
        self.product.start("beat", settings=settings)

    # -- workers ----------------------------------------------------------------------------------

    def add_worker(
        self,
        *,
        app: str = WORKER_APP,
        settings: Mapping[str, str] | None = None,
        clock_off_s: float | None = None,
    ) -> Worker:
        """Start a worker; `wait_for_workers` tells when it pulls."""
        own = dict(settings or {})
        if clock_off_s is not None:
            own["PYTHONPATH"] = str(SKEWED_CLOCK)
            own["HEDDLE_TEST_CLOCK_OFF_S"] = str(clock_off_s)
        answers, bells = CommitAnswers(), Doorbells()
        postgres, redis_ = self._proxies(answers, bells)
        name = f"io-{next(self._numbers)}"
        addresses = self._addresses(postgres, redis_)
        worker = Worker(
            name=name,
            process=self.product.start(name, settings={**addresses, **own}, app=app),
            postgres=postgres,
            redis=redis_,
            answers=answers,
            bells=bells,
            is_usual=not own and app == WORKER_APP,
        )
        self.workers.append(worker)
        self.logs.names.append(name)
        return worker

    def wait_for_workers(self, workers: Sequence[Worker]) -> None:
        """Return when these workers have registered."""
        pids = [worker.pid for worker in workers]

        def all_registered() -> bool:
            for worker in workers:
                assert worker.process.poll() is None, self.product.log_tail(worker.name)
            return len(self.query(LIVE_WORKERS, [pids])) >= len(pids)

        wait_until(all_registered, what=f"{len(pids)} workers", within_s=90)

    def kill(self, worker: Worker) -> None:
        """End a worker without a word, as the kernel does when memory is short."""
        self.workers.remove(worker)
        if worker.name in self.product.processes:
            self.product.kill(worker.name)
        worker.postgres.close()
        worker.redis.close()

    def ask_to_stop(self, worker: Worker) -> None:
        """Send SIGTERM, as a deployment does; `wait_for_exit` tells when it is gone."""
        worker.process.send_signal(signal.SIGTERM)

    def wait_for_exit(self, worker: Worker, *, within_s: float = 60) -> None:
        """Return when a worker has ended by itself."""
        worker.process.wait(timeout=within_s)
        self.kill(worker)

    def freeze(self, worker: Worker) -> None:
        """Stop a worker in its tracks; it does not know."""
        os.killpg(worker.pid, signal.SIGSTOP)

    def thaw(self, worker: Worker) -> None:
        """Let a frozen worker go on."""
        os.killpg(worker.pid, signal.SIGCONT)

    def _proxies(self, answers: CommitAnswers, bells: Doorbells) -> tuple[Proxy, Proxy]:
        socket = self.services.postgres.socket_folder / ".s.PGSQL.5432"
        postgres = Proxy(self.background, socket, watch=answers.connection)
        redis_ = Proxy(self.background, self.services.redis.port, watch=bells.connection)
        for proxy in (postgres, redis_):
            proxy.start()
        return postgres, redis_

    def _addresses(self, postgres: Proxy, redis_: Proxy) -> dict[str, str]:
        server = self.services.redis
        return {
            "DATABASE_URL": (
                f"postgresql://heddle@127.0.0.1:{postgres.port}/{self.product.database}"
                "?sslmode=disable&gssencmode=disable"
            ),
            "REDIS_URL": f"redis://:{server.password}@127.0.0.1:{redis_.port}/0",
        }

    # -- servers ----------------------------------------------------------------------------------

    def restart_postgres(self) -> None:
        """End PostgreSQL in immediate mode, as a crash does, and start it again."""
        self.services.end(POSTGRES, by=signal.SIGQUIT)
        self.services.start_postgres()

    def kill_everything(self) -> None:
        """End every process of the product and both servers at once."""
        for process in self.product.processes.values():
            process.send_signal(signal.SIGKILL)
        self.services.end(POSTGRES, by=signal.SIGKILL)
        self.services.end(REDIS, by=signal.SIGKILL)
        for worker in list(self.workers):
            self.kill(worker)
        for name in list(self.product.processes):
            child.end_group(self.product.processes.pop(name))

    def redis(self) -> "redis.Redis":
        """A client of the cluster's Redis."""
        return redis.Redis.from_url(self.services.redis.url, decode_responses=True)

    @contextmanager
    def database(self) -> Iterator["psycopg.Connection[tuple[Any, ...]]"]:
        """A connection to the product's database."""
        url = self.services.postgres.url(self.product.database)
        with psycopg.connect(url, autocommit=True, application_name="tests") as connection:
            yield connection

    def query(self, statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Read rows, on a connection of their own."""
        with self.database() as connection:
            return connection.execute(statement, parameters).fetchall()

    def terminate_backends(self) -> int:
        """Break all of the product's connections from the server's side; tells how many."""
        return len(
            self.query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'heddle'"
            )
        )

    def another_workspace(self) -> str:
        """Open a workspace of its own, and return a key to it."""
        return self.product.manage("shell", "--no-imports", "-v0", "-c", OPEN_WORKSPACE).strip()
