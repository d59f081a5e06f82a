"""The chain of steps that decided when a run ended, and the least time that its graph allows."""

from collections.abc import Mapping
from datetime import datetime
from typing import TypeVar

from backend.engine.plan import Plan

Moment = TypeVar("Moment", datetime, float)


def critical_path(plan: Plan, ended_at: Mapping[int, Moment]) -> tuple[int, ...]:
    """Find the critical path of a run by the times at which its steps ended.

    From the step that ended last the way leads back, each time to the input that came last: it is
    the one the step waited for. Steps without a time did not run. Of equals the later number
    counts, so that steps that took no time are on the path too.

    Returns:
        Numbers of the nodes, in the order in which they ran.
    """
    if not ended_at:
        return ()
    no = max(ended_at, key=lambda key: (ended_at[key], key))
    chain = [no]
    while sources := [e.source for e in plan.incoming[no] if e.source in ended_at]:
        no = max(sources, key=lambda key: (ended_at[key], key))
        chain.append(no)
    return tuple(reversed(chain))


def span(plan: Plan, durations: Mapping[int, float]) -> float:
    """The least time, in seconds, in which these steps could run with slots for all of them.

    The longest way through the graph, weighing each node with its duration: one pass in
    topological order, which is the order of the numbers.
    """
    best: dict[int, float] = {}
    for node in plan.nodes:
        if node.no in durations:
            before = (best[e.source] for e in plan.incoming[node.no] if e.source in best)
            best[node.no] = durations[node.no] + max(before, default=0.0)
    return max(best.values(), default=0.0)
