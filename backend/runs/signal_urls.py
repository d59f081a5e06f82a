"""The addresses at which steps that wait for a signal are reached. Whoever knows one may use it."""

import base64
import binascii
import hmac
from hashlib import sha256
from uuid import UUID

from django.conf import settings

_MAC_BYTES = 16


def signal_url(run_id: UUID, path: str) -> str:
    """Where the signal of a step is sent to; known before the step starts."""
    return f"{settings.HEDDLE_PUBLIC_URL}/api/v1/signals/{token_of(run_id, path)}/"


def token_of(run_id: UUID, path: str) -> str:
    """Names a step in an address, and proves that the address was given out here."""
    body = run_id.bytes + path.encode()
    return base64.urlsafe_b64encode(_mac(body) + body).decode().rstrip("=")


def read_token(token: str) -> tuple[UUID, str] | None:
    """The run and the step's path that a token names; none if it was not given out here."""
    try:
        raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except (ValueError, binascii.Error):
        return None
    mac, body = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
    if len(body) <= 16 or not hmac.compare_digest(mac, _mac(body)):
        return None
    return UUID(bytes=body[:16]), body[16:].decode()


def _mac(body: bytes) -> bytes:
    key = f"heddle.signals:{settings.SECRET_KEY}".encode()
    return hmac.new(key, body, sha256).digest()[:_MAC_BYTES]
