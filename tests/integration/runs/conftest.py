"""An evaluator for the session, and workers that a test drives by hand."""

from collections.abc import Callable, Iterator

import pytest

from tests.integration.people import Person
from tests.integration.runs.hand_worker import HandWorker, start
from workers.sandbox.evaluator import Evaluator


@pytest.fixture(scope="session")
def evaluator() -> Iterator[Evaluator]:
    with Evaluator(processes=1) as evaluator:
        yield evaluator


@pytest.fixture
def worker(db: None, evaluator: Evaluator) -> HandWorker:
    """A worker process with a session of its own that does only what a test tells it."""
    return HandWorker(evaluator)


@pytest.fixture
def another_worker(db: None, evaluator: Evaluator) -> HandWorker:
    return HandWorker(evaluator)


@pytest.fixture
def start_run(alice: Person) -> Callable[..., object]:
    """Start a run of a document in Alice's workspace."""
    return lambda document, **options: start(alice, document, **options)
