from functools import partial
from uuid import UUID

import pytest
from django.db import transaction

from backend.engine.admission import Refusal
from backend.limits.bounds import limited_keys
from backend.limits.models import Limit
from backend.limits.seats import admit, with_seats
from backend.runs.models import Step
from tests.integration.limits.work import Work, on_threads
from tests.integration.people import Person, make_person

MODEL = "model:small"


def limit(work: Work, key: str, most: int | None, **fields: object) -> Limit:
    target, _, name = key.partition(":")
    return Limit.objects.create(
        workspace=work.person.workspace, target=target, key=name, max_running=most, **fields
    )


def test_as_many_start_as_there_are_seats_in_their_order(work: Work) -> None:
    limit(work, MODEL, 3)
    work.add(1, MODEL, status="running")
    ready = work.add(4, MODEL)

    admission = work.claim(ready, MODEL)

    assert admission.granted == ready[:2]
    assert admission.refused == {step_id: Refusal(MODEL, None) for step_id in ready[2:]}


def test_a_step_that_ends_frees_its_seat(work: Work) -> None:
    limit(work, MODEL, 1)
    first, second = work.add(2, MODEL)
    assert work.claim([first], MODEL).granted == [first]
    assert work.claim([second], MODEL).granted == []

    work.set_status([first], "succeeded")

    assert work.claim([second], MODEL).granted == [second]


def test_a_lower_limit_holds_for_those_that_come(work: Work) -> None:
    work.add(5, MODEL, status="running")
    limit(work, MODEL, 2)

    assert work.claim(work.add(1, MODEL), MODEL).granted == []


def test_who_falls_under_no_limit_passes_those_who_wait(work: Work) -> None:
    limit(work, MODEL, 1)
    limited, free = work.add(2, MODEL), work.add(2, "model:other")
    candidates = [*work.candidates(limited, MODEL), *work.candidates(free, "model:other")]

    with transaction.atomic():
        admission = admit(candidates)

    assert admission.granted == [limited[0], *free]


def test_a_workspaces_limit_concerns_steps_that_do_not_name_it(work: Work) -> None:
    limit(work, "workspace", 2)
    work.add(1, "workflow:w", status="running")
    ready = work.add(3, "workflow:w")

    admission = work.claim(ready, "workflow:w")

    assert admission.granted == ready[:1]
    assert {refusal.key for refusal in admission.refused.values()} == {"workspace"}


def test_a_step_that_names_the_workspace_is_counted_once(work: Work) -> None:
    limit(work, "workspace", 2)
    work.add(1, "workspace", status="running")

    assert len(work.claim(work.add(2, "workspace"), "workspace").granted) == 1


def test_a_container_holds_no_seat(work: Work) -> None:
    limit(work, "workspace", 1)
    work.add(3, status="running", held=False)

    assert len(work.claim(work.add(1)).granted) == 1


def test_limits_of_other_workspaces_are_none_of_ours(work: Work, charlie: Person) -> None:
    others = Work(charlie)
    limit(others, MODEL, 1)
    others.add(1, MODEL, status="running")

    assert len(work.claim(work.add(2, MODEL), MODEL).granted) == 2


def test_a_step_needs_a_seat_under_each_of_its_limits(work: Work) -> None:
    limit(work, MODEL, 5)
    limit(work, "credential:c", 1)
    ready = work.add(3, MODEL, "credential:c")

    admission = work.claim(ready, MODEL, "credential:c")

    assert admission.granted == ready[:1]
    assert {refusal.key for refusal in admission.refused.values()} == {"credential:c"}


def test_a_workspace_without_limits_costs_one_query(
    work: Work, django_assert_num_queries: object
) -> None:
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert limited_keys([work.workspace_id]) == {}


def test_the_limited_keys_are_told_for_each_workspace(work: Work, charlie: Person) -> None:
    limit(work, MODEL, 1)
    limit(work, "workspace", 1)

    found = limited_keys([work.workspace_id, charlie.workspace.id])

    assert found == {work.workspace_id: {MODEL, "workspace"}}


@pytest.mark.django_db(transaction=True)
def test_claims_at_the_same_moment_never_exceed_a_limit(transactional_db: None) -> None:
    workers = [Work(make_person("alice"))]
    workers += [Work(workers[0].person) for _ in range(5)]
    limit(workers[0], MODEL, 3)
    limit(workers[0], "workspace", 4)
    seen: list[int] = []
    ended: list[UUID] = []

    def work_off(worker: Work, ready: list[UUID]) -> None:
        while ready:
            with transaction.atomic():
                granted = admit(worker.candidates(ready, MODEL)).granted
                worker.set_status(granted, "running")
                seen.append(worker.running(MODEL))
            worker.set_status(granted, "succeeded")
            ended.extend(granted)
            ready = [step_id for step_id in ready if step_id not in granted]

    on_threads([partial(work_off, worker, worker.add(15, MODEL)) for worker in workers])

    assert len(ended) == 90
    assert max(seen) == 3


def test_who_had_no_seat_is_offered_one_only_where_there_are_some(work: Work) -> None:
    limit(work, MODEL, 3)
    limit(work, "model:slow", None, rate=1, per_s=3600)
    work.add(1, MODEL, status="running")
    ready, slow = work.add(5, MODEL), work.add(2, "model:slow")
    candidates = [*work.candidates(ready, MODEL), *work.candidates(slow, "model:slow")]

    assert with_seats(candidates) == {*ready[:2], *slow}
    assert Step.objects.filter(status="running").count() == 1
