"""The scheduler: what follows when steps settle. Pure; a completion costs its successors alone."""

from collections.abc import Callable, Iterable, Sequence

from backend.engine.commands import (
    Cancel,
    Command,
    Counters,
    Evaluate,
    MakeReady,
    SetCounters,
    Settled,
    Skip,
)
from backend.engine.plan import JoinRule, Plan, PlanNode
from backend.engine.state import StepStatus

NO_BRANCH_TAKEN = "No branch that leads here was taken."
DISABLED = "The node is disabled."


def begin(plan: Plan) -> list[Command]:
    """Decide how a run starts: every node without incoming edges."""
    return [_launch(plan.nodes[no]) for no in plan.sources]


def settle(
    plan: Plan, settled: Sequence[Settled], counters: Callable[[int], Counters]
) -> list[Command]:
    """Decide what follows after `settled` steps reached a final state.

    For each edge that leaves them, the target's counters move; a target that is still pending then
    starts, is skipped, or goes on waiting, by its join rule. The order of commands is the order
    of the plan, so equal inputs give equal decisions.
    """
    moved: dict[int, list[int]] = {}
    for step in settled:
        for edge in plan.outgoing[step.no]:
            change = moved.setdefault(edge.target, [0, 0])
            change[0] += 1
            change[1] += edge.source_port in step.ports
    commands: list[Command] = []
    for no in sorted(moved):
        before = counters(no)
        closed, took = moved[no]
        after = Counters(before.status, before.pending - closed, before.taken + took)
        commands.append(SetCounters(no, after.pending, after.taken))
        if before.status is StepStatus.PENDING:
            commands.extend(unlock(plan, plan.nodes[no], after))
    return commands


def unlock(plan: Plan, node: PlanNode, counters: Counters) -> Iterable[Command]:
    """Decide whether a pending node with these counters starts, is skipped, or goes on waiting."""
    rule = node.join
    if _fires(rule, counters):
        yield _launch(node)
        if rule.cancels_feeders and counters.pending > 0:
            feeders = tuple(sorted(plan.only_feeders(node.no)))
            yield Cancel(feeders, f"{_name(node)} already has what it waited for.")
    elif _can_never_fire(rule, counters):
        yield Skip(node.no, _why_never(rule, counters))


def _fires(rule: JoinRule, counters: Counters) -> bool:
    if rule.mode == "all":
        return counters.pending == 0 and counters.taken > 0
    return counters.taken >= rule.needed


def _can_never_fire(rule: JoinRule, counters: Counters) -> bool:
    if rule.mode == "all":
        return counters.pending == 0
    return counters.taken + counters.pending < rule.needed


def _why_never(rule: JoinRule, counters: Counters) -> str:
    if rule.mode != "n" or rule.n == 1:
        return NO_BRANCH_TAKEN
    can = counters.taken + counters.pending
    return f"It needs {rule.n} of its branches, and only {can} can still arrive."


def _launch(node: PlanNode) -> Command:
    if node.disabled:
        return Skip(node.no, DISABLED)
    return Evaluate(node.no) if node.inline else MakeReady(node.no)


def _name(node: PlanNode) -> str:
    return node.label or node.id
