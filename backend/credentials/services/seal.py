"""Sealing secrets: AES-256-GCM, bound to the very field of the row they belong to."""

import base64
import binascii
import os
from collections.abc import Mapping
from typing import ClassVar, TypedDict
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from backend.engine.errors import DomainError

NONCE_BYTES = 12


class Sealed(TypedDict):
    """A secret as it is stored: which key sealed it, and nonce with ciphertext in base64."""

    key: str
    box: str


class SecretUnreadable(DomainError):
    """A stored secret cannot be opened with the keys at hand."""

    code: ClassVar[str] = "secret_unreadable"
    status: ClassVar[int] = 409


def seal(
    text: str, *, ring: Mapping[str, bytes], workspace_id: UUID, credential_id: UUID, field: str
) -> Sealed:
    """Encrypt with the ring's first key."""
    key_id, key = next(iter(ring.items()))
    nonce = os.urandom(NONCE_BYTES)
    place = _place(workspace_id, credential_id, field, key_id)
    box = nonce + AESGCM(key).encrypt(nonce, text.encode(), place)
    return {"key": key_id, "box": base64.b64encode(box).decode()}


def unseal(
    sealed: Sealed,
    *,
    ring: Mapping[str, bytes],
    workspace_id: UUID,
    credential_id: UUID,
    field: str,
) -> str:
    """Decrypt with the key that sealed it.

    Raises:
        SecretUnreadable: The key is gone, or the box belongs to another place.
    """
    key = ring.get(sealed["key"])
    if key is None:
        raise SecretUnreadable(
            f"The secret was sealed with the key {sealed['key']!r}, which HEDDLE_CREDENTIAL_KEYS "
            "does not hold any more. Add the key, or enter the secret again."
        )
    place = _place(workspace_id, credential_id, field, sealed["key"])
    try:
        box = base64.b64decode(sealed["box"], validate=True)
        return AESGCM(key).decrypt(box[:NONCE_BYTES], box[NONCE_BYTES:], place).decode()
    except (InvalidTag, binascii.Error, ValueError) as error:
        raise SecretUnreadable(
            "The stored secret does not belong to this credential, or its key is another one. "
            "Enter the secret again."
        ) from error


def _place(workspace_id: UUID, credential_id: UUID, field: str, key_id: str) -> bytes:
    return f"{workspace_id}|{credential_id}|{field}|{key_id}".encode()
