"""Opening credentials for one call: by id or default, within a workspace, of the kind asked for."""

from typing import ClassVar
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from backend.credentials.models import Credential as Row
from backend.credentials.services.keep import SECRET_FIELD
from backend.credentials.services.seal import unseal
from backend.engine.errors import DomainError
from backend.providers.credential import Credential
from backend.providers.secret import Secret

DEFAULT = "default"
KIND_NAMES = {"openai": "model endpoint", None: "credential"}


class CredentialMissing(DomainError):
    """The workspace has no such credential."""

    code: ClassVar[str] = "credential_missing"


def open_credential(*, workspace_id: UUID, ref: str | None, kind: str | None) -> Credential:
    """Find a credential of the workspace; its secret is decrypted when it is revealed.

    `ref` is an id; None, an empty text or "default" mean the default one of the kind. To which
    hosts the secret may go is checked by the credential itself, before it is decrypted.

    Raises:
        CredentialMissing: There is none of that kind; the message says what to do.
    """
    row = _find(workspace_id=workspace_id, ref=ref, kind=kind)
    Row.objects.filter(id=row.id).update(last_used_at=timezone.now())
    return as_credential(row)


def as_credential(row: Row) -> Credential:
    """Give the row in the form that calls use."""
    return Credential(
        id=str(row.id),
        kind=row.kind,  # type: ignore[arg-type]
        secret=Secret(lambda: _reveal(row)),
        name=row.name,
        base_url=row.base_url,
        models=tuple(row.model_names),
        default_model=row.default_model,
        prices=row.prices,
        allow_private=row.allow_private,
        hosts=tuple(row.hosts),
        username=row.username,
        header=row.header,
    )


def _reveal(row: Row) -> str:
    field = SECRET_FIELD[row.kind]
    if field not in row.sealed:
        return ""
    return unseal(
        row.sealed[field],
        ring=settings.HEDDLE_CREDENTIAL_KEYS,
        workspace_id=row.workspace_id,
        credential_id=row.id,
        field=field,
    )


def _find(*, workspace_id: UUID, ref: str | None, kind: str | None) -> Row:
    rows = Row.objects.in_workspace(workspace_id)
    if kind is not None:
        rows = rows.filter(kind=kind)
    name = KIND_NAMES.get(kind, f"credential of the kind {kind}")
    if ref in (None, "", DEFAULT):
        found = rows.filter(is_default=True).first()
        if found is None:
            raise CredentialMissing(
                f"The workspace has no default {name}. Add one under Credentials."
            )
        return found
    found = rows.filter(_has_id(str(ref))).first()
    if found is None:
        raise CredentialMissing(
            f"The workspace has no {name} {ref!r}. Choose another in the node's settings."
        )
    return found


def _has_id(ref: str) -> Q:
    try:
        return Q(id=UUID(ref))
    except ValueError:
        return Q(pk__in=[])
