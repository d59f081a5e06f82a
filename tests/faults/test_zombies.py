"""Workers that stand still for longer than their lease, and then go on as if nothing had been."""

from tests.faults.harness.times import TTL_S
from tests.faults.harness.worker import Worker
from tests.faults.trial import Trial

WIDTH = 12
FENCED, SELF_FENCED = "fenced", "session_lost"
STUBBORN = "tests.faults.stubborn_app"


def bring_back_from_the_dead(trial: Trial, victim: Worker) -> None:
    """Freeze a worker until others run its steps; then have its own calls answered first."""
    trial.cluster.freeze(victim)
    trial.wait_for_losses(1)
    trial.go_on_for(2 * TTL_S, every_s=2)
    trial.wait_for_arrivals("gate", 2 * WIDTH)
    trial.recorder.let_through("gate", WIDTH)
    trial.cluster.thaw(victim)


def hold_on_one(trial: Trial, app: str) -> Worker:
    """Have all steps of a run under way on one worker of a special kind."""
    victim = trial.add_worker(app=app)
    trial.freeze_usual_workers()
    trial.hold(WIDTH)
    trial.thaw_usual_workers()
    return victim


def test_a_worker_that_was_frozen_stops_what_it_ran(trial: Trial) -> None:
    trial.hold(WIDTH)
    victim = trial.busiest()

    trial.cluster.freeze(victim)
    trial.wait_for_losses(1)
    trial.go_on_for(2 * TTL_S, every_s=2)
    trial.cluster.thaw(victim)
    trial.wait_until_heard(SELF_FENCED, victim)
    trial.recorder.open("gate")

    trial.assert_sound()


def test_what_a_worker_completes_too_late_is_refused(trial: Trial) -> None:
    victim = hold_on_one(trial, STUBBORN)

    bring_back_from_the_dead(trial, victim)
    trial.wait_until_heard(FENCED, victim)
    trial.recorder.open("gate")

    trial.assert_sound()


def test_a_worker_whose_database_is_silent_stops_its_steps_by_itself(trial: Trial) -> None:
    trial.hold(WIDTH)
    victim = trial.busiest()

    victim.postgres.swallow()
    trial.wait_until_heard(SELF_FENCED, victim)
    # Its calls are hung up before anybody else is given them.
    hung_up = trial.recorder.hung_up["gate"]
    trial.wait_for_losses(1)
    trial.wait_for_calls("gate", WIDTH)
    victim.heal()
    trial.recorder.open("gate")

    trial.assert_sound()
    assert hung_up > 0
    assert victim.postgres.counts.swallowed_bytes > 0


def test_all_workers_frozen_at_once_lose_their_steps_and_find_them_again(trial: Trial) -> None:
    trial.hold(WIDTH)

    for worker in trial.workers:
        trial.cluster.freeze(worker)
    trial.go_on_for(2 * TTL_S, every_s=2)
    for worker in trial.workers:
        trial.cluster.thaw(worker)
    trial.wait_for_losses(1)
    trial.recorder.open("gate")

    trial.assert_sound()
    assert trial.cluster.logs.said(SELF_FENCED) > 0
