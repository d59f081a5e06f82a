"""Transitions that happen at once, on connections of their own."""

import threading
from collections.abc import Callable, Sequence

import pytest
from django.db import connection

from backend.engine.outcomes import Outcome, Succeeded
from backend.runs.live import Claimed
from backend.runs.models import LaneQueue, Run, Step
from backend.runs.services.cancel import RunNotCancellable, cancel_run
from backend.runs.services.finish import Completion, finish
from backend.runs.services.pull import pull
from backend.runs.services.start import RunRequest, start_run
from backend.runs.services.sweep import sweep
from backend.workflows.models import Workflow
from tests.integration.people import create_workflow, make_person
from tests.integration.runs.hand_worker import HandWorker, assert_consistent, document, start, work
from workers.sandbox.evaluator import Evaluator

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(acts: Sequence[Callable[[], object]]) -> list[object]:
    """Call all of them at the same moment, each on its own thread; gives answers or exceptions."""
    barrier = threading.Barrier(len(acts))
    answers: list[object] = [None] * len(acts)

    def call(index: int) -> None:
        barrier.wait()
        try:
            answers[index] = acts[index]()
        except Exception as error:  # noqa: BLE001 - handed to the test
            answers[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=call, args=(index,)) for index in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


def completion(claimed: Claimed, outcome: Outcome | None = None) -> Completion:
    return Completion(
        run_id=claimed.run.id,
        key=claimed.key,
        lease_id=claimed.lease_id,
        outcome=outcome or Succeeded(1),
    )


@pytest.fixture
def hand_worker(transactional_db: None, evaluator: Evaluator) -> HandWorker:
    return HandWorker(evaluator)


def test_many_completions_at_once_unlock_the_join_exactly_once(hand_worker: HandWorker) -> None:
    names = [f"n{i}" for i in range(8)]
    graph = document([*map(work, names), work("join")], [f"{name} -> join" for name in names])
    run = start(make_person("alice"), graph)
    hand_worker.pull()
    completions = [completion(hand_worker.held[name]) for name in names]

    answers = at_once([lambda c=c: finish([c]) for c in completions])  # type: ignore[misc]

    assert not [answer for answer in answers if isinstance(answer, Exception)]
    join = Step.objects.get(run=run, path="join")
    assert (join.status, join.pending, join.taken) == ("ready", 0, 8)
    assert run.events.filter(type="step.ready", path="join").count() == 1
    assert_consistent(run)


def test_of_two_completions_of_one_step_one_wins(hand_worker: HandWorker) -> None:
    run = start(make_person("alice"), document([work("a")], []))
    hand_worker.pull()
    one = completion(hand_worker.held["a"], Succeeded("one"))
    other = completion(hand_worker.held["a"], Succeeded("other"))

    answers = at_once([lambda: finish([one]), lambda: finish([other])])

    assert sorted(len(answer.fenced) for answer in answers) == [0, 1]  # type: ignore[attr-defined]
    assert run.events.filter(type="step.succeeded").count() == 1
    assert_consistent(run)


def test_cancel_and_completion_at_once_give_one_end(hand_worker: HandWorker) -> None:
    alice = make_person("alice")
    for _ in range(10):
        run = start(alice, document([work("a")], []))
        hand_worker.pull()
        done = completion(hand_worker.held.pop("a"))

        cancelled, finished = at_once(
            [lambda r=run: cancel_run(r.id, reason="Enough."), lambda d=done: finish([d])]  # type: ignore[misc]
        )

        run.refresh_from_db()
        if isinstance(cancelled, RunNotCancellable):
            assert run.status == "succeeded"
        else:
            assert run.status == "cancelled"
            assert finished.fenced == [done]  # type: ignore[attr-defined]
        assert run.events.filter(type__in=["run.succeeded", "run.cancelled"]).count() == 1
        assert_consistent(run)


def test_workers_that_pull_at_once_share_the_steps(
    hand_worker: HandWorker, evaluator: Evaluator
) -> None:
    start(make_person("alice"), document([work(f"n{i}") for i in range(40)], []))
    workers = [hand_worker, HandWorker(evaluator), HandWorker(evaluator)]
    for one in workers:
        one.slots = 20

    pulled = at_once([lambda w=w: pull(w.seat).claimed for w in workers])  # type: ignore[misc]
    rest = [name for w in workers for name in w.pull()]

    claimed = [item.path for items in pulled for item in items] + rest  # type: ignore[attr-defined]
    assert len(claimed) == len(set(claimed)) == 40


def test_sweepers_at_once_bring_a_lost_step_back_once(
    hand_worker: HandWorker, evaluator: Evaluator
) -> None:
    run = start(make_person("alice"), document([work("a")], []))
    hand_worker.pull()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE runs_workersession SET expires_at = now() - interval '1 hour'")

    answers = at_once([sweep, sweep, sweep])
    sweep()

    assert not [answer for answer in answers if isinstance(answer, Exception)]
    assert run.events.filter(type="step.lost").count() == 1
    assert HandWorker(evaluator).pull() == ["a"]
    assert_consistent(run)


def test_one_key_sent_twice_at_once_starts_one_run(transactional_db: None) -> None:
    alice = make_person("alice")
    workflow = Workflow.objects.get(id=create_workflow(alice, document([work("a")], []))["id"])
    request = RunRequest(idempotency_key="once")

    def ask() -> object:
        return start_run(
            principal=alice.principal, workflow=workflow, request=request, trigger="api"
        )

    answers = at_once([ask] * 4)

    assert Run.objects.count() == 1
    assert sorted(answer.created for answer in answers) == [False, False, False, True]  # type: ignore[attr-defined]


def test_a_light_workspace_is_not_kept_waiting_by_one_that_floods(
    hand_worker: HandWorker,
) -> None:
    start(make_person("alice"), document([work(f"flood{i}") for i in range(200)], []))
    hand_worker.slots = 10
    hand_worker.pull()
    hand_worker.held.clear()
    start(make_person("charlie"), document([work("light")], []))

    assert "light" in hand_worker.pull()


def test_a_workspace_with_a_long_past_is_not_kept_waiting_by_a_newcomer_that_floods(
    hand_worker: HandWorker,
) -> None:
    alice = make_person("alice")
    start(alice, document([work("past")], []))
    hand_worker.pull()
    LaneQueue.objects.update(vtime=1_000_000)
    start(make_person("charlie"), document([work(f"flood{i}") for i in range(200)], []))
    hand_worker.slots = 10
    hand_worker.held.clear()
    start(alice, document([work("light")], []))

    assert "light" in hand_worker.pull()


def test_a_workspace_that_had_nothing_to_do_for_long_has_saved_no_credit(
    hand_worker: HandWorker,
) -> None:
    charlies = document(
        [work("long"), *(work(f"flood{i}") for i in range(200))],
        [f"long -> flood{i}" for i in range(200)],
    )
    start(make_person("charlie"), charlies)
    hand_worker.pull()
    alice = make_person("alice")
    start(alice, document([work("past")], []))
    hand_worker.pull()
    LaneQueue.objects.filter(workspace=alice.workspace).update(vtime=1_000_000)
    hand_worker.complete({"past": 1, "long": 1}, go_on=False)
    hand_worker.slots = 10
    start(alice, document([work("light")], []))

    assert "light" in hand_worker.pull()
