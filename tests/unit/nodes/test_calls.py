import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from backend.engine.budget import Estimate
from backend.engine.spec import Effects
from backend.nodes import llm_chat
from backend.nodes.base import NodeError, Outcome
from backend.nodes.registry import KINDS
from backend.providers.credential import Credential
from backend.providers.egress_policy import EgressPolicy
from backend.providers.secret import Secret
from tests.mock_endpoint import MockEndpoint
from tests.unit.nodes.context import StepContext, model_endpoint


async def run(kind: str, config: dict[str, Any], context: StepContext | None = None) -> Outcome:
    chosen = KINDS[kind]
    assert chosen.run is not None
    loaded = chosen.spec.load_config(config)
    outcome = await chosen.run(context or StepContext(), loaded, {})
    assert isinstance(outcome, Outcome)
    return outcome


async def request(config: dict[str, Any], context: StepContext | None = None) -> Any:
    return (await run("http.request", config, context)).output


async def failure(kind: str, config: dict[str, Any], context: StepContext | None = None) -> Any:
    with pytest.raises(NodeError) as caught:
        await run(kind, config, context)
    return caught.value


async def test_a_request_gives_status_lower_case_headers_and_parsed_json(
    server: MockEndpoint,
) -> None:
    output = await request({"url": f"{server.url}/echo", "query": {"q": "ä b", "l": [1, 2]}})

    assert output["status"] == 200
    assert output["headers"]["x-mixed-case"] == "yes"
    assert output["body"]["method"] == "GET"
    assert server.record.requests[0]["path"] == "/echo?q=%C3%A4+b&l=1&l=2"


@pytest.mark.parametrize(
    ("method", "effects"),
    [
        (None, Effects.NONE),
        ("GET", Effects.NONE),
        ("HEAD", Effects.NONE),
        ("POST", Effects.OUTWARD),
        ("DELETE", Effects.OUTWARD),
        ("{{ inputs.method }}", Effects.OUTWARD),
        (["GET"], Effects.OUTWARD),
    ],
)
def test_only_calls_that_read_are_without_effect(method: Any, effects: Effects) -> None:
    config = {"url": "http://example.com/"} | ({"method": method} if method else {})

    assert KINDS["http.request"].spec.effects_of(config) is effects


async def test_a_get_carries_no_idempotency_key_and_a_post_does(server: MockEndpoint) -> None:
    await request({"url": f"{server.url}/echo"})
    await request({"url": f"{server.url}/echo", "method": "POST"})

    keys = [r["headers"].get("idempotency-key") for r in server.record.requests]
    assert keys == [None, "key-of-the-step"]


@pytest.mark.parametrize(
    ("body", "sent", "kind"),
    [
        ({"a": "ü"}, '{"a": "ü"}', "application/json"),
        ([1, None], "[1, null]", "application/json"),
        ("plain", "plain", "text/plain; charset=utf-8"),
        (5, "5", "application/json"),
    ],
)
async def test_a_body_is_sent_as_what_it_is(
    server: MockEndpoint, body: Any, sent: str, kind: str
) -> None:
    await request({"url": f"{server.url}/echo", "method": "PUT", "body": body})

    [seen] = server.record.requests
    assert (seen["body"], seen["headers"]["content-type"]) == (sent, kind)


async def test_a_content_type_that_is_given_stands(server: MockEndpoint) -> None:
    headers = {"Content-Type": "application/vnd.example+json"}
    await request({"url": f"{server.url}/echo", "method": "POST", "headers": headers, "body": {}})

    seen = server.record.requests[0]["headers"]["content-type"]
    assert seen == "application/vnd.example+json"


@pytest.mark.parametrize(
    ("kind", "body", "value"),
    [
        ("application/json", '{"a": 1}', {"a": 1}),
        ("application/problem%2Bjson; charset=utf-8", '{"a": 1}', {"a": 1}),
        ("application/json", "not json", "not json"),
        ("application/json", '{"a": NaN}', '{"a": NaN}'),
        ("application/json", "", ""),
        ("application/json", "[" * 200 + "]" * 200, "[" * 200 + "]" * 200),
        ("text/plain", '{"a": 1}', '{"a": 1}'),
        ("text/plain; charset=latin-1", "%C3%A9", "é"),
        ("text/plain; charset=nonsense", "x", "x"),
        ("text/plain", "a%00b", "a\ufffdb"),
        ("application/json", '{"a%5Cu0000": "%5Cu0000%5Cud800"}', {"a\ufffd": "\ufffd?"}),
    ],
)
async def test_the_body_is_json_by_its_content_type_and_else_text(
    server: MockEndpoint, kind: str, body: str, value: Any
) -> None:
    charset = "latin-1" if "latin" in kind else "utf-8"
    url = f"{server.url}/text?type={kind}&body={body}&charset={charset}"

    assert (await request({"url": url}))["body"] == value


