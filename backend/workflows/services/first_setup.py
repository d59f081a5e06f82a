"""The first start: an administrator, a workspace with samples, a key. What exists is left alone."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import connection, transaction

from backend.accounts.authentication import KEY_PREFIX, digest_of
from backend.accounts.models import ApiKey, User
from backend.accounts.services import create_api_key
from backend.workflows.models import Workflow
from backend.workflows.services.drafts import create_workflow
from backend.workflows.services.exchange import read_text
from backend.workspaces.models import Workspace
from backend.workspaces.principal import ALL_SCOPES, Principal
from backend.workspaces.services import open_workspace

DEFAULT_EMAIL = "admin@heddle.local"
DEFAULT_WORKSPACE = "My workspace"
KEY_NAME = "First key"
MIN_PASSWORD = 8
MIN_KEY = 20
#: Any number of ours: only one process sets up at a time.
LOCK = 7_305_021_977


class SetupRefused(Exception):
    """The environment asks for something that cannot be; the message names the variable."""


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What the environment says; empty means: choose."""

    email: str = ""
    password: str = ""
    api_key: str = ""


@dataclass(kw_only=True)
class Made:
    """What was made; secrets only where they were chosen here and nobody else knows them."""

    email: str = ""
    password: str = ""
    api_key: str = ""
    workspace: str = ""
    samples: int = 0


def set_up(*, wishes: Wishes, samples: Iterable[Path]) -> Made:
    """Make what is missing.

    1. Wait for whoever else sets up.
    2. The first administrator, unless there is one.
    3. Their workspace, with the samples, unless they have one.
    4. The key of the environment; a key of our own at the very first start only.

    Raises:
        SetupRefused: The environment's e-mail, password or key is not usable.
    """
    _check(wishes)
    made = Made()
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        administrator, is_new = _administrator(wishes, made)
        principal = _workspace(administrator, samples, made)
        _key(wishes, made, principal, first_start=is_new)
    return made


def _check(wishes: Wishes) -> None:
    if wishes.email:
        try:
            validate_email(wishes.email)
        except ValidationError as error:
            raise SetupRefused("HEDDLE_ADMIN_EMAIL is no e-mail address.") from error
    if wishes.password and len(wishes.password) < MIN_PASSWORD:
        raise SetupRefused(f"HEDDLE_ADMIN_PASSWORD needs at least {MIN_PASSWORD} characters.")
    key = wishes.api_key
    if key and not (key.startswith(KEY_PREFIX) and len(key) >= MIN_KEY and key.isprintable()):
        raise SetupRefused(
            f"HEDDLE_BOOTSTRAP_API_KEY must start with {KEY_PREFIX} and have at least "
            f"{MIN_KEY} characters."
        )


def _administrator(wishes: Wishes, made: Made) -> tuple[User, bool]:
    known = User.objects.filter(is_superuser=True, is_active=True).order_by("created_at").first()
    if known is not None:
        return known, False
    email = (wishes.email or DEFAULT_EMAIL).lower()
    if User.objects.filter(email=email).exists():
        raise SetupRefused(
            f"{email} exists and is no administrator, and existing accounts are never changed. "
            "Name another address in HEDDLE_ADMIN_EMAIL."
        )
    password = wishes.password or secrets.token_urlsafe(15)
    user = User.objects.create_superuser(email, password, name="Administrator")
    made.email = email
    made.password = "" if wishes.password else password
    return user, True


def _workspace(administrator: User, samples: Iterable[Path], made: Made) -> Principal:
    workspace = Workspace.objects.of_user(administrator.id).first()
    is_new = workspace is None
    if workspace is None:
        workspace = open_workspace(user_id=administrator.id, name=DEFAULT_WORKSPACE)
        made.workspace = workspace.name
    principal = Principal(workspace_id=workspace.id, user_id=administrator.id, is_admin=True)
    if is_new:
        made.samples = _add_samples(principal, samples)
    return principal


def _add_samples(principal: Principal, samples: Iterable[Path]) -> int:
    # The list shows the latest first: the first sample is added last.
    for path in sorted(samples, reverse=True):
        document = read_text(path.read_text("utf-8"), format="yaml")
        create_workflow(principal=principal, document=document)
    return Workflow.objects.visible_to(principal).count()


def _key(wishes: Wishes, made: Made, principal: Principal, *, first_start: bool) -> None:
    if wishes.api_key:
        if ApiKey.objects.filter(digest=digest_of(wishes.api_key)).exists():
            return
    elif not first_start:
        return
    _, key = create_api_key(
        workspace_id=principal.workspace_id,
        user_id=principal.user_id,
        name=KEY_NAME,
        scopes=sorted(ALL_SCOPES),
        key=wishes.api_key or None,
    )
    made.api_key = "" if wishes.api_key else key
