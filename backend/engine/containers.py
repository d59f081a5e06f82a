"""How far maps and loops have got, and what they do next. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backend.engine.outcomes import Failed
from backend.engine.plan import ContainerRule, Key
from backend.engine.state import StepStatus


@dataclass(slots=True)
class Progress:
    """How far a container has got. A loop's items are its rounds."""

    #: Items there are; None for a loop that only its condition ends.
    total: int | None
    #: Items that were begun, that ended well, and that failed.
    begun: int = 0
    done: int = 0
    failed: int = 0
    #: What a loop carries into its next round.
    state: Any = None
    #: The scope of a loop's last round.
    last_scope: int | None = None

    @property
    def under_way(self) -> int:
        """Items that were begun and have not ended."""
        return self.begun - self.done - self.failed

    def to_json(self) -> dict[str, Any]:
        """The counts as events and the API show them."""
        return {"total": self.total, "begun": self.begun, "done": self.done, "failed": self.failed}


@dataclass(slots=True)
class ScopeState:
    """One item of a map or one round of a loop, with a number of its own in the run."""

    no: int
    #: The container's step.
    container: Key
    index: int
    #: In front of the paths of the steps inside: `each[3]/`.
    path: str
    status: StepStatus = StepStatus.RUNNING
    #: Steps inside that are not final, those of inner scopes not counted.
    open: int = 0
    #: What a loop carried into this round.
    state: Any = None
    #: Not stored yet.
    is_new: bool = False


def admits(rule: ContainerRule, progress: Progress) -> int:
    """How many more items may begin now."""
    left = (progress.total or 0) - progress.begun
    return max(0, min(left, rule.window - progress.under_way))


def is_complete(progress: Progress) -> bool:
    """Whether every item of a map has ended."""
    return progress.done + progress.failed == progress.total


def failure_after_item(
    rule: ContainerRule, progress: Progress, error: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """The error with which a map fails once one more item has failed; None: it goes on."""
    if rule.on_item_error == "fail":
        return error
    if rule.max_failures is not None and progress.failed > rule.max_failures:
        return _too_many(progress, f"more than {rule.max_failures} were allowed", error)
    if rule.max_failure_percent is not None and progress.total:
        percent = 100 * progress.failed / progress.total
        if percent > rule.max_failure_percent:
            return _too_many(
                progress, f"more than {rule.max_failure_percent:g} % were allowed", error
            )
    return None


def _too_many(progress: Progress, why: str, last: Mapping[str, Any]) -> Mapping[str, Any]:
    text = f"{progress.failed} of {progress.total} items failed; {why}. The last: {last['message']}"
    return {
        **Failed("too_many_items_failed", text).to_json(str(last["node_id"])),
    }


def may_begin_round(rule: ContainerRule, progress: Progress) -> bool:
    """Whether a loop that would go on is allowed another round."""
    return progress.begun < rule.max_rounds


def has_counted_out(progress: Progress) -> bool:
    """Whether a loop that is counted or goes over a list has had its rounds."""
    return progress.total is not None and progress.begun >= progress.total


def total_of(items: Sequence[Any] | None, times: int | None) -> int | None:
    """Items or rounds that a container has; the smaller where both are given."""
    counts = [len(items)] if items is not None else []
    if times is not None:
        counts.append(max(0, times))
    return min(counts, default=None)
