"""What is asked of the evaluator of expressions, and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backend.engine.expressions import Bare

_NO_BARE = Bare()


@dataclass(frozen=True, kw_only=True)
class EvalRequest:
    """A node's settings as they stand, and the names that their expressions may read.

    Settings that were asked about must not be changed afterwards: what is known about them is
    kept for the next request with the same object.
    """

    config: Mapping[str, Any]
    scope: Mapping[str, Any]
    bare: Bare = _NO_BARE


@dataclass(frozen=True, kw_only=True)
class Failure:
    """An expression that could not be evaluated; the message is for the author of the graph."""

    code: str
    message: str
    path: str = ""
    retryable: bool = False

    @property
    def sentence(self) -> str:
        """The message with the setting that it is about."""
        return f"{self.path}: {self.message}" if self.path else self.message


#: The settings with values in place of expressions. A bare expression that failed leaves its
#: `Failure` in place: whether it matters is for the node to say.
Resolved = dict[str, Any]

#: The answer for what was not reached, because what was evaluated with it took too long. It says
#: nothing about the expression: whoever asked may ask again with fewer.
NOT_EVALUATED = Failure(
    code="not_evaluated",
    message="The expressions that were to be evaluated together took too long.",
    retryable=True,
)
