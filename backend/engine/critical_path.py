"""How long a run took, how much work that was, and the chain of steps that made it so long."""

from collections.abc import Mapping
from dataclasses import dataclass

from backend.engine.plan import Plan


@dataclass(frozen=True)
class Path:
    """The longest chain of steps by time."""

    #: Numbers of the nodes on it, in order.
    numbers: tuple[int, ...]
    #: The sum of their durations, in seconds.
    span_s: float


def critical_path(plan: Plan, durations: Mapping[int, float]) -> Path:
    """Find the longest way through the graph, weighing each node with its duration in seconds.

    Nodes without a duration did not run; a way cannot lead through them. Longest path in a
    directed acyclic graph by one pass in topological order, which is the order of the numbers.
    """
    best: dict[int, float] = {}
    before: dict[int, int | None] = {}
    for node in plan.nodes:
        if node.no not in durations:
            continue
        sources = [edge.source for edge in plan.incoming[node.no] if edge.source in best]
        longest = max(sources, key=lambda no: (best[no], no), default=None)
        best[node.no] = durations[node.no] + (best[longest] if longest is not None else 0.0)
        before[node.no] = longest
    if not best:
        return Path((), 0.0)
    chain: list[int] = []
    # Steps that took no time, as inline ones, belong to the chain too: of equals, the last.
    no: int | None = max(best, key=lambda key: (best[key], key))
    span = best[no] if no is not None else 0.0
    while no is not None:
        chain.append(no)
        no = before[no]
    return Path(tuple(reversed(chain)), span)
