"""Model endpoints that speak OpenAI's protocol, through the official client."""

import asyncio
import contextlib
import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import httpx2
import openai

from backend.providers import endpoint_errors
from backend.providers.chat_answer import NO_CHUNK, ChatAnswer, Heard
from backend.providers.egress_policy import EgressPolicy, EgressRefused
from backend.providers.errors import CallFailed
from backend.providers.event_stream import EventData
from backend.providers.guarded_network import CONNECT_TIMEOUT_S
from backend.providers.httpx_client import client_for

#: Seconds without a byte after which an endpoint counts as hung; nodes have their own time-out.
_SILENCE_S = 300.0
_MAX_TEXT_CHARS = 4_000_000
_MAX_ENDPOINTS = 256
#: Bytes of rubbish from which an excerpt is made.
_SHOWN = 10_000
#: The event after the last piece, and the seconds that the stream then has to end; with its
#: end the connection can be used again.
_DONE = b"[DONE]"
_END_S = 0.1
#: Parameters that can be left out, with the words by which endpoints refuse them.
_REFUSED_AS = {
    "stream_options": ("stream_options", "include_usage"),
    "response_format": ("response_format", "json_schema", "structured output"),
}

#: Headers of the client that describe this machine, which is nobody's business.
_UNSENT: dict[str, Any] = {
    f"X-Stainless-{name}": openai.Omit()
    for name in ("Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version", "Async")
}

_WHAT_CALLS_RAISE = (
    openai.OpenAIError,
    httpx2.HTTPError,
    httpx2.StreamError,
    EgressRefused,
    ValueError,
)

OnText = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class ChatRequest:
    """One question to a model."""

    model: str
    messages: Sequence[Mapping[str, Any]]
    params: Mapping[str, Any] = field(default_factory=dict)
    response_format: Mapping[str, Any] | None = None
    idempotency_key: str = ""


