"""Invariants that are looked at from outside when all is over: readers, and what is left behind."""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress

import psutil

from tests.faults.harness.cluster import Cluster
from tests.faults.harness.starter import Book, Starter
from tests.faults.snapshot import Snapshot
from tests.faults.verdicts import Verdict
from tests.waiting import wait_until

#: Runs that are read again from other places in their logs.
READ = 5
MAX_WORKER_MIB = 350
#: What one process may keep open when it is idle, on average.
MAX_CONNECTIONS = 16
#: Transactions that nobody goes on with; one that has just begun is at work.
STUCK = """
SELECT count(*) FROM pg_stat_activity
WHERE application_name = 'heddle' AND starts_with(state, 'idle in transaction')
AND state_change < clock_timestamp() - interval '3 seconds'
"""
CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'heddle'"
IN_USE = """
SELECT coalesce(sum(in_use), 0) FROM runs_workersession
WHERE state = 'alive' AND expires_at > clock_timestamp()
"""


def readers_agree(snapshot: Snapshot, book: Book, dice: random.Random) -> Verdict:
    """I9: whoever reads on from any cursor ends with the same log."""
    verdict = Verdict("I9", "Readers who come back at any cursor end with the same log")
    chosen = dice.sample(sorted(snapshot.runs), min(READ, len(snapshot.runs)))
    for run_id in chosen:
        starter = book.starters[run_id]
        whole = _read_on(starter, run_id, after=0)
        numbers = [event["seq"] for event in whole]
        known = [event.seq for event in snapshot.events[run_id]]
        verdict.expect(numbers == known, f"{run_id}: {len(numbers)} of {len(known)} events read")
        cursor = dice.randrange(len(known) + 1)
        rest = _read_on(starter, run_id, after=cursor)
        verdict.expect(rest == whole[cursor:], f"{run_id}: read on from {cursor}, and it differs")
    return verdict


def nothing_is_left_behind(cluster: Cluster) -> Verdict:
    """I13: slots, transactions, connections, queues and memory are back where they were."""
    verdict = Verdict("I13", "Slots, connections, queues and memory return to their baseline")
    is_free = _comes_true(lambda: cluster.query(IN_USE)[0][0] == 0)
    verdict.expect(is_free, f"{cluster.query(IN_USE)[0][0]} slots are in use by nobody")
    stuck, connected = cluster.query(STUCK)[0][0], cluster.query(CONNECTIONS)[0][0]
    most = MAX_CONNECTIONS * len(cluster.product.processes)
    verdict.expect(stuck == 0, f"{stuck} transactions are left open")
    verdict.expect(connected <= most, f"{connected} connections are open, {most} were expected")
    verdict.expect(
        _comes_true(lambda: _wake_ups(cluster) <= 1), f"{_wake_ups(cluster)} wake-ups are left"
    )
    for worker in cluster.workers:
        mib = _resident_mib([worker.pid])
        verdict.expect(mib < MAX_WORKER_MIB, f"{worker.name} holds {mib:.0f} MiB")
    return verdict


def _comes_true(condition: Callable[[], bool]) -> bool:
    with suppress(AssertionError):
        return wait_until(condition, what="the baseline", within_s=20, every_s=0.2)
    return False


def _wake_ups(cluster: Cluster) -> int:
    """How many messages wait for Celery."""
    with cluster.redis() as client:
        return int(client.llen("heddle:io"))


def _read_on(starter: Starter, run_id: str, *, after: int) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    while True:
        page = starter.get(f"runs/{run_id}/events/", after=after)
        found += page["results"]
        if page["next"] is None:
            return found
        after = page["results"][-1]["seq"]


def _resident_mib(pids: Sequence[int]) -> float:
    return float(sum(psutil.Process(pid).memory_info().rss for pid in pids)) / 2**20
