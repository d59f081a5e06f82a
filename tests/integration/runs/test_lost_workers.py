from collections.abc import Callable

from django.db import connection

from backend.runs.models import Run, Step, WorkerSession
from backend.runs.plans import plan_of
from backend.runs.services.sessions import beat, set_state
from backend.runs.services.sweep import release, sweep
from backend.workflows.models import Graph
from tests.integration.runs.hand_worker import (
    HandWorker,
    assert_consistent,
    document,
    expire,
    log_of,
    statuses,
    work,
)

Start = Callable[..., Run]
CHAIN = document([work("a"), work("b")], ["a -> b"])


def test_a_dead_workers_step_is_given_to_another_and_the_dead_one_is_fenced(
    start_run: Start, worker: HandWorker, another_worker: HandWorker
) -> None:
    run = start_run(CHAIN)
    worker.pull()
    late = worker.completion("a", "from the dead")
    expire(worker.session_id)

    swept = sweep()
    another_worker.pull()
    another_worker.complete({"a": "alive"})
    finished = worker.finish([late])

    assert (swept.dead_sessions, swept.recovered) == (1, 1)
    assert finished.fenced == [late]
    assert Step.objects.get(run=run, path="a").output.value == "alive"
    assert "step.lost a" in log_of(run)
    assert_consistent(run)


def test_losing_a_worker_is_not_counted_as_the_nodes_failure(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(CHAIN)
    worker.pull()
    expire(worker.session_id)

    sweep()

    step = Step.objects.get(run=run, path="a")
    assert (step.status, step.failures, step.losses) == ("ready", 0, 1)


def test_a_step_that_three_workers_died_of_is_not_tried_again(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(CHAIN)
    for _ in range(3):
        doomed = HandWorker(worker.evaluator)
        assert doomed.pull() == ["a"]
        expire(doomed.session_id)
        sweep()

    run.refresh_from_db()
    assert run.status == "failed"
    assert run.error["code"] == "worker_lost"
    assert worker.pull() == []
    assert_consistent(run)


def test_a_live_workers_steps_are_left_alone(start_run: Start, worker: HandWorker) -> None:
    run = start_run(CHAIN)
    worker.pull()

    swept = sweep()

    assert (swept.dead_sessions, swept.recovered) == (0, 0)
    assert statuses(run)["a"] == "running"


def test_a_heartbeat_prolongs_a_session_and_names_the_leases_that_were_lost(
    start_run: Start, worker: HandWorker
) -> None:
    start_run(CHAIN)
    worker.pull()
    lease = str(worker.held["a"].lease_id)
    before = WorkerSession.objects.get(id=worker.session_id).expires_at

    good = beat(worker.session_id, leases=[lease])
    foreign = beat(worker.session_id, leases=["00000000-0000-0000-0000-000000000001"])

    assert (good.alive, good.lost) == (True, ())
    assert foreign.lost == ("00000000-0000-0000-0000-000000000001",)
    assert WorkerSession.objects.get(id=worker.session_id).expires_at > before


def test_a_session_that_was_declared_dead_is_told_so(worker: HandWorker) -> None:
    expire(worker.session_id)
    sweep()

    answer = beat(worker.session_id, leases=["00000000-0000-0000-0000-000000000001"])

    assert not answer.alive
    assert len(answer.lost) == 1


def test_a_claim_whose_answer_was_lost_is_found_by_the_heartbeat_and_given_back(
    start_run: Start, worker: HandWorker, another_worker: HandWorker
) -> None:
    run = start_run(CHAIN)
    worker.pull()
    lease = str(worker.held["a"].lease_id)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE runs_step SET started_at = started_at - interval '1 minute'")

    answer = beat(worker.session_id, leases=[])
    release({(run_id, no): lease for run_id, no, lease in answer.unknown}, count_loss=True)

    assert [lease for _, _, lease in answer.unknown] == [lease]
    assert another_worker.pull() == ["a"]
    assert_consistent(run)


def test_a_worker_that_stops_gives_its_steps_back_without_blame(
    start_run: Start, worker: HandWorker, another_worker: HandWorker
) -> None:
    run = start_run(CHAIN)
    worker.pull()
    lease = str(worker.held["a"].lease_id)

    release({(run.id, worker.held["a"].key): lease})
    set_state(worker.session_id, "stopped")

    assert another_worker.pull() == ["a"]
    assert Step.objects.get(run=run, path="a").losses == 0


def test_a_run_that_was_left_without_anything_to_do_is_repaired(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(CHAIN)
    worker.pull()
    worker.complete({"a": 1}, go_on=False)
    Step.objects.filter(run=run, path="b").update(status="pending", pending=5, taken=0)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE runs_run SET created_at = created_at - interval '1 minute'")

    swept = sweep()

    assert swept.unstuck == 1
    assert worker.pull() == ["b"]


def test_a_run_over_its_deadline_fails_and_says_so(start_run: Start, worker: HandWorker) -> None:
    run = start_run(CHAIN, deadline_s=60)
    worker.pull()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE runs_run SET deadline_at = deadline_at - interval '2 minutes'")

    sweep()

    run.refresh_from_db()
    assert (run.status, run.error["code"]) == ("failed", "deadline_exceeded")
    assert statuses(run) == {"a": "cancelled", "b": "cancelled"}
    assert_consistent(run)


def test_a_run_that_cannot_be_swept_does_not_keep_others_from_it(
    start_run: Start, worker: HandWorker, another_worker: HandWorker
) -> None:
    broken = [start_run(document([work(f"broken{n}")], []), deadline_s=60) for n in range(2)]
    lost = start_run(CHAIN)
    late = start_run(document([work("late")], []), deadline_s=60)
    worker.pull()
    Graph.objects.filter(id__in=[run.graph_id for run in broken]).update(plan={"format": 99})
    plan_of.cache_clear()
    expire(worker.session_id)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE runs_run SET deadline_at = deadline_at - interval '2 minutes'")

    swept = sweep()

    late.refresh_from_db()
    assert late.status == "failed"
    assert swept.recovered == 2
    assert another_worker.pull() == ["a"]
    assert_consistent(lost)
