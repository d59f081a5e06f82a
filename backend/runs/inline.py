"""Computes inline steps inside a pass: no queue hop, one interpreter call for a level."""

import logging
import time
from collections.abc import Callable, Sequence

from backend.engine.advance import EvaluateInline
from backend.engine.outcomes import Failed, Outcome, Succeeded
from backend.nodes.base import NodeError
from backend.nodes.registry import KINDS
from backend.runs import results
from backend.runs.prepare import Prepared, Resolve, prepare
from backend.runs.transaction import RunChange

logger = logging.getLogger(__name__)

#: Seconds of evaluation that a pass may take while it holds its run; what is left goes to workers.
PASS_BUDGET_S = 2.0
#: Inline steps that are computed in one call.
LEVEL_SIZE = 1000


def inline_evaluation(resolve: Resolve) -> Callable[[RunChange], EvaluateInline]:
    """Make the function that passes call to compute inline steps."""

    def for_change(change: RunChange) -> EvaluateInline:
        spent = 0.0

        def evaluate(numbers: Sequence[int]) -> list[Outcome | None]:
            nonlocal spent
            outcomes: list[Outcome | None] = []
            for start in range(0, len(numbers), LEVEL_SIZE):
                part = numbers[start : start + LEVEL_SIZE]
                if spent > PASS_BUDGET_S:
                    outcomes.extend([None] * len(part))
                    continue
                began = time.monotonic()
                outcomes.extend(_compute(change, part, resolve))
                spent += time.monotonic() - began
            return outcomes

        return evaluate

    return for_change


def _compute(change: RunChange, numbers: Sequence[int], resolve: Resolve) -> list[Outcome | None]:
    try:
        prepared = prepare(
            change.run,
            change.plan,
            numbers,
            outputs=change.outputs,
            ports_of=lambda no: change.steps.get(no).ports,
            resolve=resolve,
        )
    except OSError as error:
        return [unreadable(error)] * len(numbers)
    return [None if item.was_not_reached else _compute_one(change, item) for item in prepared]


def _compute_one(change: RunChange, item: Prepared) -> Outcome:
    outcome = compute(item)
    return _encode(change, item.node.no, outcome) if isinstance(outcome, Succeeded) else outcome


def _encode(change: RunChange, no: int, outcome: Succeeded) -> Outcome:
    try:
        change.encoded[no] = results.encode(outcome.output)
    except results.ResultNotStorable as error:
        return Failed("result_not_storable", str(error))
    return outcome


def unreadable(error: OSError) -> Failed:
    """The failure of a step whose inputs cannot be read back from the result store."""
    logger.error("result_unreadable", exc_info=error)
    return Failed(
        "result_unreadable",
        "A large result that this node reads is not in the result store. All web and worker "
        "processes must see the same data folder.",
    )


def compute(item: Prepared) -> Outcome:
    """Run an inline node: a pure function of its settings and inputs."""
    if item.failure is not None:
        return item.failure
    evaluate = KINDS[item.node.kind].evaluate
    if evaluate is None:
        raise TypeError(f"{item.node.kind} is no inline kind")
    try:
        outcome = evaluate(item.config, item.inputs)
    except NodeError as error:
        return Failed(error.code, error.message, error.retryable, error.retry_after_s)
    return Succeeded(outcome.output, outcome.ports)
