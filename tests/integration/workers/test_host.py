import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection

from backend.runs.models import WorkerSession
from tests.integration.people import make_person
from tests.integration.runs.hand_worker import document, start, work
from workers import database, host
from workers.host import Loop
from workers.keeper import Keeper
from workers.sandbox.evaluator import Evaluator

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_connection_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop's threads would keep theirs, and the test's database could not be removed."""

    def call(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        finally:
            connection.close()

    monkeypatch.setattr(database, "_call", call)


@pytest.fixture
def own_evaluator() -> Iterator[Evaluator]:
    with Evaluator(processes=1) as evaluator:
        yield evaluator


@pytest.mark.parametrize(
    ("ahead", "part"), [(False, (Loop, "_on_finished")), (True, (Keeper, "_stored"))]
)
def test_a_process_that_cannot_store_any_more_gives_up_its_session(
    monkeypatch: pytest.MonkeyPatch,
    settings: LazySettings,
    own_evaluator: Evaluator,
    *,
    ahead: bool,
    part: tuple[type, str],
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("a fault")

    async def scene() -> bool:
        loop = Loop(lane="io", slots=10, evaluator=own_evaluator)
        await loop.prepare()
        async with asyncio.timeout(60):
            return await loop.serve()

    monkeypatch.setattr(host, "DRAIN_S", 0.2)
    settings.HEDDLE_RUN_AHEAD = ahead
    monkeypatch.setattr(*part, broken)
    start(make_person("alice"), document([work("a")], []))

    asked_to_stop = asyncio.run(scene())

    assert not asked_to_stop
    assert WorkerSession.objects.get().state == "stopped"
