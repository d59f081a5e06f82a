"""bin/bench: measures the product on its default settings."""

import subprocess
from collections.abc import Sequence

from heddle_platform.child import clean_environment
from heddle_platform.environment import ensure_environment
from heddle_platform.places import PYTHON, ROOT


def bench(arguments: Sequence[str]) -> int:
    """Run the benchmarks; arguments go to them."""
    ensure_environment("dev")
    environment = {**clean_environment(), "PYTHONPATH": f"{ROOT}:{ROOT / 'bin' / 'lib'}"}
    return subprocess.run(
        [str(PYTHON), "-m", "tests.benchmarks", *arguments], cwd=ROOT, env=environment, check=False
    ).returncode
