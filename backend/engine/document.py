"""The saved JSON, schema `heddle/1`: its shape, and how a malformed one is refused."""

import json
import keyword
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from backend.engine.errors import DomainError
from backend.engine.limits import DEFAULT_LIMITS, Limits

SCHEMA = "heddle/1"
ID_PATTERN = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


@dataclass(frozen=True)
class Issue:
    """One thing that is wrong with a document, written for its author.

    `path` names the place in the document, as in `nodes[3].config.prompt`.
    """

    code: str
    message: str
    node_id: str | None = None
    path: str = ""
    severity: Literal["error", "warning"] = "error"

    def to_json(self) -> dict[str, Any]:
        """The issue as the API shows it."""
        return asdict(self)


class DocumentMalformed(DomainError):
    """The document has not the shape of schema heddle/1; nothing of it can be saved."""

    code: ClassVar[str] = "malformed_document"


class DocumentTooLarge(DomainError):
    """The document is larger than the installation accepts."""

    code: ClassVar[str] = "document_too_large"
    status: ClassVar[int] = 413


def _checked_id(value: str) -> str:
    if not ID_PATTERN.fullmatch(value):
        raise ValueError(
            "an id starts with a letter or an underscore, goes on with letters, digits and "
            "underscores, and has at most 64 characters"
        )
    if keyword.iskeyword(value):
        raise ValueError(f"{value!r} is a keyword of Python and cannot be an id")
    return value


