import asyncio
import json
from typing import Any

import pytest

from backend.providers.chat_answer import ChatAnswer
from backend.providers.egress import session_for
from backend.providers.egress_policy import EgressPolicy
from backend.providers.errors import CallFailed
from backend.providers.openai_endpoint import ChatRequest, Endpoint, endpoint_for
from backend.providers.structured import StructuredAnswer, chat_structured
from tests.mock_endpoint import MockEndpoint
from tests.unit.providers.raw_server import answering

LOCAL = EgressPolicy.parse("127.0.0.1")
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
SECRET = "sk-secret-of-the-test"


def endpoint(server: MockEndpoint) -> Endpoint:
    return endpoint_for(base_url=server.base_url, secret=SECRET, policy=LOCAL)


def question(model: str, **more: Any) -> ChatRequest:
    messages = [{"role": "user", "content": "one two three four"}]
    return ChatRequest(model=model, messages=messages, **more)


async def silent(_: str) -> None:
    return


async def ask(server: MockEndpoint, model: str, **more: Any) -> ChatAnswer:
    return await endpoint(server).chat(question(model, **more), on_text=silent)


async def ask_structured(server: MockEndpoint, model: str = "echo") -> StructuredAnswer:
    return await chat_structured(
        endpoint(server), question(model, idempotency_key="k"), schema=SCHEMA, on_text=silent
    )


def bodies(server: MockEndpoint) -> list[dict[str, Any]]:
    return [json.loads(request["body"]) for request in server.record.requests]


async def test_text_is_passed_on_as_it_comes_and_tokens_are_counted(server: MockEndpoint) -> None:
    pieces: list[str] = []

    async def collect(text: str) -> None:
        pieces.append(text)

    answer = await endpoint(server).chat(question("echo"), on_text=collect)

    assert pieces == ["one ", "two ", "three ", "four"]
    assert answer.text == "one two three four"
    assert answer.tokens is not None
    assert (answer.tokens.input, answer.tokens.output) == (4, 4)


async def test_parameters_key_and_idempotency_key_are_sent(server: MockEndpoint) -> None:
    await ask(server, "echo", params={"temperature": 0.5}, idempotency_key="step-1")

    [request] = server.record.requests
    assert bodies(server)[0]["temperature"] == 0.5
    assert request["headers"]["idempotency-key"] == "step-1"
    assert request["headers"]["authorization"] == f"Bearer {SECRET}"


async def test_an_endpoint_is_not_told_what_machine_asks(server: MockEndpoint) -> None:
    await ask(server, "echo")

    [request] = server.record.requests
    assert request["headers"]["user-agent"].startswith("AsyncOpenAI/")
    assert not {"x-stainless-os", "x-stainless-arch", "x-stainless-runtime-version"} & set(
        request["headers"]
    )


async def test_usage_that_is_not_told_is_unknown(server: MockEndpoint) -> None:
    assert (await ask(server, "no-usage")).tokens is None


async def test_a_refused_option_is_left_out_and_not_sent_again(server: MockEndpoint) -> None:
    await ask(server, "no-stream-options")
    await ask(server, "no-stream-options")

    assert ["stream_options" in body for body in bodies(server)] == [True, False, False]


async def test_an_empty_answer_is_an_answer(server: MockEndpoint) -> None:
    assert (await ask(server, "fault-empty")).text == ""


