import asyncio
import socket
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any

import httpx2
import pytest
from aiohttp import AddrInfoType, ClientSession

from backend.providers.addresses import Address
from backend.providers.egress import new_session, session_for
from backend.providers.egress_policy import EgressPolicy, EgressRefused
from backend.providers.errors import CallFailed
from backend.providers.fetch import FetchRequest, FetchResponse, fetch
from backend.providers.guarded_network import GuardedSockets
from backend.providers.httpx_client import client_for
from tests.mock_endpoint import MockEndpoint, running

LOCAL = EgressPolicy.parse("127.0.0.1")


async def get(
    url: str, policy: EgressPolicy = LOCAL, *, session: ClientSession | None = None, **more: Any
) -> FetchResponse:
    return await fetch(FetchRequest(method="GET", url=url, **more), policy=policy, session=session)


def kept_connections(session: ClientSession) -> list[Any]:
    kept = session.connector._conns  # type: ignore[union-attr]
    return [connection for stack in kept.values() for connection in stack]


@pytest.mark.parametrize(
    "spelling",
    [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0x7f000001",
        "0177.0.0.1",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "0.0.0.0",  # noqa: S104 - an address that must be refused
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[fe80::1]",
        "１２７.０.０.１",
        "127。0。0。1",
        "①②⑦.⓪.⓪.①",
    ],
)
async def test_no_spelling_of_this_machine_is_reached(server: MockEndpoint, spelling: str) -> None:
    with pytest.raises(CallFailed) as caught:
        await get(f"http://{spelling}:{server.port}/echo", EgressPolicy())

    assert caught.value.code in {"egress_refused", "url_invalid", "http_unreachable"}
    assert server.record.requests == []


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "//example.com/",
        "example.com",
        "http://",
        "http://user:password@example.com/",
        "http://example.com@127.0.0.1:{port}/",
        "http://[::1",
        "",
    ],
)
async def test_what_is_no_web_address_is_refused(server: MockEndpoint, url: str) -> None:
    with pytest.raises(CallFailed) as caught:
        await get(url.replace("{port}", str(server.port)))

    assert caught.value.code == "url_invalid"
    assert server.record.requests == []


