"""llm.chat: one question to a model."""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, field_validator

from backend.engine import budget
from backend.engine.spec import Effects, KindSpec
from backend.nodes.base import Kind, NodeContext, NodeError, Outcome, Usage
from backend.nodes.fields import Settings, Static, Text, widget
from backend.providers.credential import Credential
from backend.providers.errors import CallFailed

if TYPE_CHECKING:
    from backend.providers.chat_answer import Tokens
    from backend.providers.openai_endpoint import ChatRequest, Endpoint

#: Parameters that bound the answer, in the words of newer and of older endpoints.
_BOUNDS = ("max_completion_tokens", "max_tokens")
#: Characters around a message, and around the schema of an answer.
_AROUND_A_MESSAGE, _AROUND_A_SCHEMA = 20, 200
#: Parameters that the node sets itself.
_OUR_PARAMS = frozenset({"model", "messages", "stream", "stream_options", "response_format", "n"})


class Message(Settings):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"] = Field(
        default="user", title="Who says it", description="system, user or assistant."
    )
    content: Text = Field(
        title="Text", description="What is said.", json_schema_extra=widget("template", rows=3)
    )


class Config(Settings):
    """What to ask, whom, and in which form the answer should come."""

    model: Text = Field(
        default="default",
        title="Model",
        description="A model of the credential; “default” is the workspace's default model.",
        min_length=1,
        json_schema_extra=widget("model"),
    )
    prompt: Text | None = Field(
        default=None,
        title="Prompt",
        description="What to ask. Expressions are written in: {{ inputs.topic }}.",
        json_schema_extra=widget("template", rows=8),
    )
    system: Text | None = Field(
        default=None,
        title="Instructions",
        description="How the model should behave, said before everything else.",
        json_schema_extra=widget("template", rows=3),
    )
    messages: list[Message] | None = Field(
        default=None,
        title="Messages",
        description="A conversation so far, in place of the prompt.",
        json_schema_extra=widget("messages"),
    )
    answer_schema: dict[str, Any] | None = Field(
        default=None,
        alias="schema",
        title="Schema of the answer",
        description="A JSON Schema; the answer is parsed and checked, and given as data.",
        json_schema_extra=widget("schema"),
    )
    params: dict[str, Any] = Field(
        default_factory=dict,
        title="Parameters",
        description="Sent along as they are, for example temperature or max_tokens.",
        json_schema_extra=widget("key-values"),
    )
    credential: Annotated[str | None, Static] = Field(
        default=None,
        title="Credential",
        description="The model endpoint to use; without one the workspace's default.",
        json_schema_extra=widget("credential", fixed=True, kinds=["openai"]),
    )

    @field_validator("params")
    @classmethod
    def _refuse_ours(cls, params: dict[str, Any]) -> dict[str, Any]:
        if taken := sorted(_OUR_PARAMS & params.keys()):
            raise ValueError(f"These parameters are set by the node itself: {', '.join(taken)}.")
        return params

    @classmethod
    def cross_check(cls, values: Mapping[str, Any]) -> Iterator[str]:
        """Need one thing to ask."""
        given = [name for name in ("prompt", "messages") if values.get(name)]
        if not given:
            yield "Write a prompt: there is nothing to ask yet."
        if len(given) > 1:
            yield "Give a prompt or messages, not both."

    def conversation(self) -> list[dict[str, str]]:
        """Build the messages to send."""
        start = [{"role": "system", "content": self.system}] if self.system else []
        if self.messages is not None:
            return [*start, *({"role": m.role, "content": m.content} for m in self.messages)]
        return [*start, {"role": "user", "content": self.prompt or ""}]


async def run(context: NodeContext, config: Config, _inputs: Mapping[str, Any]) -> Outcome:
    """Ask the model; its text is shown as it comes."""
    # Imported here: the client takes half a second, and a process that only shows the kind does
    # without it. Workers import it before their first step.
    from backend.providers.openai_endpoint import ChatRequest, endpoint_for  # noqa: PLC0415

    credential = await context.credential(config.credential, kind="openai")
    model = _model(config, credential)
    policy = context.egress
    if credential.allow_private:
        policy = policy.allowing_url(credential.base_url)
    endpoint = endpoint_for(
        base_url=credential.base_url, secret=credential.secret.reveal(), policy=policy
    )
    request = ChatRequest(
        model=model,
        messages=config.conversation(),
        params=config.params,
        idempotency_key=context.idempotency_key,
    )
    await context.reserve(estimate(config, credential=credential, model=model))
    try:
        output, tokens = await _ask(context, config, endpoint, request)
    except CallFailed as error:
        raise NodeError.of_call(error) from error
    usage = _usage(credential, model, tokens)
    return Outcome(output={**output, "usage": usage}, usage=usage)


async def _ask(
    context: NodeContext, config: Config, endpoint: "Endpoint", request: "ChatRequest"
) -> "tuple[dict[str, Any], Tokens | None]":
    from backend.providers.structured import chat_structured  # noqa: PLC0415 - as in run()

    if config.answer_schema is None:
        answer = await endpoint.chat(request, on_text=context.emit)
        return {"text": answer.text}, answer.tokens
    structured = await chat_structured(
        endpoint, request, schema=config.answer_schema, on_text=context.emit
    )
    return {"text": structured.text, "data": structured.data}, structured.tokens


def estimate(config: Config, *, credential: Credential, model: str) -> budget.Estimate:
    """Estimate what a call may use at most, before it is made."""
    asked = sum(len(one["content"]) + _AROUND_A_MESSAGE for one in config.conversation())
    answered = _bound(config.params)
    if config.answer_schema is not None:
        # An answer that does not follow the schema is asked for once more, with what came first.
        first = budget.DEFAULT_ANSWER_TOKENS if answered is None else answered
        asked += len(json.dumps(config.answer_schema)) + _AROUND_A_SCHEMA
        asked = 2 * asked + first * budget.CHARS_PER_TOKEN
        answered = 2 * first
    price = credential.prices.get(model)
    return budget.estimate(prompt_chars=asked, max_tokens=answered, price=price)


def _bound(params: Mapping[str, Any]) -> int | None:
    """Give the length of the answer that the author allows, if it is one."""
    for name in _BOUNDS:
        value = params.get(name)
        if isinstance(value, int | float) and 0 <= value < budget.MOST_OF_A_CALL[0]:
            return int(value)
    return None


def _model(config: Config, credential: Credential) -> str:
    if config.model != "default":
        return config.model
    model = credential.default_model or next(iter(credential.models), "")
    if not model:
        raise NodeError(
            "model_missing",
            f"The credential “{credential.name or credential.id}” has no default model; "
            "choose one there, or name a model in this node.",
        )
    return model


def _usage(credential: Credential, model: str, tokens: "Tokens | None") -> Usage | None:
    if tokens is None:
        return None
    cost = credential.cost(model=model, input_tokens=tokens.input, output_tokens=tokens.output)
    return Usage(input_tokens=tokens.input, output_tokens=tokens.output, cost=cost)


KIND = Kind(
    spec=KindSpec(
        kind="llm.chat",
        version=1,
        title="Model call",
        summary="Asks a language model and gives its answer.",
        family="calls",
        icon="chat",
        config_model=Config,
        output=(
            "`{text, usage}`, and `data` with a schema; `usage` holds tokens and cost, "
            "or is null where the endpoint does not tell."
        ),
        effects=Effects.PAID,
    ),
    run=run,
)
