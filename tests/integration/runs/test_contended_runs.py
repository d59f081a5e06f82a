"""Runs that several processes move at the same moment, on connections of their own."""

import threading
from collections.abc import Iterator

import pytest
from django.db import connection

from backend.engine.outcomes import Failed
from backend.limits.models import Limit
from backend.runs.models import GraphChange, Run, Step
from backend.runs.patching import Author
from backend.runs.services.cancel import RunNotCancellable, cancel_run
from backend.runs.services.change import PlanMoved, change_graph
from backend.runs.services.finish import finish
from backend.runs.services.pull import pull
from backend.runs.services.signals import SignalRefused, send_signal
from backend.runs.services.steer import RunNotSteerable, pause_run
from backend.runs.services.sweep import sweep
from backend.runs.signal_urls import token_of
from backend.runs.transaction import commit
from tests.integration.people import Person, make_person
from tests.integration.runs.ahead_worker import AheadWorker
from tests.integration.runs.hand_worker import (
    HandWorker,
    assert_consistent,
    document,
    each,
    give,
    outputs,
    start,
    statuses,
    work,
)
from tests.integration.runs.test_races import at_once, completion
from workers.sandbox.evaluator import Evaluator

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def person(transactional_db: None) -> Person:
    return make_person("alice")


@pytest.fixture
def hand_worker(transactional_db: None, evaluator: Evaluator) -> HandWorker:
    return HandWorker(evaluator)


def test_items_that_end_at_once_end_their_map_once(person: Person, hand_worker: HandWorker) -> None:
    nodes = [each(over=8), work("x", parent="each"), give("end", "{{ len(nodes.each.output) }}")]
    run = start(person, document(nodes, ["each -> end"]))
    hand_worker.go()
    completions = [completion(claimed) for claimed in hand_worker.held.values()]

    answers = at_once(
        [lambda c=c: finish([c], resolve=hand_worker.resolve) for c in completions]  # type: ignore[misc]
    )

    assert not [answer for answer in answers if isinstance(answer, Exception)]
    assert outputs(run) == {"end": 8}
    assert run.events.filter(type="step.succeeded", path="each").count() == 1
    assert_consistent(run)


def test_items_that_fail_at_once_fail_their_map_once(
    person: Person, hand_worker: HandWorker
) -> None:
    run = start(person, document([each(over=6), work("x", parent="each")], []))
    hand_worker.go()
    failed = Failed("broken", "It broke.")
    completions = [completion(claimed, failed) for claimed in hand_worker.held.values()]

    at_once([lambda c=c: finish([c]) for c in completions])  # type: ignore[misc]

    run.refresh_from_db()
    assert run.status == "failed"
    assert sorted(statuses(run).values()) == ["cancelled"] * 5 + ["failed"] * 2
    assert_consistent(run)


def test_of_changes_upon_the_same_graph_one_wins(person: Person) -> None:
    run = start(person, document([work("a")], []))

    def add(name: str) -> int:
        operation = {"op": "add_node", "node": work(name)}
        return change_graph(run.id, [operation], base=0, author=Author())

    answers = at_once([lambda n=n: add(f"n{n}") for n in range(4)])  # type: ignore[misc]

    assert sorted(type(answer).__name__ for answer in answers) == ["PlanMoved"] * 3 + ["int"]
    assert all(isinstance(answer, PlanMoved | int) for answer in answers)
    assert GraphChange.objects.filter(run=run).count() == 1
    assert Step.objects.filter(run=run).count() == 2
    assert_consistent(run)


def test_a_change_and_a_completion_at_once_are_both_counted(
    person: Person, hand_worker: HandWorker
) -> None:
    edge = {"op": "add_edge", "edge": {"from": "a", "to": "new"}}
    add = [{"op": "add_node", "node": work("new")}, edge]
    for _ in range(5):
        run = start(person, document([work("a"), work("b")], ["a -> b"]))
        hand_worker.pull()
        done = completion(hand_worker.held.pop("a"))

        answers = at_once(
            [
                lambda r=run: change_graph(r.id, add, base=0, author=Author()),  # type: ignore[misc]
                lambda d=done: finish([d]),  # type: ignore[misc]
            ]
        )

        assert not [answer for answer in answers if isinstance(answer, Exception)]
        assert statuses(run) == {"a": "succeeded", "b": "ready", "new": "ready"}
        assert_consistent(run)
        cancel_run(run.id, reason="Enough.")


