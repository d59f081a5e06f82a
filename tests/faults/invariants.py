"""The engine's invariants, I1 to I13: those of every moment, and those of the end."""

from collections.abc import Iterable

from tests.faults import log_checks, row_checks
from tests.faults.snapshot import Snapshot
from tests.faults.verdicts import Verdict


def at_any_moment(snapshot: Snapshot) -> list[Verdict]:
    """What holds while everything is on its way."""
    return [row_checks.nothing_moves_after_the_end(snapshot), *_always(snapshot)]


def at_rest(snapshot: Snapshot) -> list[Verdict]:
    """What holds when every run is said to have ended."""
    return [row_checks.every_run_ends(snapshot), *_always(snapshot)]


def _always(snapshot: Snapshot) -> Iterable[Verdict]:
    yield log_checks.successes_are_told_once(snapshot)
    yield from log_checks.steps_move_legally(snapshot)
    yield log_checks.logs_have_no_gaps(snapshot)
    yield log_checks.order_is_kept(snapshot)
    yield row_checks.counters_fit(snapshot)
    yield log_checks.successes_are_of_the_last_attempt(snapshot)
    yield row_checks.tries_are_bounded(snapshot)
