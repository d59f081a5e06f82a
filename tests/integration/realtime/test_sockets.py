import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, ParamSpec, TypeVar

import pytest
import redis
from asgiref.sync import sync_to_async
from django.conf import settings
from django.utils import timezone

from backend.config.asgi import application
from backend.realtime import consumers
from backend.runs import dispatch
from backend.runs.models import EventChunk, Run
from backend.runs.writes import micros
from backend.workflows.models import Workflow
from backend.workflows.services.graphs import runnable_graph
from tests.integration.people import ABSENT, Person, create_workflow
from tests.integration.realtime.browser_socket import BrowserSocket

pytestmark = pytest.mark.django_db(transaction=True)

ORIGIN = settings.HEDDLE_PUBLIC_URL
P = ParamSpec("P")
R = TypeVar("R")


def in_thread(function: Callable[P, R]) -> Callable[P, Any]:
    return sync_to_async(function)


@in_thread
def make_run(person: Person) -> Run:
    workflow = Workflow.objects.get(id=create_workflow(person)["id"])
    graph = runnable_graph(workspace_id=person.workspace.id, document=workflow.document)
    run = Run.objects.create(
        workspace=person.workspace, workflow=workflow, graph=graph, trigger="api"
    )
    append(run, "run.created")
    return run


def append(run: Run, *types: str, status: str | None = None, announce: bool = True) -> None:
    """Write events as the engine does: together in a row, then the hint."""
    now = timezone.now()
    run.refresh_from_db()
    first, last = run.event_seq + 1, run.event_seq + len(types)
    told: list[Any] = [[type_, micros(now), None, None, None, None, {}] for type_ in types]
    EventChunk.objects.create(run=run, first=first, last=last, events=told)
    Run.objects.filter(id=run.id).update(event_seq=last)
    if status:
        Run.objects.filter(id=run.id).update(status=status, finished_at=now)
    if announce:
        hint = dispatch.Hint(
            run_id=run.id,
            workspace_id=run.workspace_id,
            workflow_id=run.workflow_id,
            seq=last,
            status=status or "running",
        )
        dispatch.announce(hints=[hint])


@asynccontextmanager
async def socket(
    path: str, person: Person | None, *, origin: str | None = ORIGIN
) -> AsyncIterator[BrowserSocket]:
    headers = [(b"origin", origin.encode())] if origin else []
    if person is not None:
        cookie = person.browser.cookies[settings.SESSION_COOKIE_NAME].value
        headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode()))
    browser = BrowserSocket(application, path, headers)
    try:
        yield browser
    finally:
        await browser.close()


async def test_a_run_is_told_from_its_first_event_and_then_as_it_goes_on(alice: Person) -> None:
    run = await make_run(alice)
    async with socket(f"/ws/runs/{run.id}/", alice) as browser:
        assert await browser.open()
        first = await browser.frames(1)
        await in_thread(append)(run, "run.started")
        second = await browser.frames(1)

    assert first[0]["event"]["type"] == "run.created"
    assert set(first[0]["event"]) == {
        *("seq", "type", "at", "step_id", "node", "path", "attempt", "data")
    }
    assert second[0]["event"]["seq"] == 2


async def test_a_browser_that_comes_back_misses_nothing(alice: Person) -> None:
    run = await make_run(alice)
    await in_thread(append)(run, "run.started", "step.ready", "step.started")
    async with socket(f"/ws/runs/{run.id}/?after=2", alice) as browser:
        assert await browser.open()
        told = await browser.frames(2)

    assert [frame["event"]["seq"] for frame in told] == [3, 4]


async def test_a_lost_hint_costs_time_and_no_event(alice: Person) -> None:
    run = await make_run(alice)
    async with socket(f"/ws/runs/{run.id}/", alice) as browser:
        assert await browser.open()
        await browser.frames(1)
        await in_thread(append)(run, "run.started", announce=False)
        told = await browser.frames(1)

    assert told[0]["event"]["seq"] == 2


