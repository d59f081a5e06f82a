"""Workers whose wall clocks are wrong by ten minutes."""

from datetime import datetime

from tests.faults import graphs
from tests.faults.trial import Trial

OFF_S = 600
WAIT_S = 1.5


def test_workers_with_wrong_clocks_give_the_same_runs(trial: Trial) -> None:
    url = trial.recorder.url
    skewed = [trial.cluster.add_worker(clock_off_s=off) for off in (-OFF_S, OFF_S)]
    trial.cluster.wait_for_workers(skewed)
    trial.freeze_usual_workers()
    wait = {"id": "wait", "kind": "flow.wait", "config": {"seconds": WAIT_S}}
    runs = [trial.start(graphs.line("A wait", [wait, graphs.effect("after", url)])) for _ in "1234"]
    trial.load(12)

    trial.wait_for_ends(within_s=40)
    trial.thaw_usual_workers()

    trial.assert_sound()
    assert all(trial.cluster.logs.printed(w, "clock of this process is off") for w in skewed)
    for run in runs:
        assert abs(waited_s(trial, run) - WAIT_S) < OFF_S / 10


def waited_s(trial: Trial, run: str) -> float:
    """How long a wait was meant to last, by the clock of the log."""
    events = trial.starter.get(f"runs/{run}/events/")["results"]
    parked = next(event for event in events if event["type"] == "step.waiting")
    until = datetime.fromisoformat(parked["data"]["until"])
    return (until - datetime.fromisoformat(parked["at"])).total_seconds()