@pytest.mark.parametrize(
    ("model", "code", "retryable", "says"),
    [
        ("fault-429", "endpoint_busy", True, "answered 429: scripted 429."),
        ("fault-500", "endpoint_error", True, "answered 500: scripted 500."),
        ("fault-503", "endpoint_error", True, "answered 503"),
        ("fault-400", "endpoint_error", False, "answered 400"),
        ("fault-401", "endpoint_auth", False, "Check the key"),
        ("fault-404", "endpoint_not_found", False, "the model “fault-404”"),
        ("fault-rubbish", "endpoint_rubbish", True, "<html>this is no model</html>"),
        ("fault-cut", "endpoint_cut", True, "broke off in the middle"),
        ("odd-usage", "endpoint_rubbish", True, "a count of tokens"),
    ],
)
async def test_faults_name_the_endpoint_and_what_came_back(
    server: MockEndpoint, model: str, code: str, retryable: bool, says: str
) -> None:
    with pytest.raises(CallFailed) as caught:
        await ask(server, model)

    failure = caught.value
    assert (failure.code, failure.retryable) == (code, retryable)
    assert server.base_url in failure.message
    assert says in failure.message


async def test_the_wait_that_a_busy_endpoint_asks_for_is_passed_on(server: MockEndpoint) -> None:
    with pytest.raises(CallFailed) as caught:
        await ask(server, "fault-429")

    assert caught.value.retry_after_s == 7


async def test_the_key_never_shows_in_a_message(server: MockEndpoint) -> None:
    server.record.script.append({"fault": "500"})
    failing = endpoint_for(base_url=server.base_url, secret="scripted", policy=LOCAL)

    with pytest.raises(CallFailed) as caught:
        await failing.chat(question("echo"), on_text=silent)

    assert "answered 500: *** 500." in caught.value.message


async def test_the_key_never_shows_in_what_is_no_answer(server: MockEndpoint) -> None:
    rambling = endpoint_for(base_url=server.base_url, secret="<html>this", policy=LOCAL)

    with pytest.raises(CallFailed) as caught:
        await rambling.chat(question("fault-rubbish"), on_text=silent)

    assert caught.value.message.endswith("*** is no model</html>")


@pytest.mark.parametrize(
    ("base_url", "code", "retryable"),
    [
        ("http://127.0.0.1:1/v1", "endpoint_unreachable", True),
        ("http://10.0.0.1/v1", "egress_refused", False),
    ],
)
async def test_an_endpoint_that_cannot_be_reached_is_named(
    base_url: str, code: str, retryable: bool
) -> None:
    down = endpoint_for(base_url=base_url, secret="", policy=LOCAL)

    for call in (down.chat(question("m"), on_text=silent), down.list_models()):
        with pytest.raises(CallFailed) as caught:
            await call
        assert (caught.value.code, caught.value.retryable) == (code, retryable)


async def test_models_are_listed(server: MockEndpoint) -> None:
    assert "echo" in await endpoint(server).list_models()


async def test_a_page_that_is_no_list_of_models_is_rubbish(server: MockEndpoint) -> None:
    wrong = endpoint_for(base_url=f"{server.url}/rubbish/v1", secret="", policy=LOCAL)

    with pytest.raises(CallFailed) as caught:
        await wrong.list_models()

    assert caught.value.code == "endpoint_rubbish"


STREAMED = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
FINISHED = b'data: {"choices": [{"delta": {"content": "hi"}, "finish_reason": "stop"}]}\n\n'


@pytest.mark.parametrize(
    ("events", "code", "says"),
    [
        (b'data: {"error": {"message": "out of memory"}}\n\n', "endpoint_error", "out of memory"),
        (b'data: {"error": "overloaded"}\n\n', "endpoint_error", "overloaded"),
        (b"data: oh no\n\n", "endpoint_rubbish", "oh no"),
        (b"data: \xff\n\n", "endpoint_rubbish", ""),
        (b"data: " + b"[" * 100_000 + b"\n\n", "endpoint_rubbish", "[[["),
        (b"data: [1]\n\n", "endpoint_rubbish", "[1]"),
        (b"data: [DONE]\n\n", "endpoint_rubbish", "an empty stream"),
        (b": nothing\n\n", "endpoint_rubbish", "an empty stream"),
        (b'data: {"choices": [{"delta": {"content": "hi"}}]}\n\n', "endpoint_cut", "broke off"),
    ],
)
async def test_a_stream_that_goes_wrong_is_told(events: bytes, code: str, says: str) -> None:
    async with answering(STREAMED + events) as (url, _):
        wrong = endpoint_for(base_url=f"{url}v1", secret=SECRET, policy=LOCAL)
        with pytest.raises(CallFailed) as caught:
            await wrong.chat(question("echo"), on_text=silent)

    assert caught.value.code == code
    assert says in caught.value.message


