"""A deployment: workers are replaced one after the other while runs are under way."""

from tests.faults.harness.times import DEFAULT_TIMES
from tests.faults.trial import Trial


def test_a_rolling_restart_costs_no_step_an_attempt_that_counts(trial: Trial) -> None:
    trial.hold(4, "long")
    old = [trial.busiest(), *[w for w in trial.workers if w is not trial.busiest()]]

    for worker in old:
        new = trial.cluster.add_worker(settings=DEFAULT_TIMES)
        trial.load(6)
        trial.cluster.ask_to_stop(worker)
        trial.go_on_for(2, every_s=0.5)
        trial.cluster.wait_for_workers([new])
        trial.cluster.wait_for_exit(worker)
    trial.wait_for_calls("long", 4)
    trial.recorder.open("long")

    trial.assert_sound()
    steps = [step for steps in trial.look().steps.values() for step in steps.values()]
    given_back = [step for step in steps if step.path.startswith("n") and step.attempt > 1]
    assert given_back, "nothing was under way when the workers were asked to stop"
    assert trial.count("step.lost") == 0
    assert sum(step.losses for step in steps) == 0
