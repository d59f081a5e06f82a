"""A minute of everything at once."""

import pytest

from tests.faults.chaos import Chaos
from tests.faults.trial import Trial

SEED = 7
SECONDS = 60


@pytest.mark.parametrize(
    "cluster",
    [pytest.param("0", marks=pytest.mark.xdist_group("step-by-step"))],
    indirect=True,
)
def test_a_minute_of_chaos_breaks_no_invariant(trial: Trial) -> None:
    chaos = Chaos(trial, seed=SEED, seconds=SECONDS)

    chaos.run()
    chaos.tell()

    table = chaos.table()
    assert not table.violations, f"\n{table}"
    assert chaos.done["kill_a_worker"] > 0
    assert trial.count("step.lost") > 0
    assert trial.cluster.logs.said("session_lost") > 0
    assert trial.sampler.samples > 0
