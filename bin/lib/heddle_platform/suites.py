"""bin/test: makes what each suite needs, runs it, and names what failed or could not run."""

import argparse
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

from heddle_platform.child import clean_environment
from heddle_platform.chromium import find_chromium
from heddle_platform.console import Refusal, say
from heddle_platform.environment import ensure_environment
from heddle_platform.frontend import ensure_built, ensure_packages
from heddle_platform.places import FRONTEND, PYTHON, ROOT


@dataclass(frozen=True, kw_only=True)
class Suite:
    """Some tests, and what must exist before they run."""

    name: str
    run: Callable[[Sequence[str]], int]
    prepare: Callable[[], object] = lambda: None
    #: Whether it runs where no suite is named; what takes long is asked for by its name.
    by_default: bool = True


def test(arguments: Sequence[str]) -> int:
    """Run the chosen suites and return 0 only when every one of them ran and passed."""
    chosen, further = _parse(arguments)
    ensure_environment("dev")
    closing = {}
    for suite in _suites():
        if suite.name in chosen:
            say(f"\n── {suite.name} " + "─" * (60 - len(suite.name)))
            closing[suite.name] = _outcome(suite, further)
    say("")
    for name, (passed, words) in closing.items():
        say(f"{'✓' if passed else '✗'} {name}: {words}")
    return 0 if all(passed for passed, _ in closing.values()) else 1


def _parse(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    names = [suite.name for suite in _suites()]
    usual = [suite.name for suite in _suites() if suite.by_default]
    parser = argparse.ArgumentParser(
        prog="bin/test",
        description="Run tests.",
        epilog="What follows -- goes to the test runner: bin/test unit -- -k branch",
    )
    parser.add_argument("suites", nargs="*", choices=[*names, "all", []], metavar="suite")
    own, further = _split(arguments)
    chosen = parser.parse_args(own).suites
    return [*(usual if "all" in chosen or not chosen else ()), *chosen], further


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    words = list(arguments)
    if "--" not in words:
        return words, []
    border = words.index("--")
    return words[:border], words[border + 1 :]


def _outcome(suite: Suite, further: Sequence[str]) -> tuple[bool, str]:
    started = monotonic()
    try:
        suite.prepare()
    except Refusal as refusal:
        return False, f"could not run: {refusal}"
    status = suite.run(further)
    words = f"passed in {monotonic() - started:.0f} s" if status == 0 else _why(status)
    return status == 0, words


def _why(status: int) -> str:
    no_tests = 5
    return "no test was found" if status == no_tests else "FAILED, see above"


def _suites() -> list[Suite]:
    return [
        Suite(name="unit", run=_pytest("tests/unit", "tests/architecture")),
        Suite(name="integration", run=_pytest("tests/integration")),
        Suite(name="acceptance", run=_pytest("tests/acceptance")),
        # Most of the time they wait for leases to run out: both ways of running go side by side.
        Suite(
            name="faults",
            run=_pytest("tests/faults", "-n", "2", "--dist", "loadgroup"),
            by_default=False,
        ),
        Suite(name="frontend", run=_vitest, prepare=ensure_packages),
        Suite(name="e2e", run=_pytest("tests/e2e"), prepare=_prepare_browser),
    ]


def _prepare_browser() -> None:
    find_chromium()
    ensure_built()


def _pytest(*words: str) -> Callable[[Sequence[str]], int]:
    def run(further: Sequence[str]) -> int:
        return _call([str(PYTHON), "-m", "pytest", *words, *further])

    return run


def _vitest(further: Sequence[str]) -> int:
    node = ensure_packages()
    command = [*node.npm, "run", "test", "--silent", "--", *further]
    return subprocess.run(command, cwd=FRONTEND, env=node.environment(), check=False).returncode


def _call(command: Sequence[str]) -> int:
    return subprocess.run(list(command), cwd=ROOT, env=clean_environment(), check=False).returncode
