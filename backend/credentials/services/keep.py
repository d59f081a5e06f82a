"""Saving credentials; a secret goes in here and never comes out to the API again."""

from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from backend.api.ids import new_id
from backend.credentials.models import Credential
from backend.credentials.services.seal import seal
from backend.engine.errors import DomainError
from backend.workspaces.principal import Principal

#: For each kind: the plain fields and the secret one that it needs.
SECRET_FIELD: Mapping[str, str] = {
    "openai": "api_key",
    "http_bearer": "api_key",
    "http_basic": "password",
    "http_header": "value",
}
PLAIN_FIELDS: Mapping[str, frozenset[str]] = {
    "openai": frozenset({"base_url", "models", "default_model", "prices", "allow_private"}),
    "http_bearer": frozenset({"hosts"}),
    "http_basic": frozenset({"hosts", "username"}),
    "http_header": frozenset({"hosts", "header"}),
}
SHARED_FIELDS = frozenset({"name", "default"})
COLUMNS = {"models": "model_names", "default": "is_default"}
#: Shorter secrets would be told too much of by their last four characters.
MIN_HINTED = 20
MASKS = frozenset("*•…·.")


class CredentialInvalid(DomainError):
    """The fields do not make a credential of this kind."""

    code: ClassVar[str] = "invalid_credential"


class PrivateAddressNotAllowed(DomainError):
    """Only administrators of the installation let a credential reach private addresses."""

    code: ClassVar[str] = "permission_denied"
    status: ClassVar[int] = 403


def create_credential(*, principal: Principal, kind: str, fields: Mapping[str, Any]) -> Credential:
    """Make a credential with its secret sealed."""
    credential = Credential(
        id=new_id(),
        workspace_id=principal.workspace_id,
        created_by_id=principal.user_id,
        kind=kind,
    )
    if SECRET_FIELD[kind] not in fields and kind != Credential.Kind.OPENAI:
        raise CredentialInvalid(f"A credential of the kind {kind} needs `{SECRET_FIELD[kind]}`.")
    return _save(credential, principal=principal, fields=fields)


def change_credential(
    *, principal: Principal, credential: Credential, fields: Mapping[str, Any]
) -> Credential:
    """Change what is named; a secret that is not named stays."""
    moved = "base_url" in fields and _origin(fields["base_url"]) != _origin(credential.base_url)
    hosts_widened = bool(set(fields.get("hosts", ())) - set(credential.hosts))
    if (moved or hosts_widened) and SECRET_FIELD[credential.kind] not in fields:
        # Else whoever may edit could send a secret, which they cannot read, to a host of theirs.
        raise CredentialInvalid(
            f"Enter `{SECRET_FIELD[credential.kind]}` again to send it to another address."
        )
    if moved and credential.allow_private and "allow_private" not in fields:
        fields = {**fields, "allow_private": True}
    return _save(credential, principal=principal, fields=fields)


def _save(credential: Credential, *, principal: Principal, fields: Mapping[str, Any]) -> Credential:
    _check_fields(credential.kind, fields)
    if fields.get("allow_private") and not principal.is_admin:
        raise PrivateAddressNotAllowed(
            "Only an administrator of this installation may allow a private address. Ask one to "
            "save this credential, or to name the host in HEDDLE_EGRESS_ALLOW."
        )
    for name in fields.keys() & (PLAIN_FIELDS[credential.kind] | SHARED_FIELDS):
        setattr(credential, COLUMNS.get(name, name), fields[name])
    if (secret := fields.get(SECRET_FIELD[credential.kind])) is not None:
        _put_secret(credential, secret)
    _check_whole(credential)
    credential.updated_at = timezone.now()
    with transaction.atomic():
        if credential.is_default:
            _resign_others(credential)
        credential.save()
    return credential


def _check_fields(kind: str, fields: Mapping[str, Any]) -> None:
    known = PLAIN_FIELDS[kind] | SHARED_FIELDS | {SECRET_FIELD[kind]}
    strangers = sorted(fields.keys() - known)
    if strangers:
        raise CredentialInvalid(
            f"A credential of the kind {kind} has no {', '.join(strangers)}; "
            f"it has {', '.join(sorted(known))}."
        )


def _check_whole(credential: Credential) -> None:
    if credential.kind == Credential.Kind.OPENAI:
        if not credential.base_url:
            raise CredentialInvalid("A model endpoint needs its `base_url`.")
        if not credential.default_model and credential.model_names:
            credential.default_model = credential.model_names[0]
        credential.hosts = [_origin(credential.base_url)[1]]
    elif not credential.hosts:
        raise CredentialInvalid("Name the `hosts` to which the secret may be sent.")
    if credential.kind == Credential.Kind.HTTP_HEADER and not credential.header:
        raise CredentialInvalid("Name the `header` that carries the value.")


def _put_secret(credential: Credential, secret: str) -> None:
    if secret and set(secret) <= MASKS:
        raise CredentialInvalid("That is a mask, not a secret. Leave the field out to keep it.")
    field = SECRET_FIELD[credential.kind]
    credential.sealed = {
        field: seal(
            secret,
            ring=settings.HEDDLE_CREDENTIAL_KEYS,
            workspace_id=credential.workspace_id,
            credential_id=credential.id,
            field=field,
        )
    }
    credential.secret_hint = f"…{secret[-4:]}" if len(secret) >= MIN_HINTED else ""


def _resign_others(credential: Credential) -> None:
    others = Credential.objects.in_workspace(credential.workspace_id).exclude(id=credential.id)
    others.filter(kind=credential.kind, is_default=True).update(is_default=False)


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return parts.scheme, f"{parts.hostname or ''}:{port}"
