"""Trying a model endpoint's credential: which models does it offer, and how fast does it answer."""

import asyncio
import time
from dataclasses import dataclass
from typing import ClassVar

from asgiref.sync import async_to_sync
from django.conf import settings

from backend.credentials.models import Credential as Row
from backend.credentials.services.open import as_credential
from backend.engine.errors import DomainError
from backend.providers.credential import Credential
from backend.providers.egress_policy import EgressPolicy
from backend.providers.errors import CallFailed

TIMEOUT_S = 15.0
MAX_SHOWN = 500


class NothingToTry(DomainError):
    """Only a model endpoint has an address of its own that could be asked."""

    code: ClassVar[str] = "nothing_to_try"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What came of trying."""

    ok: bool
    message: str
    models: tuple[str, ...] = ()
    latency_ms: int | None = None


def probe_credential(row: Row) -> Finding:
    """Ask the endpoint for its models; a failure is a finding, not an error.

    Raises:
        NothingToTry: The credential is no model endpoint.
        SecretUnreadable: Its secret cannot be opened.
    """
    if row.kind != Row.Kind.OPENAI:
        raise NothingToTry(
            "Only model endpoints can be tested here. Use the credential in an HTTP request node."
        )
    return async_to_sync(_ask)(as_credential(row))


def egress_policy(credential: Credential) -> EgressPolicy:
    """Give what calls with this credential may reach."""
    policy = EgressPolicy.parse(",".join(settings.HEDDLE_EGRESS_ALLOW))
    return policy.allowing_url(credential.base_url) if credential.allow_private else policy


async def _ask(credential: Credential) -> Finding:
    # Imported here: the client takes half a second, and few requests need it.
    from backend.providers.egress import close_clients  # noqa: PLC0415
    from backend.providers.openai_endpoint import Endpoint  # noqa: PLC0415

    started = time.monotonic()
    try:
        async with asyncio.timeout(TIMEOUT_S):
            endpoint = Endpoint(
                base_url=credential.base_url,
                secret=credential.secret.reveal(),
                policy=egress_policy(credential),
            )
            models = await endpoint.list_models()
    except CallFailed as error:
        return Finding(ok=False, message=error.message)
    except TimeoutError:
        return Finding(
            ok=False,
            message=f"{credential.base_url} did not answer within {TIMEOUT_S:.0f} seconds.",
        )
    finally:
        # The clients belong to this call's event loop, which ends with it.
        await close_clients()
    return _found(credential, models, latency_ms=round((time.monotonic() - started) * 1000))


def _found(credential: Credential, models: list[str], *, latency_ms: int) -> Finding:
    missing = credential.default_model and credential.default_model not in models
    message = f"The endpoint answers and offers {len(models)} models."
    if missing:
        message += f" The default model {credential.default_model!r} is not among them."
    return Finding(
        ok=True, message=message, models=tuple(models[:MAX_SHOWN]), latency_ms=latency_ms
    )
