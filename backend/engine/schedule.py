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
from backend.engine.plan import ROOT_SCOPE, JoinRule, Key, Plan, PlanNode
from backend.engine.state import StepStatus

NO_BRANCH_TAKEN = "No branch that leads here was taken."
DISABLED = "The node is disabled."


def begin(plan: Plan, *, container: int | None = None, scope: int = ROOT_SCOPE) -> list[Command]:
    """Decide how a scope starts: every node in it without incoming edges."""
    return [launch(plan, Key(scope, no)) for no in plan.sources_in(container)]


def settle(
    plan: Plan, settled: Sequence[Settled], counters: Callable[[Key], Counters]
) -> list[Command]:
    """Decide what follows after `settled` steps reached a final state.

    For each edge that leaves them, the target's counters move; a target that is still pending then
    starts, is skipped, or goes on waiting, by its join rule. Edges stay in their scope. The order
    of commands is the order of scopes and of the plan, so equal inputs give equal decisions.
    """
    moved: dict[Key, list[int]] = {}
    for step in settled:
        scope, no = step.key
        for edge in plan.outgoing[no]:
            change = moved.setdefault(Key(scope, edge.target), [0, 0])
            change[0] += 1
            change[1] += edge.source_port in step.ports
    commands: list[Command] = []
    for key in sorted(moved):
        before = counters(key)
        closed, took = moved[key]
        after = Counters(before.status, before.pending - closed, before.taken + took)
        commands.append(SetCounters(key, after.pending, after.taken))
        if before.status is StepStatus.PENDING:
            commands.extend(unlock(plan, key, after))
    return commands


def unlock(plan: Plan, key: Key, counters: Counters) -> Iterable[Command]:
    """Decide whether a pending step with these counters starts, is skipped, or goes on waiting."""
    node = plan.nodes[key.no]
    rule = node.join
    if _fires(rule, counters):
        yield launch(plan, key)
        if rule.cancels_feeders and counters.pending > 0:
            feeders = tuple(Key(key.scope, no) for no in sorted(plan.only_feeders(node.no)))
            yield Cancel(feeders, f"{_name(node)} already has what it waited for.")
    elif _can_never_fire(rule, counters):
        yield Skip(key, _why_never(rule, counters))


def reconsider(plan: Plan, key: Key, counters: Counters) -> Iterable[Command]:
    """Decide the same about a step that may as well have nothing to wait for."""
    if plan.incoming[key.no]:
        yield from unlock(plan, key, counters)
    else:
        yield launch(plan, key)


def may_start(plan: Plan, key: Key, counters: Counters) -> bool:
    """Whether a step that has not started has what it needs."""
    node = plan.nodes[key.no]
    return not node.disabled and (not plan.incoming[key.no] or _fires(node.join, counters))


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


def launch(plan: Plan, key: Key) -> Command:
    """Decide how a step starts that waits for nothing more."""
    node = plan.nodes[key.no]
    if node.disabled:
        return Skip(key, DISABLED)
    return Evaluate(key) if node.inline else MakeReady(key)


def _name(node: PlanNode) -> str:
    return node.label or node.id