def test_a_signal_and_its_time_limit_at_once_give_one_end(
    person: Person, hand_worker: HandWorker
) -> None:
    wait = {"id": "wait", "kind": "flow.wait", "config": {"signal": {"timeout_s": 60}}}
    for _ in range(5):
        run = start(person, document([wait], []))
        hand_worker.pull()
        hand_worker.run_node("wait")
        with connection.cursor() as cursor:
            cursor.execute("UPDATE runs_step SET waiting_until = now() WHERE run_id = %s", [run.id])

        token = token_of(run.id, "wait")
        signalled, _ = at_once([lambda t=token: send_signal(t, 1), sweep])  # type: ignore[misc]

        run.refresh_from_db()
        assert run.status == ("failed" if isinstance(signalled, SignalRefused) else "succeeded")
        assert_consistent(run)


def test_a_signal_that_is_sent_twice_at_once_counts_once(
    person: Person, hand_worker: HandWorker
) -> None:
    wait = {"id": "wait", "kind": "flow.wait", "config": {"signal": True}}
    run = start(person, document([wait, give("end", "{{ nodes.wait.output }}")], ["wait -> end"]))
    hand_worker.pull()
    hand_worker.run_node("wait")
    token = token_of(run.id, "wait")

    answers = at_once([lambda n=n: send_signal(token, n) for n in range(4)])  # type: ignore[misc]

    assert sum(isinstance(answer, SignalRefused) for answer in answers) == 3
    hand_worker.go()
    assert outputs(run) == {"end": answers.index(None)}


def test_a_pause_and_a_pull_at_once_leave_nothing_half_started(
    person: Person, hand_worker: HandWorker
) -> None:
    for _ in range(5):
        run = start(person, document([work("a"), work("b")], []))

        paused, pulled = at_once(
            [
                lambda r=run: pause_run(r.id, reason="Wait."),  # type: ignore[misc]
                lambda: pull(hand_worker.seat).claimed,
            ]
        )

        assert not isinstance(paused, RunNotSteerable)
        running = len(pulled)  # type: ignore[arg-type]
        assert sorted(statuses(run).values()) == ["held"] * (2 - running) + ["running"] * running
        assert_consistent(run)
        cancel_run(run.id, reason="Enough.")


def test_a_run_in_memory_is_stored_or_cancelled_and_never_both(
    person: Person, evaluator: Evaluator
) -> None:
    for _ in range(5):
        run = start(person, document([work("a")], []))
        ahead = AheadWorker(evaluator)
        ahead.keep()
        ahead.go_ahead({"a": 1})
        assert ahead.taken is not None

        cancelled, stored = at_once(
            [
                lambda r=run: cancel_run(r.id, reason="Enough."),  # type: ignore[misc]
                lambda t=ahead.taken: commit([t])[0],  # type: ignore[misc]
            ]
        )

        run.refresh_from_db()
        was_late = isinstance(cancelled, RunNotCancellable)
        assert (run.status, bool(stored)) == (
            ("succeeded", True) if was_late else ("cancelled", False)
        )
        assert_consistent(run)


@pytest.fixture
def most_running(person: Person) -> Iterator[list[int]]:
    """How many steps ran at once, sampled all the time by a connection of its own."""
    seen: list[int] = []
    ended = threading.Event()

    def sample() -> None:
        while not ended.is_set():
            seen.append(Step.objects.filter(status="running").count())
        connection.close()

    sampler = threading.Thread(target=sample)
    sampler.start()
    yield seen
    ended.set()
    sampler.join(60)


def test_pulls_at_once_never_exceed_a_limit(
    person: Person, evaluator: Evaluator, most_running: list[int]
) -> None:
    Limit.objects.create(workspace=person.workspace, target="workspace", key="", max_running=3)
    runs = [start(person, document([work(f"n{i}") for i in range(10)], [])) for _ in range(3)]

    def work_off() -> None:
        worker = HandWorker(evaluator, slots=5)
        while Run.objects.unfinished().exists():
            for claimed in pull(worker.seat).claimed:
                finish([completion(claimed)], seat=worker.seat)

    answers = at_once([work_off] * 4)

    assert not [answer for answer in answers if answer is not None]
    assert 1 < max(most_running) <= 3
    for run in runs:
        run.refresh_from_db()
        assert run.status == "succeeded"
        assert_consistent(run)
