"""How a request says who sends it: an API key in its header, else the browser's session."""

import hashlib

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from backend.accounts.models import ApiKey, User
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


def _identify(key: str) -> tuple[User, KeyIdentity]:
    now = timezone.now()
    found = (
        ApiKey.objects.valid_at(now)
        .filter(digest=digest_of(key))
        .select_related("created_by")
        .first()
    )
    if found is None:
        raise AuthenticationFailed("This API key is unknown, revoked or expired.")
    ApiKey.objects.note_use(id=found.id, now=now)
    identity = KeyIdentity(
        api_key_id=found.id,
        workspace_id=found.workspace_id,
        scopes=frozenset(Scope(scope) for scope in found.scopes),
    )
    return found.created_by, identity
