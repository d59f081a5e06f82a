"""Model endpoints that speak OpenAI's protocol, through the official client."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import httpx2
import openai

from backend.engine.json_values import storable_text
from backend.providers import endpoint_errors
from backend.providers.egress import CONNECT_TIMEOUT_S, client_for
from backend.providers.egress_policy import EgressPolicy, EgressRefused
from backend.providers.errors import CallFailed

#: Seconds without a byte after which an endpoint counts as hung; nodes have their own time-out.
_SILENCE_S = 300.0
_MAX_TEXT_CHARS = 4_000_000
_MAX_ENDPOINTS = 256
_MAX_TOKENS = 2**53
#: Parameters that can be left out, with the words by which endpoints refuse them.
_REFUSED_AS = {
    "stream_options": ("stream_options", "include_usage"),
    "response_format": ("response_format", "json_schema", "structured output"),
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


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """How many tokens a call took."""

    input: int
    output: int


@dataclass(frozen=True, kw_only=True)
class ChatAnswer:
    """What the model said; `tokens` is None where the endpoint does not tell."""

    text: str
    tokens: Tokens | None
    finish_reason: str | None


class Endpoint:
    """A model endpoint, with what has been learnt about it."""

    def __init__(self, *, base_url: str, secret: str, policy: EgressPolicy) -> None:
        self.base_url = base_url.rstrip("/")
        self._secret = secret
        #: Optional parameters that were refused, with the models that refused them.
        self._refused: set[tuple[str, str]] = set()
        self._client = openai.AsyncOpenAI(
            base_url=self.base_url,
            # Local servers want none, but the library insists on one.
            api_key=secret or "none",
            http_client=client_for(policy, packed=False),
            max_retries=0,
            timeout=httpx2.Timeout(_SILENCE_S, connect=CONNECT_TIMEOUT_S),
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
        # The client's generic call: its typed one spends more on building models of every piece
        # than everything else takes together, which shows when hundreds of calls run at once.
        stream = await self._client.post(
            "/chat/completions",
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
            return await self._read_stream(stream, on_text)
        finally:
            await stream.response.aclose()

    async def _read_stream(self, chunks: AsyncIterator[object], on_text: OnText) -> ChatAnswer:
        answer = _Heard()
        async for chunk in chunks:
            try:
                piece = answer.hear(chunk, part="delta")
            except (TypeError, AttributeError, LookupError) as error:
                raise self._rubbish(str(chunk)) from error
            if piece:
                await on_text(piece)
            if answer.length > _MAX_TEXT_CHARS:
                raise CallFailed("endpoint_too_large", f"{self._who} does not stop talking.")
        if not answer.chunks:
            raise self._rubbish("an empty stream")
        if answer.finish_reason is None:
            message = f"{self._who} broke off in the middle of its answer."
            raise CallFailed("endpoint_cut", message, retryable=True)
        return answer.whole()

    async def _read_whole(self, content: bytes, on_text: OnText) -> ChatAnswer:
        """Read the answer of an endpoint that does not stream."""
        answer = _Heard()
        try:
            body = json.loads(content)
            body["choices"][0]
            piece = answer.hear(body, part="message")
        except (ValueError, TypeError, AttributeError, LookupError) as error:
            raise self._rubbish(content[:10_000].decode("utf-8", "replace")) from error
        await on_text(piece)
        return answer.whole()


@dataclass
class _Heard:
    """What an endpoint has said so far."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    chunks: int = 0
    tokens: Tokens | None = None
    finish_reason: str | None = None

    def hear(self, chunk: Any, *, part: str) -> str:
        """Take one piece of an answer in, and give the text that it adds."""
        self.chunks += 1
        if usage := chunk.get("usage"):
            self.tokens = Tokens(
                input=_count(usage.get("prompt_tokens")),
                output=_count(usage.get("completion_tokens")),
            )
        choices = chunk.get("choices")
        if not choices:
            return ""
        choice = choices[0]
        self.finish_reason = choice.get("finish_reason") or self.finish_reason
        text = storable_text(str((choice.get(part) or {}).get("content") or ""))
        self.pieces.append(text)
        self.length += len(text)
        return text

    def whole(self) -> ChatAnswer:
        """Put the pieces together."""
        return ChatAnswer(
            text="".join(self.pieces), tokens=self.tokens, finish_reason=self.finish_reason
        )


def _count(told: Any) -> int:
    try:
        count = int(told or 0)
    except OverflowError:
        count = -1
    if not 0 <= count < _MAX_TOKENS:
        raise ValueError(f"{told} cannot be a count of tokens")
    return count


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


def _key_header(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key} if key else {}
