"""Making API keys; a key is shown once and kept as a hash."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from backend.accounts.authentication import KEY_PREFIX, digest_of
from backend.accounts.models import ApiKey
from backend.workspaces.principal import Scope

ID_LENGTH = 8
#: 32 characters of 6 bits each.
SECRET_BYTES = 24


def new_key() -> str:
    """Draw a key: the prefix that scanners know, a short name, the secret."""
    name = "".join(secrets.choice("abcdefghijkmnpqrstuvwxyz23456789") for _ in range(ID_LENGTH))
    return f"{KEY_PREFIX}{name}_{secrets.token_urlsafe(SECRET_BYTES)}"


def create_api_key(
    *,
    workspace_id: UUID,
    user_id: UUID,
    name: str,
    scopes: Sequence[str],
    expires_at: datetime | None = None,
    key: str | None = None,
) -> tuple[ApiKey, str]:
    """Store a key's hash and give the key itself, which nobody can read again."""
    text = key or new_key()
    row = ApiKey.objects.create(
        workspace_id=workspace_id,
        created_by_id=user_id,
        name=name,
        prefix=text[: len(KEY_PREFIX) + ID_LENGTH],
        digest=digest_of(text),
        scopes=[scope.value for scope in Scope if scope in scopes],
        expires_at=expires_at,
    )
    return row, text
