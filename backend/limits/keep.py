"""Saving limits, and counting what falls under them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.api.sql import query
from backend.credentials.models import Credential
from backend.engine.errors import DomainError
from backend.limits.aliases import aliases_in
from backend.limits.models import Limit
from backend.workflows.models import Workflow
from backend.workspaces.principal import Principal


class LimitInvalid(DomainError):
    """The fields do not make a limit."""

    code: ClassVar[str] = "invalid_limit"


class LimitExists(DomainError):
    """The same thing is limited already."""

    code: ClassVar[str] = "limit_exists"
    status: ClassVar[int] = 409


def create_limit(
    *, principal: Principal, target: str, key: str, fields: Mapping[str, Any]
) -> Limit:
    """Limit a credential, a model, a workflow or the workspace.

    Raises:
        LimitInvalid: It limits nothing, or something that is not there.
        LimitExists: There is such a limit.
    """
    limit = Limit(workspace_id=principal.workspace_id, target=target, key=key, **fields)
    _name(limit, principal)
    _check(limit)
    try:
        with transaction.atomic():
            limit.save(force_insert=True)
    except IntegrityError as error:
        raise LimitExists(
            f"There is a limit for {limit.step_key} already. Change or delete that one."
        ) from error
    return limit


def change_limit(*, limit: Limit, fields: Mapping[str, Any]) -> Limit:
    """Change what is named. What runs already goes on running under a lower limit.

    Raises:
        LimitInvalid: It would limit nothing any more.
    """
    for name, value in fields.items():
        setattr(limit, name, value)
    _check(limit)
    limit.updated_at = timezone.now()
    limit.save()
    return limit


def _name(limit: Limit, principal: Principal) -> None:
    """Make `key` the name by which steps know the target."""
    match limit.target:
        case Limit.Target.WORKSPACE:
            if limit.key:
                raise LimitInvalid("A workspace's limit has no `key`: leave it out.")
        case Limit.Target.MODEL:
            if not limit.key:
                raise LimitInvalid("Name the model in `key`, as its credential does.")
        case Limit.Target.CREDENTIAL:
            limit.credential = (
                Credential.objects.visible_to(principal).filter(id=_id(limit)).first()
            )
            limit.key = _found(limit, limit.credential)
        case _:
            limit.workflow = Workflow.objects.visible_to(principal).filter(id=_id(limit)).first()
            limit.key = _found(limit, limit.workflow)


def _id(limit: Limit) -> UUID:
    try:
        return UUID(limit.key)
    except ValueError as error:
        raise LimitInvalid(f"`key` is the {limit.target}'s id.") from error


def _found(limit: Limit, row: Credential | Workflow | None) -> str:
    if row is None:
        raise LimitInvalid(f"The workspace has no {limit.target} with the id {limit.key}.")
    return str(row.id)


def _check(limit: Limit) -> None:
    if limit.max_running is None and limit.rate is None:
        raise LimitInvalid("Set `max_running` or `rate`; to lift the limit, delete it.")


# Everything that runs or is ready counts for its workspace, whether it names it or not.
TALLY = """
SELECT k.key,
    count(*) FILTER (WHERE s.status = 'running'), count(*) FILTER (WHERE s.status = 'ready')
FROM runs_step s
CROSS JOIN LATERAL unnest(array_append(array_remove(s.limits, 'workspace'), 'workspace')) AS k(key)
WHERE s.workspace_id = %s
AND (s.status = 'ready' OR (s.status = 'running' AND s.session_id IS NOT NULL))
GROUP BY 1
"""


def counted(limits: Iterable[Limit]) -> list[Limit]:
    """Fill in how many steps fall under each limit."""
    rows = list(limits)
    tallies = {
        workspace_id: _tally(workspace_id) for workspace_id in {r.workspace_id for r in rows}
    }
    for row in rows:
        tally = tallies[row.workspace_id][row.step_key]
        row.running, row.waiting = tally["running"], tally["waiting"]
    return rows


def _tally(workspace_id: UUID) -> defaultdict[str, Counter[str]]:
    counts = query(TALLY, [workspace_id])
    named = aliases_in((workspace_id, key) for key, _, _ in counts)
    tally: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for key, running, waiting in counts:
        _, meant = named.get((workspace_id, key), (workspace_id, key))
        tally[meant].update(running=running, waiting=waiting)
    return tally