class Endpoint:
    """A model endpoint, with what has been learnt about it."""

    def __init__(self, *, base_url: str, secret: str, policy: EgressPolicy) -> None:
        self.base_url = base_url.rstrip("/")
        self._chat_url = f"{self.base_url}/chat/completions"
        self._secret = secret
        #: Optional parameters that were refused, with the models that refused them.
        self._refused: set[tuple[str, str]] = set()
        self._client = openai.AsyncOpenAI(
            base_url=self.base_url,
            # Local servers want none, but the library insists on one.
            api_key=secret or "none",
            http_client=client_for(policy),
            max_retries=0,
            timeout=httpx2.Timeout(_SILENCE_S, connect=CONNECT_TIMEOUT_S),
            default_headers=_UNSENT,
        )

    async def chat(self, request: ChatRequest, *, on_text: OnText) -> ChatAnswer:
        """Ask, and pass the text on as it comes.

        Raises:
            CallFailed: The endpoint is down, refuses, or answers with something else.
        """
        try:
            return await self._chat(request, on_text)
        except CallFailed:
            raise
        except _WHAT_CALLS_RAISE as error:
            raise self._explain(error, request.model) from error

    async def list_models(self) -> list[str]:
        """Name the models that the endpoint offers.

        Raises:
            CallFailed: The endpoint is down, refuses, or answers with something else.
        """
        try:
            page = await self._client.models.list()
            return sorted(str(model.id) for model in page.data or ())
        except _WHAT_CALLS_RAISE as error:
            raise self._explain(error, "") from error
        except (AttributeError, TypeError) as error:
            raise self._rubbish("no list of models") from error

    @property
    def _who(self) -> str:
        return f"The model endpoint {self.base_url}"

    def _rubbish(self, what: str) -> CallFailed:
        return endpoint_errors.rubbish(self._who, what, secret=self._secret)

    def _explain(self, error: Exception, model: str) -> CallFailed:
        return endpoint_errors.explain(
            error, endpoint=self.base_url, model=model, secret=self._secret
        )

    async def _chat(self, request: ChatRequest, on_text: OnText) -> ChatAnswer:
        try:
            return await self._ask(request, on_text)
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            refused = self._refused_by(request, str(error))
            if refused is None:
                raise
            self._refused.add((request.model, refused))
            return await self._chat(request, on_text)

    def _refused_by(self, request: ChatRequest, message: str) -> str | None:
        """Name the optional parameter that a refusal is about."""
        for name in self._optional(request):
            if any(word in message.lower() for word in _REFUSED_AS[name]):
                return name
        return None

    def _optional(self, request: ChatRequest) -> dict[str, Any]:
        wanted = {
            "stream_options": {"include_usage": True},
            "response_format": request.response_format,
        }
        return {
            name: value
            for name, value in wanted.items()
            if value is not None and (request.model, name) not in self._refused
        }

    async def _ask(self, request: ChatRequest, on_text: OnText) -> ChatAnswer:
        # The client's generic call, of which the events are read by ourselves: building models
        # and iterators for every piece takes more than everything else together, which shows
        # when hundreds of calls run at once.
        stream = await self._client.post(
            self._chat_url,
            body={
                **request.params,
                "model": request.model,
                "messages": list(request.messages),
                "stream": True,
                **self._optional(request),
            },
            options={"headers": _key_header(request.idempotency_key)},
            cast_to=object,
            stream=True,
            stream_cls=openai.AsyncStream[object],
        )
        try:
            kind = stream.response.headers.get("content-type", "")
            if "json" in kind or "html" in kind:
                return await self._read_whole(await stream.response.aread(), on_text)
            return await self._read_stream(stream.response, on_text)
        finally:
            await stream.response.aclose()

    async def _read_stream(self, response: httpx2.Response, on_text: OnText) -> ChatAnswer:
        answer, events, parts = Heard(), EventData(), response.aiter_raw()
        async for part in parts:
            for data in events.feed(part):
                if data.startswith(_DONE):
                    await _read_to_end(parts)
                    return self._finished(answer)
                if piece := self._hear(answer, data, response):
                    await on_text(piece)
        return self._finished(answer)

    def _hear(self, answer: Heard, data: bytes, response: httpx2.Response) -> str:
        try:
            chunk = json.loads(data)
            if error := chunk.get("error"):
                raise openai.APIError(_message_of(error), response.request, body=error)
            piece = answer.hear(chunk, part="delta")
        except NO_CHUNK as error:
            raise self._rubbish(data[:_SHOWN].decode("utf-8", "replace")) from error
        if answer.length > _MAX_TEXT_CHARS:
            raise CallFailed("endpoint_too_large", f"{self._who} does not stop talking.")
        return piece

    def _finished(self, answer: Heard) -> ChatAnswer:
        if not answer.chunks:
            raise self._rubbish("an empty stream")
        if answer.finish_reason is None:
            message = f"{self._who} broke off in the middle of its answer."
            raise CallFailed("endpoint_cut", message, retryable=True)
        return answer.whole()

    async def _read_whole(self, content: bytes, on_text: OnText) -> ChatAnswer:
        """Read the answer of an endpoint that does not stream."""
        answer = Heard()
        try:
            body = json.loads(content)
            body["choices"][0]
            piece = answer.hear(body, part="message")
        except (*NO_CHUNK, ValueError) as error:
            raise self._rubbish(content[:_SHOWN].decode("utf-8", "replace")) from error
        await on_text(piece)
        return answer.whole()


_endpoints: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[Any, ...], Endpoint]] = (
    WeakKeyDictionary()
)


def endpoint_for(*, base_url: str, secret: str, policy: EgressPolicy) -> Endpoint:
    """Give the endpoint of this process and event loop; making one takes long, so it is kept."""
    known = _endpoints.setdefault(asyncio.get_running_loop(), {})
    key = (base_url, hashlib.sha256(secret.encode()).digest(), policy)
    endpoint = known.get(key)
    if endpoint is None:
        if len(known) >= _MAX_ENDPOINTS:
            known.pop(next(iter(known)))
        endpoint = known[key] = Endpoint(base_url=base_url, secret=secret, policy=policy)
    return endpoint


async def _read_to_end(parts: AsyncIterator[bytes]) -> None:
    with contextlib.suppress(TimeoutError, httpx2.HTTPError):
        async with asyncio.timeout(_END_S):
            async for _ in parts:
                pass


def _message_of(error: Any) -> str:
    message = error.get("message") if isinstance(error, dict) else error
    return str(message or "it does not say which")


def _key_header(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key} if key else {}
