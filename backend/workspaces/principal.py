"""Who asks, and for which workspace: what every gate wants to know."""

from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID


class Scope(StrEnum):
    """What an API key may do; a person may do everything in their workspace."""

    READ = "read"
    RUN = "run"
    WRITE = "write"


ALL_SCOPES = frozenset(Scope)


@dataclass(frozen=True, kw_only=True)
class Principal:
    """A person in a workspace, or a key of that workspace acting for its maker."""

    workspace_id: UUID
    user_id: UUID
    is_admin: bool = False
    scopes: frozenset[Scope] = field(default=ALL_SCOPES)
    api_key_id: UUID | None = None

    @property
    def trigger(self) -> str:
        """How a run that this principal starts is labelled."""
        return "browser" if self.api_key_id is None else "api"


@dataclass(frozen=True, kw_only=True)
class KeyIdentity:
    """What a request that came with an API key carries as `request.auth`."""

    api_key_id: UUID
    workspace_id: UUID
    scopes: frozenset[Scope]
