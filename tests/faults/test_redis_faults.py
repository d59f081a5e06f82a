"""Redis forgets, dies, stays away, or hangs; doorbells are lost and ring too often."""

import signal

from backend.config.celery import app as celery
from backend.runs.dispatch import WORK_TASK, bell_channel
from tests.faults.harness.cluster import Cluster
from tests.faults.trial import Trial
from tests.services import REDIS
from tests.waiting import wait_until

AWAY_S = 10
BELL = bell_channel("io")


def listeners(cluster: Cluster) -> int:
    with cluster.redis() as client:
        return int(client.pubsub_numsub(BELL)[0][1])


def everyone_listens_again(trial: Trial) -> None:
    """No worker stays deaf."""
    wait_until(
        lambda: listeners(trial.cluster) >= len(trial.cluster.workers),
        what=f"{len(trial.cluster.workers)} listeners",
    )


def test_runs_go_on_when_redis_forgets_everything(trial: Trial) -> None:
    flushed = 0
    for _ in range(5):
        trial.load(4)
        with trial.cluster.redis() as client:
            flushed += bool(client.flushall())

    trial.assert_sound()
    assert flushed == 5


def test_runs_go_on_when_redis_dies_and_comes_back_empty(trial: Trial) -> None:
    everyone_listens_again(trial)
    trial.hold(8)
    trial.load(8)

    trial.cluster.services.end(REDIS, by=signal.SIGKILL)
    trial.cluster.services.start_redis()
    trial.load(3)
    trial.recorder.open("gate")

    trial.assert_sound()
    everyone_listens_again(trial)


def test_runs_start_and_end_while_redis_is_away(trial: Trial) -> None:
    trial.hold(8)
    trial.cluster.services.end(REDIS)

    trial.recorder.open("gate")
    trial.go_on_for(AWAY_S)
    trial.wait_for_ends()
    trial.cluster.services.start_redis()

    trial.assert_sound()
    everyone_listens_again(trial)
    assert trial.cluster.logs.said("redis_unreachable") > 0


def test_runs_go_on_when_redis_connections_break_and_hang(trial: Trial) -> None:
    everyone_listens_again(trial)
    for _ in range(3):
        trial.load(3)
        for worker in trial.workers:
            worker.redis.cut()
    for worker in trial.workers:
        worker.redis.swallow()
    trial.load(5)
    trial.wait_for_ends()
    for worker in trial.workers:
        worker.heal()

    trial.assert_sound()
    everyone_listens_again(trial)
    assert all(worker.redis.counts.cut > 0 for worker in trial.workers)
    assert all(worker.redis.counts.swallowed_bytes > 0 for worker in trial.workers)


def test_doorbells_may_ring_ten_times_or_late_or_for_nothing(trial: Trial) -> None:
    everyone_listens_again(trial)
    for worker in trial.workers:
        worker.bells.copies = 10
    trial.load(8)
    ring_for_nothing(trial.cluster, times=50)
    trial.load(4)
    trial.wait_for_ends()
    ring_for_nothing(trial.cluster, times=50)

    trial.assert_sound()
    assert sum(worker.bells.added for worker in trial.workers) > 0


def test_doorbells_may_all_be_lost(trial: Trial) -> None:
    everyone_listens_again(trial)
    for worker in trial.workers:
        worker.bells.copies = 0

    trial.go_on_for(4, every_s=0.3)

    trial.assert_sound()
    assert all(worker.bells.dropped > 0 for worker in trial.workers)


def ring_for_nothing(cluster: Cluster, *, times: int) -> None:
    """Ring both ways, however little there is to do."""
    with cluster.redis() as client:
        for _ in range(times):
            client.publish(BELL, "")
    with celery.connection_for_write(cluster.services.redis.url) as broker:
        for _ in range(times):
            celery.send_task(WORK_TASK, kwargs={"lane": "io"}, queue="io", connection=broker)
