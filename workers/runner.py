"""Runs one attempt: the node's coroutine under its timeout, and what became of it."""

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from backend.engine.outcomes import Called, Failed, Outcome, Parked, Succeeded
from backend.nodes.base import NodeContext, NodeError, RunWorkflow, WaitForSignal, WaitUntil
from backend.nodes.registry import KINDS
from backend.runs import results
from backend.runs.inline import compute
from backend.runs.prepare import Prepared
from backend.runs.results import Encoded

logger = logging.getLogger(__name__)

#: Seconds after which an attempt is ended if its policy names no other limit.
DEFAULT_TIMEOUT_S = 3600.0
#: Characters of JSON from which a result is encoded in a thread.
LARGE = 100_000


class Watched(NodeContext, Protocol):
    """The context of an attempt that may be ended because nothing comes from it."""

    #: Called whenever the node shows that it goes on.
    on_activity: Callable[[], None]


async def attempt(item: Prepared, context: Watched) -> tuple[Outcome, Encoded | None]:
    """Run the node once. Only cancellation comes out as an exception."""
    if item.failure is not None:
        return item.failure, None
    limit = item.node.policy.timeout_s or DEFAULT_TIMEOUT_S
    idle_limit = item.node.policy.idle_timeout_s
    timeout = asyncio.timeout(limit)
    idle = asyncio.timeout(idle_limit)
    if idle_limit is not None:
        loop = asyncio.get_running_loop()
        context.on_activity = lambda: idle.reschedule(loop.time() + idle_limit)
    try:
        async with timeout, idle:
            outcome = await _run(item, context)
        context.on_activity = _nothing
        return await _encoded(outcome)
    except TimeoutError:
        if timeout.expired():
            return Failed("timeout", f"It did not end within {limit:g} s.", retryable=True), None
        if idle.expired():
            text = f"Nothing came from it for {idle_limit:g} s."
            return Failed("idle_timeout", text, retryable=True), None
        return _unexpected(item, TimeoutError("a call timed out")), None
    except NodeError as error:
        return Failed(error.code, error.message, error.retryable, error.retry_after_s), None
    except Exception as error:  # noqa: BLE001 - the edge: a bug in a node fails its step, not the worker
        return _unexpected(item, error), None


def _nothing() -> None:
    """Take no notice: the node has ended."""


async def _run(item: Prepared, context: NodeContext) -> Outcome:
    run = KINDS[item.node.kind].run
    if run is None:
        return compute(item)
    outcome = await run(context, item.config, item.inputs)
    match outcome:
        case WaitUntil(at):
            return Parked(at)
        case WaitForSignal(until):
            return Parked(until, signal=True)
        case RunWorkflow(workflow_id, version, inputs):
            return Called(workflow_id, version, inputs)
        case _:
            return Succeeded(outcome.output, outcome.ports, outcome.usage, outcome.patch)


async def _encoded(outcome: Outcome) -> tuple[Outcome, Encoded | None]:
    if not isinstance(outcome, Succeeded):
        return outcome, None
    try:
        if _is_small(outcome.output):
            return outcome, results.encode(outcome.output)
        return outcome, await asyncio.to_thread(results.encode, outcome.output)
    except results.ResultNotStorable as error:
        return Failed("result_not_storable", str(error)), None


def _is_small(value: object, room: int = LARGE) -> bool:
    """Whether encoding takes so little that a thread would cost more; looks at a bounded part."""
    stack = [value]
    while stack:
        item = stack.pop()
        room -= len(item) if isinstance(item, str) else 100
        if room < 0:
            return False
        if isinstance(item, dict):
            room -= 100 * len(item)
            stack.extend(item.values() if room > 0 else ())
        elif isinstance(item, list):
            room -= 100 * len(item)
            stack.extend(item if room > 0 else ())
    return room > 0


def _unexpected(item: Prepared, error: Exception) -> Failed:
    logger.error(
        "node_crashed",
        exc_info=error,
        extra={"kind": item.node.kind, "node": item.node.id},
    )
    return Failed(
        "internal",
        f"The kind {item.node.kind} broke while it ran ({type(error).__name__}). "
        "This is a fault of Heddle or of an extension, not of the workflow; the worker's log "
        "has the details.",
    )