NodeId = Annotated[str, AfterValidator(_checked_id)]
ErrorCode = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Seconds = Annotated[float, Field(gt=0, le=7 * 24 * 3600)]
RunSeconds = Annotated[float, Field(ge=0.1, le=31 * 24 * 3600)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Retry(_Strict):
    """How often and how soon a failed attempt is repeated; waits are drawn up to the bound."""

    max_attempts: Annotated[int, Field(ge=1, le=20)] = 1
    backoff: Literal["exponential", "fixed"] = "exponential"
    initial_s: Annotated[float, Field(ge=0, le=3600)] = 1.0
    max_s: Annotated[float, Field(ge=0, le=24 * 3600)] = 30.0
    #: Codes of the errors to repeat after, whatever they say of themselves; else those that say
    #: that they may pass.
    on: Annotated[list[ErrorCode], Field(max_length=50)] = Field(default_factory=list)


class Cache(_Strict):
    """Whether a result may be reused. `off` runs the node every time."""

    mode: Literal["off"] = "off"


class Policy(_Strict):
    """What the engine does around a node's own work."""

    #: How long one attempt may run.
    timeout_s: Seconds | None = None
    #: How long the step may be ready before an attempt starts.
    queue_timeout_s: Seconds | None = None
    #: How long an attempt may show no sign of life, such as a piece of text.
    idle_timeout_s: Seconds | None = None
    retry: Retry = Retry()
    on_error: Literal["fail", "continue", "route"] = "fail"
    cache: Cache = Cache()
    #: What becomes of the step when the worker that runs it is lost; without it the engine
    #: decides by what the node does to the outside.
    on_lost: Literal["rerun", "hold", "fail"] | None = None


class Budget(_Strict):
    """What a run may use up, and what happens once it has."""

    tokens: Annotated[int, Field(ge=0, le=10**12)] | None = None
    cost: Annotated[float, Field(ge=0, le=10**9, allow_inf_nan=False)] | None = None
    steps: Annotated[int, Field(ge=1, le=10**9)] | None = None
    wall_s: RunSeconds | None = None
    on_exceeded: Literal["fail", "pause"] = "fail"

    @model_validator(mode="after")
    def _bounds_something(self) -> Self:
        if all(one is None for one in (self.tokens, self.cost, self.steps, self.wall_s)):
            raise ValueError("give at least one of tokens, cost, steps and wall_s")
        return self


class Node(_Strict):
    """One node as its author wrote it. `config` belongs to the kind and is checked by it."""

    id: NodeId
    kind: Annotated[str, Field(min_length=1, max_length=100)]
    kind_version: Annotated[int, Field(ge=1)] | None = None
    label: Annotated[str, Field(max_length=200)] = ""
    config: dict[str, Any] = Field(default_factory=dict)
    policy: Policy = Policy()
    disabled: bool = False
    #: The container that the node stands in.
    parent: NodeId | None = None


class Edge(_Strict):
    """A connection. Each end is a node's id, or `id:port`."""

    from_: Annotated[str, Field(alias="from", min_length=1, max_length=200)]
    to: Annotated[str, Field(min_length=1, max_length=200)]


class Document(_Strict):
    """A workflow as it is saved, exchanged and run."""

    schema_: Annotated[Literal["heddle/1"], Field(alias="schema")]
    name: Annotated[str, Field(min_length=1, max_length=200)]
    description: Annotated[str, Field(max_length=10_000)] = ""
    inputs: dict[str, Any] = Field(default_factory=dict)
    nodes: list[Node] = Field(default_factory=list)
    edges: list[Edge] = Field(default_factory=list)
    #: What runs get that are started without a deadline or a budget of their own.
    deadline_s: RunSeconds | None = None
    budget: Budget | None = None
    ui: dict[str, Any] = Field(default_factory=dict)


def parse_document(data: object, limits: Limits = DEFAULT_LIMITS) -> Document:
    """Read a document from its JSON value.

    Raises:
        DocumentMalformed: The value has not the document's shape; carries every problem found.
        DocumentTooLarge: Its JSON text is longer than allowed, or it has too many nodes or edges.
    """
    if not isinstance(data, Mapping):
        raise DocumentMalformed(
            "A document is a JSON object.",
            issues=[
                Issue("malformed", "Send an object with schema, name, nodes and edges.").to_json()
            ],
        )
    refuse_unstorable(data, limits, what="document")
    _refuse_too_many(data, limits)
    try:
        return Document.model_validate(data)
    except ValidationError as error:
        issues = [issue_of(problem, data) for problem in error.errors(include_url=False)]
        raise DocumentMalformed(
            f"The document does not have the shape of {SCHEMA}: {issues[0].message}",
            issues=[issue.to_json() for issue in issues],
        ) from None


def _refuse_too_many(data: Mapping[str, Any], limits: Limits) -> None:
    for key, most in (("nodes", limits.nodes), ("edges", limits.edges)):
        items = data.get(key)
        if isinstance(items, list) and len(items) > most:
            raise DocumentTooLarge(
                f"The document has {len(items)} {key}; at most {most} are accepted "
                "(HEDDLE_MAX_NODES; four edges to a node). Put parts of it into workflows of their "
                "own, or go over a list with a map."
            )


def refuse_unstorable(data: Mapping[str, Any], limits: Limits, *, what: str) -> None:
    """Refuse what cannot be kept as JSON, or is too much of it.

    Raises:
        DocumentMalformed: It holds something that is no JSON, or text that cannot be stored.
        DocumentTooLarge: Its JSON text is longer than allowed.
    """
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        raise DocumentMalformed(
            f"A {what} holds JSON values only, nested a reasonable number of levels.",
            issues=[Issue("malformed", "Remove NaN, infinite and deeply nested values.").to_json()],
        ) from None
    if "\\u0000" in text:
        raise DocumentMalformed(
            f"A {what} cannot hold NUL characters.",
            issues=[Issue("malformed", "Remove the NUL characters (U+0000).").to_json()],
        )
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > limits.document_bytes:
        raise DocumentTooLarge(
            f"The {what} has {size} bytes; at most {limits.document_bytes} are accepted "
            "(HEDDLE_MAX_DOCUMENT_BYTES). Move large texts out of it, for example into an input."
        )
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise DocumentMalformed(
            f"A {what} holds valid Unicode text only.",
            issues=[Issue("malformed", "Remove the lone surrogate characters.").to_json()],
        ) from None


def issue_of(problem: Mapping[str, Any], data: Mapping[str, Any]) -> Issue:
    """Say what is wrong with the shape of a value; `problem` is one of pydantic's errors."""
    location = problem["loc"]
    path = json_path(location)
    match problem["type"]:
        case "extra_forbidden":
            message = f"The key {path} is not known here; remove it or check its spelling."
        case "missing":
            message = f"{path} is missing."
        case "literal_error" if location == ("schema",):
            message = f'The schema must be "{SCHEMA}".'
        case "value_error":
            message = f"{path}: {problem['ctx']['error']}."
        case _:
            message = f"{path}: {problem['msg']}."
    return Issue("malformed", message, _node_id_at(location, data), path)


def _node_id_at(location: Sequence[str | int], data: Mapping[str, Any]) -> str | None:
    match list(location[:2]):
        case ["nodes", int(index)]:
            node = data["nodes"][index]
            found = node.get("id") if isinstance(node, Mapping) else None
            return found if isinstance(found, str) else None
        case _:
            return None


def json_path(location: Sequence[str | int]) -> str:
    """Write a path as authors read it: `nodes[3].config.prompt`."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


@dataclass(frozen=True)
class Endpoint:
    """One end of an edge."""

    node: str
    port: str


def endpoint(text: str, *, default_port: str) -> Endpoint:
    """Read `id` or `id:port`."""
    node, _, port = text.partition(":")
    return Endpoint(node=node, port=port or default_port)


@dataclass(frozen=True)
class Facts:
    """What validation may know about the workspace; `None` means it was not asked."""

    credential_ids: frozenset[str] | None = None
    default_credential_kinds: frozenset[str] | None = None
    #: Workflows that a node may run.
    workflow_ids: frozenset[str] | None = None