async def test_a_name_that_turns_private_after_the_check_is_not_followed(
    server: MockEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([["93.184.216.34"], ["127.0.0.1"], ["127.0.0.1"]])
    connected: list[Any] = []

    async def rebinding(host: str, port: int) -> Sequence[Address]:
        return [ip_address(text) for text in next(answers)]

    async def connect(_: socket.socket, address: Any) -> None:
        connected.append(address)
        raise ConnectionRefusedError("stop here")

    monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", connect)
    async with new_session(EgressPolicy(), resolve=rebinding) as session:
        with pytest.raises(CallFailed, match="stop here"):
            await get("http://rebinding.example:8080/", EgressPolicy(), session=session)
        with pytest.raises(CallFailed, match="private"):
            await get("http://rebinding.example:8080/", EgressPolicy(), session=session)

    assert connected == [("93.184.216.34", 8080)]
    assert server.record.requests == []


async def test_all_addresses_of_a_name_must_be_public(server: MockEndpoint) -> None:
    async def both(host: str, port: int) -> Sequence[Address]:
        return [ip_address("93.184.216.34"), ip_address("127.0.0.1")]

    async with new_session(EgressPolicy(), resolve=both) as session:
        with pytest.raises(CallFailed, match="private"):
            await get("http://both.example:8080/", EgressPolicy(), session=session)


async def test_connections_that_open_together_share_one_look_up() -> None:
    asked = 0

    async def slow(host: str, port: int) -> Sequence[Address]:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        return [ip_address("10.0.0.1")]

    async with new_session(EgressPolicy(), resolve=slow) as session:
        results = await asyncio.gather(
            *(get("http://same.example/", EgressPolicy(), session=session) for _ in range(20)),
            return_exceptions=True,
        )

    assert [getattr(result, "code", None) for result in results] == ["egress_refused"] * 20
    assert asked == 1


@pytest.mark.parametrize(
    "target",
    [
        (socket.AF_UNIX, socket.SOCK_STREAM, 0, "", "/run/docker.sock"),
        (socket.AF_INET, socket.SOCK_STREAM, 0, "", ("93.184.216.34", 80)),
    ],
)
def test_nothing_connects_that_no_call_asked_for(target: AddrInfoType) -> None:
    with pytest.raises(EgressRefused):
        GuardedSockets(EgressPolicy())(target)


async def test_proxies_of_the_environment_are_not_used(
    server: MockEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{server.port}")
    monkeypatch.setenv("ALL_PROXY", f"http://127.0.0.1:{server.port}")

    with pytest.raises(CallFailed):
        await get("http://10.255.255.1/", EgressPolicy())

    assert server.record.requests == []


async def test_redirects_are_not_followed_unless_asked(server: MockEndpoint) -> None:
    response = await get(f"{server.url}/redirect?to=/echo")

    assert response.status == 302
    assert len(server.record.requests) == 1


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
async def test_every_redirect_is_checked_again(server: MockEndpoint, code: int) -> None:
    target = f"http://localhost:{server.port}/echo"

    with pytest.raises(CallFailed) as caught:
        await get(f"{server.url}/redirect?code={code}&to={target}", follow_redirects=True)

    assert caught.value.code == "egress_refused"
    assert [r["path"].split("?")[0] for r in server.record.requests] == ["/redirect"]


async def test_redirects_end_after_five(server: MockEndpoint) -> None:
    with pytest.raises(CallFailed) as caught:
        await get(f"{server.url}/redirect", follow_redirects=True)

    assert caught.value.code == "http_redirects"
    assert len(server.record.requests) == 6


async def test_secrets_stay_with_their_origin(server: MockEndpoint) -> None:
    headers = {"Authorization": "a", "Cookie": "b", "x-key": "c", "x-open": "d"}
    async with running() as other:
        await get(
            f"{server.url}/redirect?to={other.url}/echo",
            follow_redirects=True,
            headers=headers,
            secret_headers=frozenset({"x-key"}),
        )
        seen = other.record.requests[0]["headers"]

    assert seen["x-open"] == "d"
    assert not {"authorization", "cookie", "x-key"} & seen.keys()
    assert server.record.requests[0]["headers"]["authorization"] == "a"


async def test_secrets_follow_within_their_origin(server: MockEndpoint) -> None:
    await get(
        f"{server.url}/redirect?to=/echo", follow_redirects=True, headers={"authorization": "a"}
    )

    assert server.record.requests[1]["headers"]["authorization"] == "a"


@pytest.mark.parametrize(
    ("code", "method", "arrives"),
    [
        (301, "POST", "GET"),
        (302, "POST", "GET"),
        (303, "PUT", "GET"),
        (307, "POST", "POST"),
        (308, "PUT", "PUT"),
    ],
)
async def test_a_redirect_keeps_or_changes_the_method_by_its_code(
    server: MockEndpoint, code: int, method: str, arrives: str
) -> None:
    request = FetchRequest(
        method=method,
        url=f"{server.url}/redirect?code={code}&to=/echo",
        content=b"body",
        follow_redirects=True,
    )

    await fetch(request, policy=LOCAL)

    last = server.record.requests[-1]
    assert (last["method"], last["body"]) == (arrives, "" if arrives == "GET" else "body")


@pytest.mark.parametrize("packed", ["", "&gzip=1"])
async def test_an_answer_is_cut_off_at_its_limit_after_unpacking(
    server: MockEndpoint, packed: str
) -> None:
    url = f"{server.url}/payload?n=5000000{packed}"

    with pytest.raises(CallFailed) as caught:
        await get(url, max_bytes=1_000_000)

    assert caught.value.code == "http_too_large"
    assert len((await get(url, max_bytes=5_000_000)).content) == 5_000_000


async def test_a_packing_that_nobody_asked_for_is_refused(server: MockEndpoint) -> None:
    with pytest.raises(httpx2.DecodingError):
        await client_for(LOCAL).get(
            f"{server.url}/payload?gzip=1", headers={"accept-encoding": "gzip"}
        )


async def test_the_deadline_covers_the_whole_answer(server: MockEndpoint) -> None:
    with pytest.raises(CallFailed) as caught:
        await get(f"{server.url}/sleep?ms=60000", deadline_s=0.05)

    assert caught.value.code == "http_timeout"
    assert caught.value.retryable


async def test_a_closed_port_is_worth_another_try() -> None:
    with pytest.raises(CallFailed) as caught:
        await get("http://127.0.0.1:1/")

    assert (caught.value.code, caught.value.retryable) == ("http_unreachable", True)
    assert "http://127.0.0.1:1/" in caught.value.message


async def test_no_cookies_are_kept_between_calls(server: MockEndpoint) -> None:
    await get(f"{server.url}/echo")
    await get(f"{server.url}/echo")

    assert all("cookie" not in request["headers"] for request in server.record.requests)


async def test_hundreds_of_calls_run_at_once_and_their_connections_are_used_again(
    server: MockEndpoint,
) -> None:
    for _ in range(2):
        await asyncio.gather(*(get(f"{server.url}/sleep?ms=400") for _ in range(200)))

    assert server.record.max_in_flight == 200
    assert len(kept_connections(session_for(LOCAL))) == 200


async def test_a_cancelled_call_gives_no_connection_back(server: MockEndpoint) -> None:
    async with new_session(LOCAL) as session:
        call = asyncio.ensure_future(get(f"{server.url}/sleep?ms=60000", session=session))
        await server.record.arrived.wait()

        call.cancel()
        await asyncio.wait([call])

        assert kept_connections(session) == []
