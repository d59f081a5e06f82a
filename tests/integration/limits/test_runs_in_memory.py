"""Runs that a worker keeps in memory, in a workspace that has limits, or gets some."""

from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

import pytest

from backend.engine.outcomes import Succeeded
from backend.limits.budgets import open_budget
from backend.limits.models import Limit
from backend.runs import results
from backend.runs.live import Claimed, LiveRun
from backend.runs.models import Run
from backend.runs.services.ahead import Happened, advance
from backend.runs.services.finish import Completion, Seat
from backend.runs.services.pull import pull
from backend.runs.services.sessions import open_session
from backend.runs.taken import Taken
from backend.runs.transaction import commit
from tests.integration.people import Person
from tests.integration.runs.hand_worker import document, start, work
from workers.keeper import Keeper


def resolve(requests: object) -> Any:
    """Nothing of these runs is evaluated."""
    raise AssertionError(requests)


def pulled(person: Person) -> tuple[LiveRun, list[Claimed]]:
    """A run of two steps, as it is in memory when they were claimed."""
    start(person, document([work("a"), work("b")], []))
    return pulled_again()


def pulled_again() -> tuple[LiveRun, list[Claimed]]:
    seat = Seat(session_id=open_session(lane="io", slots=10), lane="io", free=10)
    answer = pull(seat, resolve=resolve, ahead=True)
    [live] = answer.lives
    return live, answer.claimed


def after(live: LiveRun, claimed: Claimed) -> Taken:
    """What there is to store when a step has ended."""
    done = Completion(
        run_id=live.row.id,
        key=claimed.key,
        lease_id=claimed.lease_id,
        outcome=Succeeded(1),
        encoded=results.encode(1),
    )
    advanced = advance(live, Happened(completions=[done]), seat=None, resolve=resolve, takes=True)
    assert advanced.taken is not None
    return advanced.taken


def is_kept(live: LiveRun, *, running: int = 1) -> bool:
    attempts = SimpleNamespace(count_of=lambda _: running)
    keeper = Keeper(cast("Any", None), cast("Any", attempts), cast("Any", None))
    keeper.keep(live)
    return keeper.runs == [live.row.id]


def test_a_run_without_limits_is_kept_and_stored(alice: Person) -> None:
    live, claimed = pulled(alice)

    assert is_kept(live)
    taken = after(live, claimed[0])
    assert commit([taken])[0] == [taken]


def test_a_run_of_which_nothing_runs_here_is_not_kept(alice: Person) -> None:
    live, _ = pulled(alice)

    assert not is_kept(live, running=0)


@pytest.mark.parametrize(("key", "kept"), [("", False), (None, False), ("other", True)])
def test_a_run_is_not_kept_if_a_limit_concerns_it(
    alice: Person, key: str | None, kept: bool
) -> None:
    run = start(alice, document([work("a"), work("b")], []))
    target = "workspace" if key == "" else "workflow"
    Limit.objects.create(
        workspace=alice.workspace,
        target=target,
        key=str(run.workflow_id) if key is None else key,
        max_running=1,
    )

    live, claimed = pulled_again()

    assert is_kept(live) is kept
    assert len(claimed) == (2 if kept else 1)


def test_a_run_with_a_budget_is_not_kept(alice: Person) -> None:
    start(alice, document([work("a")], []))
    budget = open_budget(workspace_id=alice.workspace.id, wish={"steps": 5})
    assert budget is not None
    Run.objects.update(budget_id=budget.id)

    live, _ = pulled_again()

    assert not is_kept(live)


def test_what_ran_ahead_of_a_new_limit_is_not_stored(alice: Person) -> None:
    live, claimed = pulled(alice)
    taken = after(live, claimed[0])

    Limit.objects.create(workspace=alice.workspace, target="workspace", max_running=1)

    assert commit([taken])[0] == []
    assert Run.objects.get(id=UUID(str(live.row.id))).event_seq == taken.base


def test_a_limit_that_a_run_knows_of_does_not_keep_it_from_being_stored(alice: Person) -> None:
    Limit.objects.create(workspace=alice.workspace, target="model", key="some", max_running=1)
    live, claimed = pulled(alice)

    taken = after(live, claimed[0])

    assert commit([taken])[0] == [taken]
