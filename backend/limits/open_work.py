"""How much a workspace may have unfinished before no more of its runs are taken on."""

from typing import ClassVar
from uuid import UUID

from django.conf import settings

from backend.api.sql import query
from backend.engine.errors import DomainError

#: Nobody knows when work ends; who asks again in this time does no harm.
RETRY_AFTER_S = 10


class TooMuchOpenWork(DomainError):
    """The workspace has as much unfinished as it may."""

    code: ClassVar[str] = "too_much_open_work"
    status: ClassVar[int] = 429


OPEN_WORK = """
SELECT count(*), COALESCE(sum(open_steps), 0) FROM runs_run
WHERE workspace_id = %s AND status NOT IN ('succeeded', 'failed', 'cancelled')
"""


def refuse_when_full(workspace_id: UUID) -> None:
    """Refuse another run while the workspace has too much unfinished.

    Requests at the same moment do not see each other's runs, so it may end up with a few more.

    Raises:
        TooMuchOpenWork: Names the setting and how much there is.
    """
    runs, steps = query(OPEN_WORK, [workspace_id])[0]
    for name, unit, depth in (
        ("HEDDLE_MAX_OPEN_RUNS", "unfinished runs", runs),
        ("HEDDLE_MAX_OPEN_STEPS", "open steps", int(steps)),
    ):
        most: int = getattr(settings, name)
        if depth >= most:
            raise TooMuchOpenWork(
                f"The workspace has {depth} {unit}, and may have {most} ({name}). Wait until some "
                "have ended, or cancel runs that are not needed.",
                extra={"setting": name, "depth": depth, "limit": most},
                retry_after_s=RETRY_AFTER_S,
            )