async def test_a_stream_may_end_without_saying_so() -> None:
    async with answering(STREAMED + FINISHED) as (url, _):
        brief = endpoint_for(base_url=f"{url}v1", secret="", policy=LOCAL)

        assert (await brief.chat(question("echo"), on_text=silent)).text == "hi"


async def test_an_answer_is_complete_though_the_server_leaves_the_stream_open() -> None:
    async with answering(STREAMED + FINISHED + b"data: [DONE]\n\n", held_open=True) as (url, _):
        slow = endpoint_for(base_url=f"{url}v1", secret="", policy=LOCAL)

        assert (await slow.chat(question("echo"), on_text=silent)).text == "hi"


async def test_calls_one_after_another_use_the_same_connection(server: MockEndpoint) -> None:
    for _ in range(3):
        await ask(server, "echo")

    connector = session_for(LOCAL).connector
    assert connector is not None
    assert [len(kept) for kept in connector._conns.values()] == [1]


async def test_hundred_calls_run_at_once(server: MockEndpoint) -> None:
    await asyncio.gather(*(ask(server, "sleep-800ms") for _ in range(100)))

    assert server.record.max_in_flight == 100


async def test_structured_answers_are_parsed_and_the_schema_is_sent(server: MockEndpoint) -> None:
    server.record.script.append({"text": '{"a": 1}'})

    answer = await ask_structured(server)

    assert answer.data == {"a": 1}
    assert bodies(server)[0]["response_format"]["json_schema"]["schema"] == SCHEMA


@pytest.mark.parametrize(
    "text", ['```json\n{"a": 1}\n```', 'Sure! Here it is: {"a": 1}. Anything else?', ' {"a":1}\n']
)
async def test_json_is_found_inside_words_and_fences(server: MockEndpoint, text: str) -> None:
    server.record.script.append({"text": text})

    assert (await ask_structured(server)).data == {"a": 1}


async def test_a_wrong_answer_gets_one_chance_to_be_repaired(server: MockEndpoint) -> None:
    server.record.script.extend([{"text": '{"a": "x"}'}, {"text": '{"a": 2}'}])

    answer = await ask_structured(server)

    assert answer.data == {"a": 2}
    complaint = bodies(server)[1]["messages"][-1]["content"]
    assert '"x" is not of type "integer"' in complaint
    keys = [request["headers"]["idempotency-key"] for request in server.record.requests]
    assert keys == ["k", "k-repair"]


async def test_a_second_wrong_answer_fails_with_the_reason(server: MockEndpoint) -> None:
    server.record.script.extend([{"text": "no"}, {"text": '{"b": 2}'}])

    with pytest.raises(CallFailed, match='"a" is a required property') as caught:
        await ask_structured(server)

    assert caught.value.code == "schema_mismatch"


async def test_an_endpoint_without_structured_output_is_asked_in_words(
    server: MockEndpoint,
) -> None:
    server.record.script.extend([{"fault": "no-schema"}, {"text": '{"a": 3}'}])

    assert (await ask_structured(server, "some-model")).data == {"a": 3}
    assert "response_format" not in bodies(server)[1]
    assert "JSON Schema" in bodies(server)[1]["messages"][0]["content"]


async def test_a_schema_that_is_none_is_refused_before_the_call(server: MockEndpoint) -> None:
    with pytest.raises(CallFailed) as caught:
        await chat_structured(
            endpoint(server), question("echo"), schema={"type": "wrong"}, on_text=silent
        )

    assert caught.value.code == "schema_invalid"
    assert server.record.requests == []
