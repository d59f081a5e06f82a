"""What claimed steps need before they run: their settings evaluated, their inputs read."""

from collections.abc import Sequence

from backend.runs.inline import no_inline, unreadable
from backend.runs.live import Claimed, LiveRun
from backend.runs.plans import plan_of
from backend.runs.prepare import Prepared, Resolve, prepare
from backend.runs.scope import View


def load(claimed: Sequence[Claimed], *, resolve: Resolve) -> dict[str, Prepared]:
    """Prepare claimed steps of one run, by their lease. Reads only: what they need is committed."""
    row = claimed[0].run
    live = LiveRun(row, plan_of(row.graph_id), no_inline)
    live.steps.prefetch(item.key for item in claimed)
    return prepare_claimed(live.view, claimed, resolve=resolve)


def prepare_claimed(
    view: View, claimed: Sequence[Claimed], *, resolve: Resolve
) -> dict[str, Prepared]:
    """Prepare claimed steps of a run as it stands in memory, by their lease."""
    keys = [item.key for item in claimed]
    try:
        ready = prepare(view, keys, resolve=resolve)
    except OSError as error:
        failure = unreadable(error)
        ready = [Prepared(view.plan.nodes[key.no], {}, {}, failure=failure) for key in keys]
    return {item.lease_id: found for item, found in zip(claimed, ready, strict=True)}
