"""Workers that die: killed one by one, all at once, and with everything else."""

import pytest

from tests.faults.harness.times import DEFAULT_TIMES
from tests.faults.trial import Trial

#: ENGINE's promise with the times that everyone has: from the last sign of life to a new attempt.
DEFAULT_RECOVERY_S = 20
RECOVERY = """
SELECT extract(epoch FROM s.started_at - w.heartbeat_at) FROM runs_step s, runs_workersession w
WHERE s.run_id = %s AND s.losses > 0 AND s.attempt > 1 AND w.pid = %s
"""


def test_steps_of_a_killed_worker_run_again_on_another(trial: Trial) -> None:
    trial.hold(12)
    trial.load(10)

    victim = trial.busiest()
    trial.cluster.kill(victim)
    trial.wait_for_calls("gate", 12)
    trial.recorder.open("gate")

    trial.assert_sound()
    assert trial.count("step.lost") > 0


def test_runs_go_on_after_every_worker_was_killed(trial: Trial) -> None:
    trial.hold(12)
    trial.load(10)

    for worker in trial.workers:
        trial.cluster.kill(worker)
    trial.load(3)
    trial.cluster.make_whole()
    trial.wait_for_calls("gate", 12)
    trial.recorder.open("gate")

    trial.assert_sound()
    assert trial.count("step.lost") >= 12


def test_runs_go_on_after_everything_was_killed(trial: Trial) -> None:
    trial.hold(12)
    trial.load(10)

    trial.cluster.kill_everything()
    trial.crashes += 1
    trial.cluster.make_whole()
    trial.wait_for_calls("gate", 12)
    trial.recorder.open("gate")

    trial.assert_sound()
    assert trial.count("step.lost") > 0


@pytest.mark.parametrize("cluster", ["1"], indirect=True)
def test_with_the_default_times_a_killed_workers_steps_run_again_within_twenty_seconds(
    trial: Trial,
) -> None:
    trial.cluster.restart_beat(DEFAULT_TIMES)
    victim, other = [trial.cluster.add_worker(settings=DEFAULT_TIMES) for _ in range(2)]
    trial.cluster.wait_for_workers([victim, other])
    for worker in trial.workers:
        trial.cluster.kill(worker)
    run = trial.hold(12)

    victim = trial.busiest()
    trial.cluster.kill(victim)
    trial.wait_for_losses(1, within_s=40)
    trial.wait_for_calls("gate", 12)
    delays = [row[0] for row in trial.cluster.query(RECOVERY, [run, victim.pid])]
    trial.recorder.open("gate")

    trial.assert_sound()
    assert delays
    assert max(delays) <= DEFAULT_RECOVERY_S
