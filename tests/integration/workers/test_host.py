import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection

from backend.runs.live import LiveRun
from backend.runs.models import Run, WorkerSession
from tests.integration.people import make_person
from tests.integration.runs.hand_worker import (
    assert_consistent,
    document,
    each,
    give,
    loop,
    outputs,
    start,
    work,
)
from tests.waiting import wait_until
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


def whole() -> dict[str, Any]:
    """A graph with something of all: code, a map, a loop, a wait, a result."""
    nodes = [
        work("a", code="[3, 4]"),
        each(over="{{ nodes.a.output }}", result="{{ nodes.square.output }}"),
        work("square", code="item * item", parent="each"),
        {"id": "rest", "kind": "flow.wait", "parent": "each", "config": {"seconds": 0.01}},
        loop(times=3, state=1, next="{{ nodes.double.output }}"),
        work("double", code="state * 2", parent="loop"),
        give("end", "{{ [nodes.each.output, nodes.loop.output] }}"),
    ]
    edges = ["a -> each", "square -> rest", "a -> loop", "each -> end", "loop -> end"]
    return document(nodes, edges)


@pytest.mark.parametrize("ahead", [True, False])
def test_a_process_runs_graphs_to_their_ends_ahead_of_its_commits_or_behind_them(
    monkeypatch: pytest.MonkeyPatch,
    settings: LazySettings,
    own_evaluator: Evaluator,
    *,
    ahead: bool,
) -> None:
    kept: list[LiveRun] = []

    class Noting(Keeper):
        def keep(self, live: LiveRun) -> None:
            kept.append(live)
            super().keep(live)

    monkeypatch.setattr(host, "Keeper", Noting)
    settings.HEDDLE_RUN_AHEAD = ahead
    person = make_person("alice")
    runs = [start(person, whole()) for _ in range(3)]

    async def scene() -> bool:
        loop = Loop(lane="io", slots=50, evaluator=own_evaluator)
        await loop.prepare()
        serving = asyncio.create_task(loop.serve())
        await asyncio.to_thread(wait_for_the_ends)
        loop.stopping.set()
        return await serving

    asked_to_stop = asyncio.run(scene())

    assert asked_to_stop
    assert bool(kept) is ahead
    for run in runs:
        assert outputs(run) == {"end": [[9, 16], 8]}
        assert_consistent(run)


def wait_for_the_ends() -> None:
    try:
        wait_until(lambda: not Run.objects.unfinished().exists(), what="the ends of all runs")
    finally:
        connection.close()
