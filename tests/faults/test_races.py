"""Cancels, deadlines and completions that meet in the same moment."""

import threading

from tests.faults import graphs
from tests.faults.trial import Trial

RUNS = 24
WIDTH = 4


def test_of_cancel_deadline_and_completion_one_ends_the_run(trial: Trial) -> None:
    url = trial.recorder.url
    nodes = [graphs.sleep(f"n{i}", url, 1000 + 40 * i) for i in range(WIDTH)]
    document = graphs.spread("A race", nodes, graphs.effect("closing", url))
    workflow = trial.starter.workflow(document)
    any_end = ("succeeded", "failed", "cancelled")
    started = [
        trial.starter.run(
            workflow,
            document,
            endings=any_end,
            # The deadlines fall into the moments in which the steps end.
            deadline_s=0.6 + 0.05 * number if number % 3 == 1 else None,
        )
        for number in range(RUNS)
    ]
    to_cancel = started[::3]
    cancelled: dict[str, bool] = {}

    def cancel(run: str, after_s: float) -> None:
        threading.Event().wait(after_s)
        cancelled[run] = trial.starter.cancel(run)

    threads = [
        threading.Thread(target=cancel, args=(run, 0.1 * number))
        for number, run in enumerate(to_cancel)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    trial.assert_sound()
    found = trial.look().runs
    ends = {run: found[run].status for run in started}
    assert set(ends.values()) == {"succeeded", "failed", "cancelled"}
    assert {run for run, won in cancelled.items() if won} == {
        run for run, status in ends.items() if status == "cancelled"
    }
