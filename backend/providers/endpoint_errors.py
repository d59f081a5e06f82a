"""Says in words what a model endpoint did wrong, and whether it is worth trying again."""

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import openai

from backend.providers.answers import excerpt, retry_after
from backend.providers.egress_policy import EgressRefused
from backend.providers.errors import CallFailed

_RETRYABLE = frozenset({408, 409, 425, 429})
_FIRST_SERVER_ERROR = 500


def explain(error: Exception, *, endpoint: str, model: str, secret: str) -> CallFailed:
    """Turn what the client library raised into a failure that an author can act on."""
    failure = _explain(error, f"The model endpoint {endpoint}", model, secret)
    if secret:
        failure.message = failure.message.replace(secret, "***")
    return failure


def _explain(error: Exception, who: str, model: str, secret: str) -> CallFailed:
    refused = next((e for e in _chain(error) if isinstance(e, EgressRefused)), None)
    if refused is not None:
        return CallFailed("egress_refused", str(refused))
    match error:
        case openai.APIStatusError():
            return _of_status(error, who, model, secret)
        case openai.APITimeoutError() | httpx2.TimeoutException() | TimeoutError():
            return CallFailed("endpoint_timeout", f"{who} did not answer in time.", retryable=True)
        case openai.APIConnectionError() if not _broke_off(error):
            reason = next((str(e) for e in _chain(error.__cause__) if str(e)), str(error))
            return CallFailed(
                "endpoint_unreachable", f"{who} cannot be reached: {reason}.", retryable=True
            )
        case openai.APIConnectionError() | httpx2.HTTPError() | httpx2.StreamError():
            reason = str(error.__cause__ or error)
            message = f"{who} broke off in the middle of its answer: {reason}."
            return CallFailed("endpoint_cut", message, retryable=True)
        case json.JSONDecodeError() | openai.APIResponseValidationError() | UnicodeDecodeError():
            return rubbish(who, str(error), secret=secret)
        case openai.APIError():
            text = f"{who} reported an error: {excerpt(error.message, hiding=secret)}."
            return CallFailed("endpoint_error", text, retryable=True)
        case _:
            return rubbish(who, f"{type(error).__name__}: {error}", secret=secret)


def rubbish(who: str, what: str, *, secret: str) -> CallFailed:
    """Say that an answer is none that a model gives."""
    shown = excerpt(what, hiding=secret) or "nothing"
    message = f"{who} sent something that is no model's answer: {shown}"
    return CallFailed("endpoint_rubbish", message, retryable=True)


def _of_status(error: openai.APIStatusError, who: str, model: str, secret: str) -> CallFailed:
    status, said = error.status_code, excerpt(_said(error), hiding=secret)
    text = f"{who} answered {status}{f': {said}' if said else ''}."
    if status in {401, 403}:
        return CallFailed("endpoint_auth", f"{text} Check the key in the credential.")
    if status == httpx2.codes.NOT_FOUND:
        hint = f"Check the base URL, and that it has the model “{model}”."
        return CallFailed("endpoint_not_found", f"{text} {hint}")
    if error.code == "insufficient_quota":
        return CallFailed("endpoint_quota", text)
    code = "endpoint_busy" if status == httpx2.codes.TOO_MANY_REQUESTS else "endpoint_error"
    return CallFailed(
        code,
        text,
        retryable=status in _RETRYABLE or status >= _FIRST_SERVER_ERROR,
        retry_after_s=retry_after(error.response.headers),
    )


def _said(error: openai.APIStatusError) -> str:
    body: Any = error.body
    if isinstance(body, dict):
        return str(body.get("message") or body.get("detail") or body)
    return str(body or error.response.text)


def _broke_off(error: BaseException) -> bool:
    broken = (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.DecodingError)
    return any(isinstance(one, broken) for one in _chain(error))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
