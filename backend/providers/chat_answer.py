"""What a model says: pieces of text, put together to an answer."""

import json
from dataclasses import dataclass, field
from typing import Any

from backend.engine.json_values import storable_text

_MAX_TOKENS = 2**53

#: What reading a chunk raises if it is none.
NO_CHUNK = (
    json.JSONDecodeError,
    UnicodeDecodeError,
    RecursionError,
    TypeError,
    AttributeError,
    LookupError,
)


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


@dataclass
class Heard:
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
