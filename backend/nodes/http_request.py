"""http.request: one call to an address of the web."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from backend.engine.json_values import storable, storable_text
from backend.engine.spec import Effects, KindSpec
from backend.nodes.base import Kind, NodeContext, NodeError, Outcome
from backend.nodes.fields import Settings, Static, Text, widget
from backend.providers import headers as http_headers
from backend.providers import web_address
from backend.providers.answers import excerpt, retry_after
from backend.providers.errors import CallFailed

if TYPE_CHECKING:
    from backend.providers.fetch import FetchRequest, FetchResponse

Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

#: Characters from which a secret is recognised in an answer.
_MIN_HIDDEN = 8
_FIRST_FAILURE = 400
_FIRST_SERVER_FAILURE = 500
_RETRYABLE = frozenset({408, 425, 429})
_HEADERS_WE_SET = frozenset({"host", "content-length", "transfer-encoding", "connection"})


class Config(Settings):
    """What to send, and what counts as a failure."""

    method: Annotated[Method, Static] = Field(
        default="GET",
        title="Method",
        description="GET and HEAD only read; every other method counts as changing something.",
        json_schema_extra=widget("select", fixed=True),
    )
    url: Text = Field(
        title="Address",
        description="Where to, with http:// or https://.",
        min_length=1,
        json_schema_extra=widget("template", placeholder="https://api.example.com/items"),
    )
    query: dict[str, Any] = Field(
        default_factory=dict,
        title="Query",
        description="Names and values after the question mark of the address.",
        json_schema_extra=widget("key-values"),
    )
    headers: dict[str, Text] = Field(
        default_factory=dict,
        title="Headers",
        description="Names and values. Secrets belong in a credential.",
        json_schema_extra=widget("key-values"),
    )
    body: Any = Field(
        default=None,
        title="Body",
        description="Text is sent as it is; objects, lists and numbers as JSON.",
        json_schema_extra=widget("json"),
    )
    credential: Annotated[str | None, Static] = Field(
        default=None,
        title="Credential",
        description="Whose secret to send along; only to the hosts that the credential names.",
        json_schema_extra=widget(
            "credential", fixed=True, kinds=["http_bearer", "http_basic", "http_header"]
        ),
    )
    fail_on_status: bool = Field(
        default=True,
        title="Fail on an error status",
        description="A status of 400 or more fails the node; else it is part of the output.",
        json_schema_extra=widget("switch"),
    )
    follow_redirects: bool = Field(
        default=False,
        title="Follow redirects",
        description="At most five; secrets are never sent on to another host.",
        json_schema_extra=widget("switch"),
    )
    timeout_s: Annotated[float, Field(gt=0, le=600)] = Field(
        default=60,
        title="Time limit (seconds)",
        description="For the whole answer; the node's own time limit holds as well.",
        json_schema_extra=widget("number"),
    )


def effects_of(config: Mapping[str, Any]) -> Effects:
    """A call that only reads has no effect on the outside; what is no plain method may have one."""
    return Effects.NONE if config.get("method", "GET") in ("GET", "HEAD") else Effects.OUTWARD


async def run(context: NodeContext, config: Config, _inputs: Mapping[str, Any]) -> Outcome:
    """Send the request and give status, headers and body."""
    # Imported here: a process that only shows the kind does without the client. Workers import
    # it before their first step.
    from backend.providers.fetch import fetch  # noqa: PLC0415

    try:
        request, private_host = await _build(context, config)
        policy = context.egress.allowing_url(config.url) if private_host else context.egress
        response = _hiding_secrets(await fetch(request, policy=policy), request)
    except CallFailed as error:
        raise NodeError.of_call(error) from error
    if config.fail_on_status and response.status >= _FIRST_FAILURE:
        raise _refused(config.method, response)
    return Outcome(
        output={
            "status": response.status,
            "headers": {name: storable_text(text) for name, text in response.headers.items()},
            "body": _read_body(response),
        }
    )


async def _build(context: NodeContext, config: Config) -> "tuple[FetchRequest, bool]":
    """Put the request together; tells also whether its credential allows a private host."""
    from backend.providers.fetch import FetchRequest  # noqa: PLC0415 - as in run()

    url = web_address.parse(config.url)
    if config.query:
        url = web_address.with_query(url, list(_query(config.query)))
    headers = _checked_headers(config.headers)
    content, content_type = _write_body(config.body)
    if content_type and "content-type" not in headers:
        headers["content-type"] = content_type
    if config.method not in {"GET", "HEAD"}:
        headers.setdefault("idempotency-key", context.idempotency_key)
    secret_headers: dict[str, str] = {}
    allow_private = False
    if config.credential is not None:
        credential = await context.credential(config.credential, kind=None)
        secret_headers = credential.headers_for(host=url.host or "", port=url.port or 0)
        allow_private = credential.allow_private
    request = FetchRequest(
        method=config.method,
        url=str(url),
        headers={**headers, **secret_headers},
        content=content,
        secret_headers=frozenset(secret_headers),
        follow_redirects=config.follow_redirects,
        deadline_s=config.timeout_s,
    )
    return request, allow_private


def _hiding_secrets(response: "FetchResponse", request: "FetchRequest") -> "FetchResponse":
    """Take out of an answer the secrets that were sent: who reads the step may not know them."""
    if not request.secret_headers:
        return response
    content, headers = response.content, dict(response.headers)
    for secret in _secrets_of(request):
        content = content.replace(secret.encode(), b"***")
        headers = {name: text.replace(secret, "***") for name, text in headers.items()}
    return replace(response, content=content, headers=headers)


def _secrets_of(request: "FetchRequest") -> Iterator[str]:
    for name in request.secret_headers:
        whole = request.headers[name]
        # With its scheme first, as in `Bearer …`; a short secret would be found in any text.
        yield from (text for text in (whole, whole.partition(" ")[2]) if len(text) >= _MIN_HIDDEN)


def _query(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        for item in value if isinstance(value, list) else [value]:
            if value is not None:
                yield name, _plain(item)


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _checked_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Lower-case the names and refuse what would change the request itself."""
    checked = {name.strip().lower(): value for name, value in headers.items()}
    for name in checked.keys() & _HEADERS_WE_SET:
        raise NodeError("header_refused", f"The header “{name}” is set by Heddle itself.")
    http_headers.check(checked)
    return checked


