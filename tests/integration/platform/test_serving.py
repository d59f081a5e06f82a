import threading
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from backend.accounts.services import create_api_key
from backend.config.serving import Handler
from backend.runs import read, views
from backend.runs.dispatch import Hint, announce
from backend.runs.models import Run
from backend.runs.tailer import stop_tailer
from tests.integration.people import Person, create_workflow
from tests.integration.platform.web_process import Exchange
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

Ask = Callable[..., Exchange]


@pytest.fixture
async def ask(alice: Person) -> Any:
    """Ask a web process that has one thread for all its requests."""
    handler = Handler(threads=1)
    _, key = await sync_to_async(create_api_key)(
        workspace_id=alice.workspace.id, user_id=alice.user.id, name="test", scopes=["read", "run"]
    )
    yield lambda method, url, body=b"": Exchange(handler, method, url, key=key, body=body)
    await stop_tailer()
    await handler.on_thread(connections.close_all)
    await sync_to_async(connections.close_all)()


@pytest.fixture
async def address(alice: Person) -> str:
    workflow = await sync_to_async(create_workflow)(alice)
    return f"/api/v1/workflows/{workflow['id']}/runs/"


async def runs_of(alice: Person, count: int) -> list[Run]:
    """Wait until so many runs have been made."""

    def made() -> list[list[Run]] | None:
        found = list(Run.objects.filter(workspace_id=alice.workspace.id))
        return [found] if len(found) == count else None

    return (await sync_to_async(wait_until)(made, what=f"{count} runs"))[0]


async def end(run: Run) -> None:
    """End a run as a worker would, and say so."""
    hint = Hint(run.id, run.workspace_id, run.workflow_id, run.event_seq, "cancelled")
    await sync_to_async(Run.objects.filter(id=run.id).update)(status="cancelled")
    await sync_to_async(announce)(hints=[hint])


async def test_those_who_wait_for_their_runs_hold_no_thread(
    ask: Ask, address: str, alice: Person
) -> None:
    waiting = [await ask("POST", f"{address}?wait=60", b"{}").send() for _ in range(5)]
    runs = await runs_of(alice, 5)

    other = await (await ask("GET", "/api/v1/runs/").send()).answer()
    assert len(other.json()["results"]) == 5
    assert [await one.has_nothing_to_say() for one in waiting] == [True] * 5

    for run in runs:
        await end(run)
    answers = [await one.answer() for one in waiting]

    assert {answer.status for answer in answers} == {201}
    assert {answer.json()["status"] for answer in answers} == {"cancelled"}
    assert {UUID(answer.json()["id"]) for answer in answers} == {run.id for run in runs}


async def test_an_end_that_nobody_told_is_found_all_the_same(
    ask: Ask, address: str, alice: Person
) -> None:
    waiting = await ask("POST", f"{address}?wait=60", b"{}").send()
    (run,) = await runs_of(alice, 1)

    await sync_to_async(Run.objects.filter(id=run.id).update)(status="cancelled")

    assert (await waiting.answer()).json()["status"] == "cancelled"


async def test_a_wait_that_is_over_is_answered_with_the_run_as_it_is(
    ask: Ask, address: str
) -> None:
    answer = await (await ask("POST", f"{address}?wait=0.1", b"{}").send()).answer()

    assert (answer.status, answer.json()["status"]) == (201, "queued")


async def test_an_answer_that_waited_carries_what_the_others_do(ask: Ask, address: str) -> None:
    at_once = await (await ask("POST", address, b"{}").send()).answer()
    later = await (await ask("POST", f"{address}?wait=0.1", b"{}").send()).answer()

    assert later.headers.keys() == at_once.headers.keys()
    assert later.headers["content-security-policy"] == at_once.headers["content-security-policy"]
    assert int(later.headers["content-length"]) == len(later.body)
    assert later.json().keys() == at_once.json().keys()


async def test_a_result_that_cannot_be_read_after_the_wait_is_a_refusal(
    ask: Ask, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(*_: object) -> None:
        raise read.ResultUnreadable("A large result is not in the result store.")

    monkeypatch.setattr(views, "run_detail", unreadable)

    answer = await (await ask("POST", f"{address}?wait=0.1", b"{}").send()).answer()

    assert (answer.status, answer.json()["code"]) == (503, "result_unreadable")


async def test_a_fault_after_the_wait_tells_nothing_of_the_inside(
    ask: Ask, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(views, "run_detail", broken)

    answer = await (await ask("POST", f"{address}?wait=0.1", b"{}").send()).answer()

    assert (answer.status, answer.json()["code"]) == (500, "internal")
    assert b"secret" not in answer.body
    assert "content-security-policy" in answer.headers


async def test_who_goes_away_is_not_waited_for(ask: Ask, address: str, alice: Person) -> None:
    waiting = await ask("POST", f"{address}?wait=60", b"{}").send()
    await runs_of(alice, 1)
    assert await waiting.has_nothing_to_say()

    await waiting.leave()


async def test_a_stream_holds_no_thread(ask: Ask, address: str) -> None:
    run = (await (await ask("POST", address, b"{}").send()).answer()).json()
    stream = ask("GET", f"/api/v1/runs/{run['id']}/events/")
    stream.accept("text/event-stream")
    await stream.send()
    assert (await stream.beginning())["status"] == 200

    other = await (await ask("GET", f"/api/v1/runs/{run['id']}/").send()).answer()

    assert other.status == 200
    await stream.leave()


async def test_no_thread_keeps_a_connection_between_requests(ask: Ask) -> None:
    await (await ask("GET", "/api/v1/runs/").send()).answer()

    def held() -> list[object]:
        return [one.connection for one in connections.all(initialized_only=True)]

    handler = ask("GET", "/").handler
    assert await handler.on_thread(held) == [None]
    assert await handler.on_thread(threading.current_thread) is not threading.current_thread()


async def test_a_malformed_request_is_refused(ask: Ask) -> None:
    exchange = ask("GET", "/api/v1/runs/")
    exchange.scope["headers"] = [(b"host", b"evil.example")]

    assert (await (await exchange.send()).answer()).status == 400


async def test_a_body_in_several_pieces_is_read_whole(ask: Ask, address: str) -> None:
    exchange = ask("POST", address, b'{"inputs": {"who"')

    await exchange.send(more=True)
    await exchange.send_more(b': "you"}}')

    assert (await exchange.answer()).json()["inputs"] == {"who": "you"}


async def test_who_leaves_before_the_body_is_whole_starts_nothing(
    ask: Ask, address: str, alice: Person
) -> None:
    exchange = ask("POST", address, b'{"inputs"')

    await exchange.send(more=True)
    await exchange.leave()

    assert await runs_of(alice, 0) == []
