"""PostgreSQL restarts, hangs up, answers late, or not at all."""

import pytest

from tests.faults.trial import Trial
from tests.waiting import wait_until

LOCK = "SELECT 1 FROM runs_run WHERE id = %s FOR UPDATE"
LIMIT = "ALTER ROLE heddle IN DATABASE {} SET statement_timeout = {}"


def test_runs_go_on_when_postgres_crashes_and_comes_back(trial: Trial) -> None:
    run = trial.hold(8)
    for _ in range(2):
        trial.load(5)
        trial.cluster.restart_postgres()
        trial.crashes += 1
    trial.load(3)
    trial.recorder.open("gate")

    trial.assert_sound()
    assert trial.cluster.logs.said("database_unreachable") > 0
    assert trial.look().runs[run].status == "succeeded"


def test_runs_go_on_when_postgres_ends_every_connection(trial: Trial) -> None:
    ended = 0
    for _ in range(6):
        trial.load(3)
        ended += trial.cluster.terminate_backends()

    trial.assert_sound()
    assert ended > 0


def test_runs_go_on_when_connections_are_cut_and_slow(trial: Trial) -> None:
    trial.hold(4)
    for worker in trial.workers:
        worker.postgres.delay_s = 0.02
    for _ in range(6):
        trial.load(2)
        for worker in trial.workers:
            worker.postgres.cut()
    trial.recorder.open("gate")

    trial.assert_sound()
    assert all(worker.postgres.counts.cut > 0 for worker in trial.workers)
    assert all(worker.postgres.counts.delayed > 0 for worker in trial.workers)


def test_what_was_committed_counts_once_when_the_answer_is_lost(trial: Trial) -> None:
    trial.hold(6)
    for worker in trial.workers:
        worker.answers.left = 4

    trial.recorder.open("gate")
    trial.load(8)
    wait_until(
        lambda: sum(worker.answers.lost for worker in trial.workers) >= 4,
        what="four answers lost",
    )

    trial.assert_sound()
    assert trial.count("step.succeeded") > 0


def test_a_statement_that_takes_too_long_is_repeated(trial: Trial) -> None:
    database = trial.cluster.product.database
    run = trial.hold(8)
    with trial.cluster.database() as admin:
        admin.execute(LIMIT.format(database, "'300ms'").encode())
        trial.cluster.terminate_backends()
        try:
            with admin.transaction():
                admin.execute(LOCK, [run])
                trial.recorder.open("gate")
                wait_until(
                    lambda: any(
                        trial.cluster.logs.printed(w, "statement timeout") for w in trial.workers
                    ),
                    what="a statement that timed out",
                )
        finally:
            admin.execute(LIMIT.format(database, "DEFAULT").encode())
            trial.cluster.terminate_backends()

    trial.assert_sound()


@pytest.mark.xfail(
    reason="the server does not end a transaction whose client stands still, nor its locks",
    raises=AssertionError,
    strict=True,
)
def test_a_transaction_that_hangs_for_ever_holds_its_run_up_for_a_while(trial: Trial) -> None:
    trial.hold(8)
    victim = trial.busiest()
    victim.answers.hangs_left = 1

    trial.recorder.open("gate")
    wait_until(lambda: victim.answers.hung == 1, what="a transaction that hangs")
    trial.cluster.freeze(victim)
    trial.load(3)
    trial.wait_for_ends()
    trial.cluster.thaw(victim)
    victim.heal()

    trial.assert_sound()