def _write_body(body: Any) -> tuple[bytes, str | None]:
    if body is None:
        return b"", None
    if isinstance(body, str):
        return body.encode(), "text/plain; charset=utf-8"
    return json.dumps(body, ensure_ascii=False).encode(), "application/json"


def _read_body(response: "FetchResponse") -> Any:
    """Parse JSON by its content type; everything else is text."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if response.content and (kind == "application/json" or kind.endswith("+json")):
        try:
            return storable(json.loads(response.content, parse_constant=_no_constant))
        except (ValueError, RecursionError):
            pass
    return _decode(response)


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _decode(response: "FetchResponse") -> str:
    try:
        return storable_text(response.content.decode(response.charset or "utf-8", "replace"))
    except LookupError:
        return storable_text(response.content.decode("utf-8", "replace"))


def _refused(method: str, response: "FetchResponse") -> NodeError:
    status = response.status
    where = web_address.place(web_address.parse(response.url))
    said = excerpt(_decode(response))
    return NodeError(
        "http_status",
        f"{method} {where} answered {status}{f': {said}' if said else ''}.",
        retryable=status in _RETRYABLE or status >= _FIRST_SERVER_FAILURE,
        retry_after_s=retry_after(response.headers),
    )


KIND = Kind(
    spec=KindSpec(
        kind="http.request",
        version=1,
        title="HTTP request",
        summary="Calls an address of the web and gives its answer.",
        family="calls",
        icon="http",
        config_model=Config,
        output=(
            "`{status, headers, body}`; header names are lower-case, "
            "the body is parsed if it is JSON, else text."
        ),
        effects=effects_of,
    ),
    run=run,
)
