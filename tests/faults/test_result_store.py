"""A result store that cannot be written to fails the step whose result it is, and nothing else."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.faults import graphs
from tests.faults.graphs import Document
from tests.faults.trial import Trial

LARGE = 4_000_000
#: Bytes by which a log may still grow; no file may become larger.
FULL = 200_000


def large_result(trial: Trial) -> Document:
    url = trial.recorder.url
    return graphs.line("Large", [graphs.call("large", url, f"payload?n={LARGE}")])


@contextmanager
def full_disk(trial: Trial) -> Iterator[None]:
    """Let the workers write no large file."""
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    logs = [trial.cluster.product.log(worker.name).stat().st_size for worker in trial.workers]
    limit = max(logs) + FULL
    assert limit < LARGE
    for worker in trial.workers:
        resource.prlimit(worker.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        for worker in trial.workers:
            resource.prlimit(worker.pid, resource.RLIMIT_FSIZE, unlimited)


@contextmanager
def read_only(trial: Trial) -> Iterator[None]:
    """Put a file where the folder was: root may write into every folder."""
    folder = trial.cluster.product.folder / "results"
    folder.mkdir(exist_ok=True)
    away = folder.rename(folder.with_name("results-away"))
    folder.touch()
    try:
        yield
    finally:
        folder.unlink()
        away.rename(folder)


@pytest.mark.parametrize("harm", [full_disk, read_only], ids=["full", "read-only"])
def test_a_result_that_cannot_be_stored_fails_its_step_alone(trial: Trial, harm: object) -> None:
    assert callable(harm)
    with harm(trial):
        run = trial.start(large_result(trial), endings=("failed",))
        trial.load(4)
        trial.wait_for_ends()
    after = trial.start(large_result(trial))

    trial.assert_sound()
    found = trial.look().runs
    assert (found[run].error or {}).get("code") == "result_not_storable"
    assert found[after].status == "succeeded"
    assert all(worker.process.poll() is None for worker in trial.workers)
