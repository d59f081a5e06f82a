"""What a kind of node is given, and what it gives back."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypedDict

from pydantic import BaseModel

from backend.engine.budget import Estimate
from backend.engine.evaluation import Failure
from backend.engine.spec import KindSpec
from backend.providers.credential import Credential, CredentialKind
from backend.providers.egress_policy import EgressPolicy
from backend.providers.errors import CallFailed


class Usage(TypedDict):
    """What a step consumed; `cost` is None where the model has no price."""

    input_tokens: int
    output_tokens: int
    cost: float | None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result of a node that succeeded, and the ports that it takes."""

    output: Any
    ports: tuple[str, ...] = ("out",)
    usage: Usage | None = None
    #: Operations by which the node changes the graph of its run; see the reference on patches.
    patch: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class WaitUntil:
    """The step holds no slot until this time, and then succeeds with None as its output."""

    at: datetime


@dataclass(frozen=True)
class WaitForSignal:
    """The step holds no slot until its signal comes, and fails if it has not come by `until`."""

    until: datetime | None = None


@dataclass(frozen=True)
class RunWorkflow:
    """The step holds no slot while another workflow runs for it; its outputs are the output."""

    workflow_id: str
    version: int | None
    inputs: Mapping[str, Any]


@dataclass(frozen=True)
class OverItems:
    """A container runs what is inside it for each of these."""

    items: Sequence[Any]


@dataclass(frozen=True)
class InRounds:
    """A container runs what is inside it round after round, carrying a state."""

    state: Any = None
    times: int | None = None
    items: Sequence[Any] | None = None


@dataclass(frozen=True)
class StopRun:
    """The run ends: with this output, or with an error if there is one."""

    output: Any = None
    error: str | None = None


class NodeError(Exception):
    """A node that failed; the message is for the author of the graph."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        retryable: bool = False,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable
        self.retry_after_s = retry_after_s

    @classmethod
    def of_call(cls, error: CallFailed) -> "NodeError":
        """Make it of a failed call to the outside."""
        return cls(
            error.code,
            error.message,
            retryable=error.retryable,
            retry_after_s=error.retry_after_s,
        )

    @classmethod
    def of_failure(cls, failure: Failure) -> "NodeError":
        """Make it of an expression that failed."""
        return cls(failure.code, failure.sentence, retryable=failure.retryable)


class NodeContext(Protocol):
    """The step that a node runs for, and what it may reach."""

    run_id: str
    step_id: str
    node_id: str
    attempt: int
    #: The same over retries and lost workers; sent with calls that change something.
    idempotency_key: str
    workspace_id: str
    egress: EgressPolicy

    @property
    def now(self) -> datetime:
        """The time by the database's clock; a worker's own may be wrong."""
        ...

    async def credential(self, ref: str | None, *, kind: CredentialKind | None) -> Credential:
        """Find a credential of the workspace; None or "default" is its default one.

        Raises:
            NodeError: There is none, with the code `credential_missing`.
        """
        ...

    async def reserve(self, estimate: Estimate) -> None:
        """Put aside, of the run's budget, what a paid call may use; to be called before it.

        Raises:
            NodeError: It does not suffice, with the code `budget_exceeded`; or it bounds money, and
                the call has no price, with the code `price_missing`.
        """
        ...

    async def emit(self, text: str) -> None:
        """Show a piece of text while the node runs."""
        ...

    async def evaluate(self, code: str) -> Any:
        """Run code in the sandbox with the step's names in scope.

        Raises:
            NodeError: It failed or went over a limit.
        """
        ...


RunResult = Outcome | WaitUntil | WaitForSignal | RunWorkflow
Evaluated = Outcome | OverItems | InRounds | StopRun
Run = Callable[[NodeContext, Any, Mapping[str, Any]], Awaitable[RunResult]]
Evaluate = Callable[[Any, Mapping[str, Any]], Evaluated]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of node: its spec, and either how it runs or, if inline, how it is evaluated."""

    spec: KindSpec
    run: Run | None = None
    evaluate: Evaluate | None = None

    def __post_init__(self) -> None:
        if (self.evaluate is not None) != self.spec.inline or (
            self.run is None
        ) != self.spec.inline:
            raise ValueError(
                f"{self.spec.kind}: an inline kind has evaluate(), every other kind has run()."
            )


class NoConfig(BaseModel, extra="forbid"):
    """Settings of a kind that has none."""
