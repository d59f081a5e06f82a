"""bin/chaos: harms a product of its own, and checks that it loses nothing."""

import subprocess
from collections.abc import Sequence

from heddle_platform.child import clean_environment
from heddle_platform.environment import ensure_environment
from heddle_platform.places import PYTHON, ROOT


def chaos(arguments: Sequence[str]) -> int:
    """Run the chaos; arguments go to it."""
    ensure_environment("dev")
    environment = {**clean_environment(), "PYTHONPATH": f"{ROOT}:{ROOT / 'bin' / 'lib'}"}
    return subprocess.run(
        [str(PYTHON), "-m", "tests.faults", *arguments], cwd=ROOT, env=environment, check=False
    ).returncode
