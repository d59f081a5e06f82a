"""The invariants can be broken: without fencing, and without the sweeper, they are."""

from tests.faults.harness.times import TTL_S
from tests.faults.test_zombies import bring_back_from_the_dead, hold_on_one
from tests.faults.trial import Trial

UNFENCED = "tests.faults.unfenced_app"
UNSWEPT = "tests.faults.unswept_app"


def test_without_fencing_a_late_completion_counts(trial: Trial) -> None:
    victim = hold_on_one(trial, UNFENCED)

    bring_back_from_the_dead(trial, victim)
    trial.wait_for_broken("I2", "I6", "I10")
    trial.recorder.open("gate")


def test_without_a_sweeper_a_killed_workers_steps_stay_lost(trial: Trial) -> None:
    trial.cluster.product.kill("beat")
    victim = trial.add_worker(app=UNSWEPT)
    trial.freeze_usual_workers()
    trial.hold(12)

    trial.cluster.kill(victim)
    trial.recorder.open("gate")
    trial.go_on_for(2 * TTL_S, every_s=2)

    assert "I1" in trial.table(ended=False).broken()
    # It was the sweeper alone that was missing.
    trial.thaw_usual_workers()
    trial.wait_for_ends()