async def test_an_error_status_fails_and_says_what_came_back(server: MockEndpoint) -> None:
    error = await failure("http.request", {"url": f"{server.url}/status/404?secret=1"})

    assert (error.code, error.retryable) == ("http_status", False)
    assert error.message == f'GET {server.url}/status/404 answered 404: {{"status": 404}}.'


@pytest.mark.parametrize("status", [408, 429, 500, 503])
async def test_passing_troubles_are_worth_another_try(server: MockEndpoint, status: int) -> None:
    error = await failure("http.request", {"url": f"{server.url}/status/{status}"})

    assert error.retryable
    assert error.retry_after_s == (3 if status == 429 else None)


async def test_an_error_status_may_be_an_answer(server: MockEndpoint) -> None:
    config = {"url": f"{server.url}/status/500", "fail_on_status": False}

    assert (await request(config))["status"] == 500


async def test_a_credential_is_sent_to_its_hosts_only(server: MockEndpoint) -> None:
    held = Credential(
        id="c", kind="http_bearer", secret=Secret("s3cret"), hosts=(f"127.0.0.1:{server.port}",)
    )
    context = StepContext(credentials={"c": held}, egress=EgressPolicy.parse("127.0.0.1,localhost"))

    await request({"url": f"{server.url}/echo", "credential": "c"}, context)
    other = f"http://localhost:{server.port}/echo"
    error = await failure("http.request", {"url": other, "credential": "c"}, context)

    assert error.code == "credential_host"
    seen = [r["headers"].get("authorization") for r in server.record.requests]
    assert seen == ["Bearer s3cret"]


async def test_a_server_that_repeats_the_secret_does_not_make_it_known(
    server: MockEndpoint,
) -> None:
    held = Credential(
        id="c", kind="http_bearer", secret=Secret('"status": 500'), hosts=("127.0.0.1",)
    )
    context = StepContext(credentials={"c": held})

    error = await failure(
        "http.request", {"url": f"{server.url}/status/500", "credential": "c"}, context
    )
    output = await request(
        {"url": f"{server.url}/echo", "credential": "c"},
        StepContext(credentials={"c": replace(held, secret=Secret("s3cret-of-the-test"))}),
    )

    assert "answered 500: {***}" in error.message
    assert output["body"]["headers"]["authorization"] == "***"


async def test_a_credential_may_allow_its_private_host(server: MockEndpoint) -> None:
    held = Credential(
        id="c",
        kind="http_bearer",
        secret=Secret("s3cret"),
        hosts=("127.0.0.1",),
        allow_private=True,
    )
    context = StepContext(credentials={"c": held}, egress=EgressPolicy())

    output = await request({"url": f"{server.url}/echo", "credential": "c"}, context)

    assert output["status"] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil"},
        {"host: evil\t": "c"},
        {"Host:": "evil"},
        {"a\nb": "c"},
        {"a b": "c"},
        {"ä": "c"},
        {"": "c"},
        {"a": "b\r\nc: d"},
        {"a": "b\x00"},
        {"Content-Length": "1"},
        {" Transfer-Encoding": "chunked"},
    ],
)
async def test_headers_that_would_change_the_request_are_refused(
    server: MockEndpoint, headers: dict[str, str]
) -> None:
    error = await failure("http.request", {"url": f"{server.url}/echo", "headers": headers})

    assert error.code == "header_refused"
    assert server.record.requests == []


async def test_a_private_address_is_refused_for_every_kind_that_calls(
    server: MockEndpoint,
) -> None:
    closed = StepContext(
        credentials={"default": model_endpoint(server.base_url)}, egress=EgressPolicy()
    )

    web = await failure("http.request", {"url": f"{server.url}/echo"}, closed)
    model = await failure("llm.chat", {"prompt": "hi"}, closed)

    assert [web.code, model.code] == ["egress_refused", "egress_refused"]
    assert server.record.requests == []


