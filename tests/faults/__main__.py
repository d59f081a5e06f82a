"""Chaos for as long as one likes: `bin/chaos --minutes N --seed S`."""

import argparse
import os
import random
import sys
from collections.abc import Sequence

from heddle_platform.console import say
from tests.faults.chaos import Chaos
from tests.faults.harness.background import Background
from tests.faults.harness.cluster import Cluster
from tests.faults.trial import Trial

MAX_SEED = 2**31


def main(arguments: Sequence[str]) -> int:
    """Run it, print the invariants' table, and return 1 if one of them did not hold."""
    options = _parse(arguments)
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(MAX_SEED)
    say(f"chaos of {options.minutes:g} min with seed {seed}")
    background = Background()
    cluster = Cluster(background, settings={})
    os.environ.update(cluster.services.environment())
    os.environ["DJANGO_SETTINGS_MODULE"] = "backend.config.settings"
    try:
        cluster.start()
        with Trial(cluster, dice=random.Random(seed)) as trial:
            return _judge(trial, Chaos(trial, seed=seed, seconds=60 * options.minutes))
    finally:
        cluster.stop()
        background.close()


def _judge(trial: Trial, chaos: Chaos) -> int:
    try:
        chaos.run()
    except AssertionError as error:
        say(f"not everything came to its end: {error}")
    chaos.tell()
    table = chaos.table()
    say(f"\n{table}")
    say(f"\nagain with: bin/chaos --minutes {chaos.seconds / 60:g} --seed {chaos.seed}")
    return 1 if table.violations else 0


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bin/chaos",
        description="Harm a running product in every way, and check the engine's invariants.",
    )
    parser.add_argument("--minutes", type=float, default=10, help="how long (default: 10)")
    parser.add_argument("--seed", type=int, help="draws the faults and the load (default: any)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
