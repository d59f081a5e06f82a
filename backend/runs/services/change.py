"""People change the graph of a run that is under way."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction

from backend.engine.document import Issue
from backend.engine.errors import DomainError
from backend.runs.inline import no_inline
from backend.runs.live import LiveRun
from backend.runs.patching import Author, patch
from backend.runs.plans import plan_of
from backend.runs.services.follow_up import follow_up
from backend.runs.transaction import lock_runs, store


class ChangeRefused(DomainError):
    """The graph cannot be changed so; carries what stands against it."""

    code: ClassVar[str] = "bad_patch"

    def __init__(self, issues: Sequence[Issue]) -> None:
        super().__init__(
            f"The graph cannot be changed so: {issues[0].message}",
            issues=[issue.to_json() for issue in issues],
        )


class PlanMoved(DomainError):
    """Somebody else has changed the graph since it was read."""

    code: ClassVar[str] = "plan_moved"
    status: ClassVar[int] = 409


class RunOver(DomainError):
    """A run that has ended keeps its graph."""

    code: ClassVar[str] = "run_ended"
    status: ClassVar[int] = 409


def change_graph(
    run_id: UUID, operations: Sequence[Mapping[str, Any]], *, base: int, author: Author
) -> int:
    """Change the graph of a run; gives the number of the change.

    `base` is the number of the latest change that the author knew of.

    Raises:
        RunOver: The run has ended.
        PlanMoved: There is a later change.
        ChangeRefused: It is not valid, or touches what has started.
    """
    with transaction.atomic():
        runs = lock_runs([run_id])
        if not runs:
            raise RunOver("The run has ended; start a new one from the changed workflow.")
        if runs[0].plan_version != base:
            raise PlanMoved(
                f"The graph was changed meanwhile: the latest change is {runs[0].plan_version}. "
                "Read the run again, and send the change with that as its base.",
                extra={"plan_version": runs[0].plan_version},
            )
        live = LiveRun(runs[0], plan_of(runs[0].graph_id), no_inline)
        current = live.begin_pass()
        if issues := patch(live, current, operations, author):
            raise ChangeRefused(issues)
        current.follow()
        live.close_pass(current)
        announcement = store([live])
    follow_up(announcement)
    return live.plan_version