async def test_a_model_call_streams_and_gives_text_and_usage(server: MockEndpoint) -> None:
    prices = {"echo": {"input": 1_000_000.0, "output": 2_000_000.0}}
    held = model_endpoint(server.base_url, prices=prices)
    context = StepContext(credentials={"default": held})

    outcome = await run("llm.chat", {"prompt": "say this"}, context)

    usage = {"input_tokens": 2, "output_tokens": 2, "cost": 6.0}
    assert outcome.output == {"text": "say this", "usage": usage}
    assert outcome.usage == usage
    assert context.emitted == ["say ", "this"]
    assert server.record.requests[0]["headers"]["idempotency-key"] == "key-of-the-step"


async def test_a_model_call_sends_instructions_messages_and_parameters(
    server: MockEndpoint,
) -> None:
    context = StepContext(credentials={"mine": model_endpoint(server.base_url)})
    messages = [{"role": "assistant", "content": "a"}, {"content": "b"}]

    await run(
        "llm.chat",
        {
            "credential": "mine",
            "model": "echo-2",
            "system": "Be brief.",
            "messages": messages,
            "params": {"temperature": 0, "max_tokens": 5},
        },
        context,
    )

    body = json.loads(server.record.requests[0]["body"])
    assert body["model"] == "echo-2"
    assert (body["temperature"], body["max_tokens"]) == (0, 5)
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "assistant", "content": "a"},
        {"role": "user", "content": "b"},
    ]


def estimated(**config: Any) -> Estimate:
    held = model_endpoint("http://models.example/v1", prices={"priced": {"output": 1_000_000.0}})
    loaded = KINDS["llm.chat"].spec.load_config({"prompt": "x" * 280, **config})
    assert isinstance(loaded, llm_chat.Config)
    return llm_chat.estimate(loaded, credential=held, model=loaded.model)


@pytest.mark.parametrize(
    ("params", "tokens"),
    [
        ({"max_tokens": 50}, 150),
        ({"max_completion_tokens": 60, "max_tokens": 50}, 160),
        ({}, 100 + 4096),
        ({"max_tokens": "many"}, 100 + 4096),
        ({"max_tokens": -1}, 100 + 4096),
    ],
)
def test_a_model_call_is_estimated_by_its_prompt_and_the_bound_of_its_answer(
    params: dict[str, Any], tokens: int
) -> None:
    assert estimated(params=params) == Estimate(tokens, None)


def test_a_model_call_with_a_schema_is_estimated_with_its_repair() -> None:
    once = estimated(params={"max_tokens": 50}, model="priced")
    twice = estimated(params={"max_tokens": 50}, model="priced", schema={"type": "object"})

    assert (once.cost, twice.cost) == (Decimal(50), Decimal(100))
    assert twice.tokens > 2 * once.tokens


async def test_a_model_call_with_a_schema_gives_data(server: MockEndpoint) -> None:
    server.record.script.append({"text": '{"a": 1}'})
    context = StepContext(credentials={"default": model_endpoint(server.base_url)})

    outcome = await run("llm.chat", {"prompt": "?", "schema": {"type": "object"}}, context)

    assert outcome.output["data"] == {"a": 1}


async def test_an_endpoint_that_an_administrator_allowed_may_be_private(
    server: MockEndpoint,
) -> None:
    held = model_endpoint(server.base_url, allow_private=True)
    context = StepContext(credentials={"default": held}, egress=EgressPolicy())

    assert (await run("llm.chat", {"prompt": "hi"}, context)).output["text"] == "hi"


async def test_a_model_call_without_credential_or_model_says_what_is_missing() -> None:
    nothing = await failure("llm.chat", {"prompt": "hi"})
    held = model_endpoint("http://127.0.0.1:1/v1", default_model="")
    no_model = await failure(
        "llm.chat", {"prompt": "hi"}, StepContext(credentials={"default": held})
    )

    assert [nothing.code, no_model.code] == ["credential_missing", "model_missing"]


async def test_a_failing_endpoint_fails_the_node_with_its_wait(server: MockEndpoint) -> None:
    held = model_endpoint(server.base_url, default_model="fault-429")

    error = await failure("llm.chat", {"prompt": "hi"}, StepContext(credentials={"default": held}))

    assert (error.code, error.retryable, error.retry_after_s) == ("endpoint_busy", True, 7)


async def test_a_model_call_that_the_budget_does_not_allow_is_not_made(
    server: MockEndpoint,
) -> None:
    refusal = NodeError("budget_exceeded", "The run's budget does not suffice.")
    context = StepContext(credentials={"default": model_endpoint(server.base_url)}, refusal=refusal)

    error = await failure("llm.chat", {"prompt": "x", "params": {"max_tokens": 7}}, context)

    assert error is refusal
    assert context.reserved == [Estimate(7 + 7, None)]
    assert server.record.requests == []
