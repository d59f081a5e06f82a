"""A step as nodes see it, for tests."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from backend.engine.budget import Estimate
from backend.engine.evaluation import Failure
from backend.nodes.base import NodeError
from backend.providers.credential import Credential, CredentialKind
from backend.providers.egress_policy import EgressPolicy
from backend.providers.secret import Secret
from workers.sandbox.evaluator import Evaluator


@dataclass
class StepContext:
    """Keeps what a node emits and gives it the credentials it is made with."""

    evaluator: Evaluator | None = None
    credentials: Mapping[str, Credential] = field(default_factory=dict)
    egress: EgressPolicy = field(default_factory=lambda: EgressPolicy.parse("127.0.0.1"))
    scope: dict[str, Any] = field(default_factory=dict)
    emitted: list[str] = field(default_factory=list)
    reserved: list[Estimate] = field(default_factory=list)
    #: What is said to who wants to make a paid call.
    refusal: NodeError | None = None
    run_id: str = "run"
    step_id: str = "step"
    node_id: str = "node"
    attempt: int = 1
    idempotency_key: str = "key-of-the-step"
    workspace_id: str = "workspace"
    now: datetime = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    async def credential(self, ref: str | None, *, kind: CredentialKind | None) -> Credential:
        found = self.credentials.get(ref or "default")
        if found is None or (kind is not None and found.kind != kind):
            raise NodeError("credential_missing", f"There is no credential “{ref}”.")
        return found

    async def reserve(self, estimate: Estimate) -> None:
        self.reserved.append(estimate)
        if self.refusal is not None:
            raise self.refusal

    async def emit(self, text: str) -> None:
        self.emitted.append(text)

    async def evaluate(self, code: str) -> Any:
        assert self.evaluator is not None
        value = await asyncio.to_thread(self.evaluator.run_code, code, self.scope)
        if isinstance(value, Failure):
            raise NodeError.of_failure(value)
        return value


def model_endpoint(base_url: str, **more: Any) -> Credential:
    """A credential for a model endpoint."""
    values: dict[str, Any] = {
        "id": "default",
        "kind": "openai",
        "secret": Secret("sk-secret-of-the-test"),
        "base_url": base_url,
        "default_model": "echo",
        **more,
    }
    return Credential(**values)
