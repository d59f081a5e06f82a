"""How a request says who sends it: an API key in its header, else the browser's session."""

import hashlib
import json

from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from backend.accounts.models import USE_NOTED_EVERY, ApiKey, User
from backend.api.sql import instance_of, row_of
from backend.workspaces.principal import KeyIdentity, Scope

KEY_PREFIX = "hdl_"


class ApiKeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer hdl_…`. A header that is no valid key is refused."""

    def authenticate(self, request: Request) -> tuple[User, KeyIdentity] | None:
        """Identify the key; `None` only without an Authorization header."""
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _, key = header.partition(" ")
        if scheme.lower() != "bearer" or not key.startswith(KEY_PREFIX):
            raise AuthenticationFailed("Send `Authorization: Bearer hdl_…` with an API key.")
        return _identify(key.strip())

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme, which makes an anonymous request a 401."""
        return 'Bearer realm="heddle"'


class BrowserAuthentication(SessionAuthentication):
    """The session's cookie, with the CSRF token for whatever changes something."""


def digest_of(key: str) -> str:
    """Hash a key for storage; its 190 random bits need no slow hash."""
    return hashlib.sha256(key.encode()).hexdigest()


KEY = """
SELECT k.id, k.workspace_id, k.scopes, k.last_used_at, statement_timestamp(),
    u.id, u.email, u.name, u.is_active, u.is_staff, u.is_superuser
FROM accounts_apikey k JOIN accounts_user u ON u.id = k.created_by_id
WHERE k.digest = %s AND u.is_active
    AND (k.expires_at IS NULL OR k.expires_at > statement_timestamp())
"""
PERSON = ("id", "email", "name", "is_active", "is_staff", "is_superuser")


def _identify(key: str) -> tuple[User, KeyIdentity]:
    """Look the key up, anew for each request: one that was revoked opens nothing any more."""
    found = row_of(KEY, [digest_of(key)])
    if found is None:
        raise AuthenticationFailed("This API key is unknown, revoked or expired.")
    key_id, workspace_id, scopes, used_at, now, *person = found
    if used_at is None or used_at < now - USE_NOTED_EVERY:
        ApiKey.objects.note_use(id=key_id, now=now)
    identity = KeyIdentity(
        api_key_id=key_id,
        workspace_id=workspace_id,
        scopes=frozenset(Scope(scope) for scope in json.loads(scopes)),
    )
    return instance_of(User, dict(zip(PERSON, person, strict=True))), identity
