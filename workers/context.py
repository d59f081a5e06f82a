"""What a node may reach while it runs: credentials, the sandbox, the screen."""

import asyncio
import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from backend.credentials.services.open import open_credential
from backend.engine.budget import Estimate
from backend.engine.errors import DomainError
from backend.engine.evaluation import Failure
from backend.limits.budgets import AttemptOver, CallWish
from backend.nodes.base import NodeError
from backend.providers.credential import Credential, CredentialKind
from backend.providers.egress_policy import EgressPolicy
from backend.runs.live import Claimed
from workers.database import Database
from workers.reserving import Reservations
from workers.sandbox.evaluator import Evaluator
from workers.streams import Delta, DeltaWriter

#: Seconds that a decrypted credential is kept, so that 500 calls at once read it once.
CREDENTIAL_TTL_S = 3.0


class Credentials:
    """Credentials for the steps of this process, each read at most once in a few seconds."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._clock = clock
        self._known: dict[
            tuple[UUID, str | None, str | None], tuple[float, asyncio.Task[Credential]]
        ] = {}

    async def get(
        self, workspace_id: UUID, ref: str | None, kind: CredentialKind | None
    ) -> Credential:
        """Find a credential of the workspace."""
        key = (workspace_id, ref, kind)
        known = self._known.get(key)
        if known is None or self._clock() > known[0]:
            read = self._database.run(
                open_credential, workspace_id=workspace_id, ref=ref, kind=kind
            )
            known = (self._clock() + CREDENTIAL_TTL_S, asyncio.ensure_future(read))
            self._known = {k: v for k, v in self._known.items() if v[0] > self._clock()}
            self._known[key] = known
        try:
            # One step's cancellation must not cancel the read that others wait for.
            return await asyncio.shield(known[1])
        except DomainError as error:
            raise NodeError(error.code, error.detail) from error


@dataclass(frozen=True, kw_only=True)
class Reach:
    """What the steps of a process share."""

    egress: EgressPolicy
    credentials: Credentials
    evaluator: Evaluator
    deltas: DeltaWriter


class StepContext:
    """The context of one attempt."""

    def __init__(
        self,
        claimed: Claimed,
        *,
        node_id: str,
        scope: Mapping[str, Any],
        reach: Reach,
        reservations: Reservations,
    ) -> None:
        self.run_id = str(claimed.run.id)
        self.step_id = claimed.step_id
        self.node_id = node_id
        self.attempt = claimed.attempt
        self.workspace_id = str(claimed.run.workspace_id)
        self.idempotency_key = idempotency_key(self.run_id, claimed.path)
        self.egress = reach.egress
        self._workspace = claimed.run.workspace_id
        self._scope = scope
        self._reach = reach
        self._claimed = claimed
        self._reservations = reservations
        self._offset = 0
        #: Called when the node shows that it goes on.
        self.on_activity: Callable[[], None] = lambda: None

    @property
    def now(self) -> datetime:
        """The database's time."""
        return self._claimed.now

    async def credential(self, ref: str | None, *, kind: CredentialKind | None) -> Credential:
        """Find a credential of the workspace."""
        return await self._reach.credentials.get(self._workspace, ref, kind)

    async def reserve(self, estimate: Estimate) -> None:
        """Put aside, of the run's budget, what a paid call may use."""
        budget_id = self._claimed.run.budget_id
        if budget_id is None:
            return
        refused = await self._reservations.reserve(
            CallWish(budget_id, UUID(self._claimed.lease_id), UUID(self.step_id), estimate)
        )
        match refused:
            case None:
                return
            case AttemptOver():
                # The step belongs to another attempt, or to none: this one is to leave no trace.
                raise asyncio.CancelledError
            case _:
                raise NodeError(refused.code, refused.detail)

    async def emit(self, text: str) -> None:
        """Show a piece of text while the node runs."""
        self.on_activity()
        if text:
            self._reach.deltas.add(
                Delta(self.run_id, self.step_id, self.attempt, self._offset, text)
            )
            self._offset += len(text)

    async def evaluate(self, code: str) -> Any:
        """Run code in the sandbox with the step's names in scope."""
        result = await self._reach.evaluator.run_code_aside(code, self._scope)
        if isinstance(result, Failure):
            raise NodeError.of_failure(result)
        return result


def idempotency_key(run_id: str, path: str) -> str:
    """Names a step's effect; the same over retries and lost workers."""
    return hashlib.sha256(f"{run_id}/{path}".encode()).hexdigest()[:40]
