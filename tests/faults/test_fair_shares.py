"""One workspace floods the workers, and another asks for a step now and then."""

from tests.faults import fair_checks, graphs
from tests.faults.harness.starter import Starter
from tests.faults.harness.times import SLOTS
from tests.faults.trial import Trial

STEP_MS = 60
FLOOD_RUNS = 24


def test_a_light_workspace_is_served_while_another_floods(trial: Trial) -> None:
    url = trial.recorder.url
    wide = graphs.spread(
        "A flood", [graphs.sleep(f"n{i}", url, STEP_MS) for i in range(120)], graphs.join("end")
    )
    long = graphs.line("A stream", [graphs.sleep(f"c{i}", url, STEP_MS) for i in range(20)])
    one = graphs.line("One", [graphs.sleep("only", url, 0)])
    light = Starter(trial.cluster, trial.book, api_key=trial.cluster.another_workspace())
    for document, runs in ((wide, 3), (long, FLOOD_RUNS)):
        workflow = trial.starter.workflow(document)
        for _ in range(runs):
            trial.starter.run(workflow, document)

    workflow = light.workflow(one)
    asked = []
    for _ in range(4):
        asked.append(light.run(workflow, one))
        trial.wait_for_end_of(asked[-1])
    flood = trial.still_open()

    trial.assert_sound()
    light.close()
    assert flood > 0, "the flood was over before the light workspace was"
    bound = 2 * SLOTS * len(trial.workers)
    served = fair_checks.light_ones_are_served(trial.look(), asked, bound=bound)
    assert not served.violations, served.violations
    assert served.checked == len(asked)
