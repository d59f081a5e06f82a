"""Which of many steps a worker gets, where some of them have to wait for a seat."""

from typing import Any
from uuid import UUID

from backend.engine.budget import Estimate
from backend.engine.outcomes import Failed, Outcome, Succeeded
from backend.limits.budgets import CallWish, open_budget, reserve_all
from backend.limits.models import Limit
from backend.runs import results
from backend.runs.live import Claimed
from backend.runs.models import Run, Step
from backend.runs.services.finish import Completion, Seat, finish
from backend.runs.services.pull import pull
from backend.runs.services.sessions import open_session
from tests.integration.people import Person
from tests.integration.runs.hand_worker import document, start, work


def resolve(requests: object) -> Any:
    """Nothing of these runs is evaluated."""
    raise AssertionError(requests)


def seat(free: int) -> Seat:
    return Seat(session_id=open_session(lane="io", slots=10), lane="io", free=free)


def claim(free: int) -> list[Claimed]:
    """Pull as a worker does: until there is no more for it."""
    claimed: list[Claimed] = []
    while True:
        pulled = pull(seat(free - len(claimed)), resolve=resolve)
        claimed += pulled.claimed
        if not pulled.has_more:
            return claimed


def end(claimed: Claimed, outcome: Outcome | None = None) -> None:
    done = Completion(
        run_id=claimed.run.id,
        key=claimed.key,
        lease_id=claimed.lease_id,
        outcome=outcome or Succeeded(1),
        encoded=None if outcome else results.encode(1),
    )
    finish([done], resolve=resolve, seat=None)


def many(person: Person, count: int, *, priority: int = 0) -> Run:
    return start(person, document([work(f"n{i}") for i in range(count)], []), priority=priority)


def seats_of(person: Person, run: Run, most: int) -> Limit:
    return Limit.objects.create(
        workspace=person.workspace, target="workflow", key=str(run.workflow_id), max_running=most
    )


def test_steps_that_wait_for_a_seat_do_not_hide_those_behind_them(alice: Person) -> None:
    limited = many(alice, 20, priority=5)
    seats_of(alice, limited, 1)
    assert [item.run.id for item in claim(5)] == [limited.id]
    free = many(alice, 3)

    assert [item.run.id for item in claim(5)] == [free.id] * 3


def test_a_seat_that_becomes_free_goes_to_who_is_due_first(alice: Person) -> None:
    late = many(alice, 2)
    Limit.objects.create(workspace=alice.workspace, target="workspace", max_running=1)
    [first] = claim(5)
    assert claim(5) == []
    urgent = many(alice, 2, priority=9)
    assert claim(5) == []

    end(first)

    [second] = claim(5)
    assert (first.run.id, second.run.id) == (late.id, urgent.id)


def test_steps_of_several_runs_are_let_in_by_their_priority(alice: Person) -> None:
    many(alice, 3)
    urgent = many(alice, 3, priority=9)
    Limit.objects.create(workspace=alice.workspace, target="workspace", max_running=3)

    assert {item.run.id for item in claim(10)} == {urgent.id}


def test_steps_whose_limit_is_deleted_start(alice: Person) -> None:
    run = many(alice, 4)
    limit = seats_of(alice, run, 1)
    assert len(claim(10)) == 1
    assert Step.objects.exclude(limited_by="").count() == 3

    limit.delete()

    assert len(claim(10)) == 3
    assert not Step.objects.exclude(limited_by="").exists()


def test_a_call_of_which_the_endpoint_does_not_tell_counts_as_estimated(alice: Person) -> None:
    run = many(alice, 2)
    budget = open_budget(workspace_id=alice.workspace.id, wish={"tokens": 100})
    assert budget is not None
    Run.objects.filter(id=run.id).update(budget_id=budget.id)
    told, failed = claim(5)
    reserve_all(
        [
            CallWish(budget.id, UUID(item.lease_id), UUID(item.step_id), Estimate(40, None))
            for item in (told, failed)
        ]
    )

    end(told)
    end(failed, Failed("broken", "It broke."))

    budget.refresh_from_db()
    assert (budget.spent_tokens, budget.reserved_tokens) == (40, 0)
