"""One cluster for each way of running, shared by the tests of that way."""

import random
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from tests.faults.harness.background import Background
from tests.faults.harness.cluster import Cluster
from tests.faults.trial import Trial


@pytest.fixture(scope="session")
def background() -> Iterator[Background]:
    """The thread of proxies and of the effect recorder."""
    made = Background()
    yield made
    made.close()


@pytest.fixture(
    scope="session",
    params=[
        pytest.param("0", marks=pytest.mark.xdist_group("step-by-step"), id="step-by-step"),
        pytest.param("1", marks=pytest.mark.xdist_group("running-ahead"), id="running-ahead"),
    ],
)
def cluster(request: pytest.FixtureRequest, background: Background) -> Iterator[Cluster]:
    """A cluster that runs ahead of the commit, or does not."""
    made = Cluster(background, settings={"HEDDLE_RUN_AHEAD": request.param})
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.fixture
def trial(cluster: Cluster) -> Iterator[Trial]:
    """The whole cluster, with nothing seen yet and a sampler beside it."""
    with Trial(cluster, dice=random.Random(7)) as made:
        yield made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Show what the workers complained of when a test of theirs fails."""
    report = yield
    trial = getattr(item, "funcargs", {}).get("trial")
    if report.failed and isinstance(trial, Trial):
        report.sections.append(("the workers' errors", "\n".join(trial.cluster.logs.complaints())))
    return report
