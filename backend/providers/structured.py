"""Answers that follow a JSON Schema, with one chance to repair what does not."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from backend.engine import schemas
from backend.engine.json_values import NotJson, to_json
from backend.providers.chat_answer import ChatAnswer, Tokens
from backend.providers.errors import CallFailed
from backend.providers.openai_endpoint import ChatRequest, Endpoint, OnText

_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)
_MAX_SHOWN = 5


@dataclass(frozen=True, kw_only=True)
class StructuredAnswer:
    """What the model said, and the value that it stands for."""

    text: str
    data: Any
    tokens: Tokens | None


@dataclass(frozen=True)
class _Wrong:
    reason: str


async def chat_structured(
    endpoint: Endpoint, request: ChatRequest, *, schema: Mapping[str, Any], on_text: OnText
) -> StructuredAnswer:
    """Ask for JSON that follows `schema`; if what comes does not, ask once more.

    Raises:
        CallFailed: The call failed, or the second answer does not follow the schema either.
    """
    try:
        schemas.compile_schema(schema)
    except schemas.SchemaInvalid as error:
        message = f"The schema of the answer is no JSON Schema: {error}."
        raise CallFailed("schema_invalid", message) from error
    request = _asking_for(request, schema)
    first = await endpoint.chat(request, on_text=on_text)
    value = _read(first.text, schema)
    if not isinstance(value, _Wrong):
        return StructuredAnswer(text=first.text, data=value, tokens=first.tokens)
    await on_text("\n\n")
    second = await endpoint.chat(_repairing(request, first, value), on_text=on_text)
    value = _read(second.text, schema)
    if isinstance(value, _Wrong):
        _give_up(endpoint, second, value)
    return StructuredAnswer(text=second.text, data=value, tokens=_sum(first.tokens, second.tokens))


def _asking_for(request: ChatRequest, schema: Mapping[str, Any]) -> ChatRequest:
    """Ask in words as well: not every endpoint takes, or heeds, the parameter."""
    order = (
        "Answer with JSON alone, without any words around it, that follows this JSON Schema:\n"
        + json.dumps(schema, ensure_ascii=False)
    )
    messages = list(request.messages)
    if messages and messages[0].get("role") == "system":
        messages[0] = {**messages[0], "content": f"{messages[0].get('content', '')}\n\n{order}"}
    else:
        messages.insert(0, {"role": "system", "content": order})
    response_format = {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": dict(schema)},
    }
    return replace(request, messages=messages, response_format=response_format)


def _repairing(request: ChatRequest, answer: ChatAnswer, wrong: _Wrong) -> ChatRequest:
    complaint = f"That does not fit: {wrong.reason} Answer again, with the corrected JSON alone."
    key = f"{request.idempotency_key}-repair" if request.idempotency_key else ""
    messages = [
        *request.messages,
        {"role": "assistant", "content": answer.text},
        {"role": "user", "content": complaint},
    ]
    return replace(request, messages=messages, idempotency_key=key)


def _read(text: str, schema: Mapping[str, Any]) -> Any | _Wrong:
    try:
        value = to_json(json.loads(_json_in(text), parse_constant=_refuse_constant))
    except (ValueError, NotJson, RecursionError) as error:
        return _Wrong(f"it is no JSON ({error}).")
    found = schemas.problems(schema, value)
    if not found:
        return value
    shown = [f"{path or 'the answer'}: {message}" for path, message in found[:_MAX_SHOWN]]
    return _Wrong("; ".join(shown) + ".")


def _json_in(text: str) -> str:
    """Find the JSON in an answer that wraps it in a fence or in words."""
    text = text.strip()
    if fenced := _FENCE.search(text):
        return fenced.group(1)
    starts = [at for at in (text.find("{"), text.find("[")) if at >= 0]
    ends = [at for at in (text.rfind("}"), text.rfind("]")) if at >= 0]
    if text[:1] in '{["' or not starts or not ends or max(ends) < min(starts):
        return text
    return text[min(starts) : max(ends) + 1]


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _give_up(endpoint: Endpoint, answer: ChatAnswer, wrong: _Wrong) -> NoReturn:
    cut = " It reached its limit of tokens." if answer.finish_reason == "length" else ""
    raise CallFailed(
        "schema_mismatch",
        f"The answer of {endpoint.base_url} does not follow the schema, also after one repair: "
        f"{wrong.reason}{cut}",
        retryable=True,
    )


def _sum(first: Tokens | None, second: Tokens | None) -> Tokens | None:
    if first is None or second is None:
        return first or second
    return Tokens(input=first.input + second.input, output=first.output + second.output)
