import asyncio
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from backend.runs.models import Run
from tests.integration.people import ABSENT, Person
from tests.integration.realtime.test_sockets import append, make_run

pytestmark = pytest.mark.django_db(transaction=True)


def url(run: Run) -> str:
    return f"/api/v1/runs/{run.id}/events/"


async def ask(person: Person, address: str, **headers: str) -> Any:
    client = AsyncClient()
    await sync_to_async(client.force_login)(person.user)
    return await client.get(address, headers={"Accept": "text/event-stream", **headers})


async def whole(answer: Any) -> str:
    async with asyncio.timeout(20):
        return b"".join([part async for part in answer.streaming_content]).decode()


def told(text: str) -> list[dict[str, str]]:
    """The frames of a stream, without its comments."""
    blocks = [block for block in text.split("\n\n") if block and not block.startswith(":")]
    return [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]


async def test_the_stream_tells_every_event_and_ends_with_the_run(alice: Person) -> None:
    run = await make_run(alice)
    await sync_to_async(append)(run, "run.started", "run.succeeded", status="succeeded")

    answer = await ask(alice, url(run))
    frames = told(await whole(answer))

    assert answer["Content-Type"] == "text/event-stream"
    assert [frame["id"] for frame in frames] == ["1", "2", "3"]
    assert [frame["event"] for frame in frames] == ["run.created", "run.started", "run.succeeded"]
    assert json.loads(frames[2]["data"])["seq"] == 3


async def test_the_stream_goes_on_while_the_run_does(alice: Person) -> None:
    run = await make_run(alice)
    answer = await ask(alice, url(run))
    reading = asyncio.create_task(whole(answer))

    await sync_to_async(append)(run, "run.started")
    await sync_to_async(append)(run, "run.failed", status="failed")

    assert [frame["id"] for frame in told(await reading)] == ["1", "2", "3"]


@pytest.mark.parametrize(("query", "headers"), [("?after=2", {}), ("", {"Last-Event-ID": "2"})])
async def test_the_stream_goes_on_from_a_number(
    alice: Person, query: str, headers: dict[str, str]
) -> None:
    run = await make_run(alice)
    await sync_to_async(append)(run, "run.started", "run.succeeded", status="succeeded")

    answer = await ask(alice, url(run) + query, **headers)

    assert [frame["id"] for frame in told(await whole(answer))] == ["3"]


async def test_a_stream_is_refused_in_json(alice: Person, charlie: Person) -> None:
    run = await make_run(alice)

    foreign = await ask(charlie, url(run))
    absent = await ask(alice, f"/api/v1/runs/{ABSENT}/events/")
    rubbish = await ask(alice, url(run), **{"Last-Event-ID": "x"})
    stranger = await AsyncClient().get(url(run), headers={"Accept": "text/event-stream"})

    codes = [foreign.status_code, absent.status_code, rubbish.status_code, stranger.status_code]
    assert codes == [404, 404, 400, 401]
    assert foreign.json()["code"] == "not_found"


async def test_the_same_address_gives_the_events_as_json(alice: Person) -> None:
    run = await make_run(alice)

    answer = await ask(alice, url(run), Accept="application/json")

    assert answer.json()["results"][0]["type"] == "run.created"