async def test_text_is_told_once_although_it_comes_twice(
    alice: Person, empty_redis: redis.Redis
) -> None:
    run = await make_run(alice)
    step = str(ABSENT)
    async with socket(f"/ws/runs/{run.id}/?after=1", alice) as browser:
        assert await browser.open()
        for offset, text in ((0, "Hel"), (0, "Hel"), (2, "llo"), (5, "!")):
            entry = {"step_id": step, "attempt": 1, "offset": offset, "text": text}
            empty_redis.xadd(dispatch.delta_stream(run.id), entry)  # type: ignore[arg-type]
        told = [frame["delta"] for frame in await browser.frames(3)]

    assert "".join(delta["text"] for delta in told) == "Hello!"
    assert [delta["offset"] for delta in told] == [0, 3, 5]
    assert told[0] == {"step_id": step, "attempt": 1, "offset": 0, "text": "Hel"}


async def test_a_workspace_is_told_of_each_change_of_status(alice: Person) -> None:
    run = await make_run(alice)
    async with socket(f"/ws/workspaces/{alice.workspace.id}/", alice) as browser:
        assert await browser.open()
        before = await browser.frames(1)
        await in_thread(append)(run, "run.succeeded", status="succeeded")
        after = await browser.frames(1)

    assert before == [
        {"run": {"id": str(run.id), "workflow_id": str(run.workflow_id), "status": "queued"}}
    ]
    assert after[0]["run"]["status"] == "succeeded"


async def test_the_installation_is_shown_to_its_administrators_alone(
    ada: Person, alice: Person
) -> None:
    async with socket("/ws/monitoring/", ada) as browser:
        assert await browser.open()
        told = await browser.frames(2)
    async with socket("/ws/monitoring/", alice) as browser:
        assert not await browser.open()

    assert set(told[0]["monitoring"]) == {
        *("workers", "lanes", "runs", "throughput", "latency", "failures", "health")
    }
    assert json.dumps(told[1])


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "https://evil.example",
        "http://127.0.0.1.evil.example:8000",
        "https://127.0.0.1:8000",
        "http://127.0.0.1:8001",
    ],
)
async def test_a_page_from_elsewhere_opens_no_socket(alice: Person, origin: str | None) -> None:
    path = f"/ws/workspaces/{alice.workspace.id}/"
    async with socket(path, alice, origin=origin) as browser:
        assert not await browser.open()


async def test_strangers_and_others_open_no_socket(alice: Person, charlie: Person) -> None:
    run = await make_run(alice)
    paths = [
        f"/ws/runs/{run.id}/",
        f"/ws/runs/{ABSENT}/",
        f"/ws/workspaces/{alice.workspace.id}/",
        f"/ws/workspaces/{ABSENT}/",
        "/ws/monitoring/",
    ]
    for path in paths:
        for person in (charlie, None):
            async with socket(path, person) as browser:
                assert not await browser.open(), path


@pytest.mark.parametrize("after", ["x", "-1", "1e3", str(2**70)])
async def test_a_cursor_that_is_none_is_refused(alice: Person, after: str) -> None:
    run = await make_run(alice)
    async with socket(f"/ws/runs/{run.id}/?after={after}", alice) as browser:
        assert not await browser.open()


@pytest.mark.parametrize("how", ["signed out", "left the workspace", "disabled"])
async def test_a_socket_closes_when_its_person_may_watch_no_longer(
    alice: Person, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "RECHECK_S", 0.05)
    run = await make_run(alice)
    async with socket(f"/ws/runs/{run.id}/", alice) as browser:
        assert await browser.open()
        await browser.frames(1)
        await in_thread(end)(alice, how)
        code = await browser.closing_code()

    assert code == consumers.SIGNED_OUT


def end(person: Person, how: str) -> None:
    if how == "signed out":
        person.browser.logout()
    elif how == "disabled":
        person.user.is_active = False
        person.user.save()
    else:
        person.user.memberships.all().delete()


async def test_an_address_that_leads_nowhere_opens_no_socket(alice: Person) -> None:
    async with socket("/ws/nothing/", alice) as browser:
        assert not await browser.open()
