"""Evaluates what a pass asks for: inline steps, results of items, conditions of loops."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from backend.engine.evaluation import NOT_EVALUATED, EvalRequest, Failure
from backend.engine.expressions import Bare
from backend.engine.outcomes import Failed, Opened, Outcome, Stopped, Succeeded
from backend.engine.plan import Key, PlanNode
from backend.engine.step_state import Compute, Computed, Task
from backend.nodes.base import InRounds, NodeError, OverItems, StopRun
from backend.nodes.registry import KINDS
from backend.runs import results
from backend.runs.prepare import Prepared, Resolve, prepare

if TYPE_CHECKING:
    from backend.runs.live import LiveRun

logger = logging.getLogger(__name__)

#: Seconds of evaluation that a pass may take while it holds its run; what is left goes to workers.
PASS_BUDGET_S = 2.0
#: Tasks that are evaluated in one call.
LEVEL_SIZE = 1000

#: The setting of a container that answers a task.
SETTING = {"item": "result", "next": "next", "while": "while", "result": "result"}

Answer = Outcome | Computed | Failed | None
#: Makes the function by which a run's passes evaluate.
ComputeFactory = Callable[["LiveRun"], Compute]


def no_inline(live: "LiveRun") -> Compute:
    """Leave everything to workers: for processes that evaluate nothing."""
    del live
    return lambda tasks: [None] * len(tasks)


def inline_evaluation(resolve: Resolve) -> ComputeFactory:
    """Make the function that passes call to evaluate."""

    def for_run(live: "LiveRun") -> Compute:
        return lambda tasks: _evaluate(live, tasks, resolve)

    return for_run


def _evaluate(live: "LiveRun", tasks: Sequence[Task], resolve: Resolve) -> list[Answer]:
    answers: list[Answer] = []
    for start in range(0, len(tasks), LEVEL_SIZE):
        part = tasks[start : start + LEVEL_SIZE]
        if live.evaluated_s > PASS_BUDGET_S:
            answers.extend([None] * len(part))
            continue
        began = time.monotonic()
        answers.extend(_evaluate_level(live, part, resolve))
        live.evaluated_s += time.monotonic() - began
    return answers


def _evaluate_level(live: "LiveRun", tasks: Sequence[Task], resolve: Resolve) -> list[Answer]:
    nodes = [task.key for task in tasks if task.what == "node"]
    others = [task for task in tasks if task.what != "node"]
    try:
        computed = iter(_nodes(live, nodes, resolve))
        answered = iter(_others(live, others, resolve))
    except OSError as error:
        return [unreadable(error)] * len(tasks)
    return [next(computed) if task.what == "node" else next(answered) for task in tasks]


# -- nodes ----------------------------------------------------------------------------------------


def _nodes(live: "LiveRun", keys: Sequence[Key], resolve: Resolve) -> list[Answer]:
    if not keys:
        return []
    prepared = prepare(live.view, keys, resolve=resolve)
    return [
        None if item.was_not_reached else _storable(live, key, compute(item))
        for key, item in zip(keys, prepared, strict=True)
    ]


def _storable(live: "LiveRun", key: Key, outcome: Outcome) -> Outcome:
    try:
        if isinstance(outcome, Succeeded | Stopped):
            live.encoded[key] = results.encode(outcome.output)
        elif isinstance(outcome, Opened):
            results.encode(outcome.state)
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
    match outcome:
        case OverItems(items):
            return Opened(items=items)
        case InRounds(state, times, items):
            return Opened(items=items, times=times, state=state)
        case StopRun(output, problem):
            return Stopped(output, problem)
        case _:
            return Succeeded(outcome.output, outcome.ports, outcome.usage, outcome.patch)


# -- containers -----------------------------------------------------------------------------------


def _others(live: "LiveRun", tasks: Sequence[Task], resolve: Resolve) -> list[Answer]:
    asked = [task for task in tasks if _setting(live, task) is not None]
    live.view.prefetch([Key(t.scope or t.key.scope, t.key.no) for t in asked])
    requests = [_request(live, task) for task in asked]
    resolved = dict(zip(asked, resolve(requests) if requests else (), strict=True))
    return [
        _read(live, task, resolved[task]) if task in resolved else _default(live, task)
        for task in tasks
    ]


def _setting(live: "LiveRun", task: Task) -> Any:
    node = live.plan.nodes[task.key.no]
    return node.config.get(SETTING[task.what]) if task.what in SETTING else None


def _request(live: "LiveRun", task: Task) -> EvalRequest:
    node = live.plan.nodes[task.key.no]
    name = SETTING[task.what]
    names = live.view.names(task.key, inside=task.scope)
    if node.container is not None and node.container.mode == "loop":
        step = live.steps.get(task.key)
        if task.what != "next" and step.progress is not None:
            names |= {"state": step.progress.state, "round": step.progress.begun}
    return EvalRequest(
        config=_one_setting(node, name),
        scope=names,
        bare=Bare(expressions=("while",)) if name == "while" else Bare(),
    )


_settings: dict[tuple[int, str], tuple[PlanNode, Mapping[str, Any]]] = {}


def _one_setting(node: PlanNode, name: str) -> Mapping[str, Any]:
    # The same object every time: the evaluator remembers what it has parsed.
    key = (id(node), name)
    known = _settings.get(key)
    if known is None or known[0] is not node:
        if len(_settings) > 1000:
            _settings.clear()
        known = _settings[key] = (node, {name: node.config[name]})
    return known[1]


def _read(live: "LiveRun", task: Task, resolved: Mapping[str, Any] | Failure) -> Answer:
    if isinstance(resolved, Failure):
        if resolved.code == NOT_EVALUATED.code:
            return None
        return Failed(resolved.code, resolved.sentence, retryable=resolved.retryable)
    value = resolved[SETTING[task.what]]
    if isinstance(value, Failure):
        return Failed(value.code, f"{SETTING[task.what]}: {value.message}")
    return _checked(live, task, value)


def _default(live: "LiveRun", task: Task) -> Answer:
    """Answer where the settings say nothing."""
    match task.what:
        case "collect":
            return _checked(live, task, _collected(live, task.key))
        case "item" | "next":
            ends = live.plan.ends_in(task.key.no)
            values = live.outputs.of([Key(task.scope or 0, no) for no in ends])
            if len(ends) == 1:
                return _checked(live, task, next(iter(values.values())))
            if task.what == "next":
                return Computed(live.steps.scope(task.scope or 0).state)
            named = {live.plan.nodes[key.no].id: value for key, value in values.items()}
            return _checked(live, task, named)
        case _:
            progress = live.steps.get(task.key).progress
            return _checked(live, task, progress.state if progress else None)


def _collected(live: "LiveRun", container: Key) -> list[Any]:
    found = live.outputs.results(
        container, is_item=lambda no: live.steps.scope(no).container == container
    )
    index = live.index_of({no for no, _ in found})
    return [value for no, value in sorted(found, key=lambda pair: index[pair[0]])]


def _checked(live: "LiveRun", task: Task, value: Any) -> Answer:
    try:
        encoded = results.encode(value)
    except results.ResultNotStorable as error:
        return Failed("result_not_storable", str(error))
    if task.what == "item" and task.scope is not None:
        live.encoded_results[task.scope] = encoded
    elif task.what in ("result", "collect"):
        live.encoded[task.key] = encoded
    return Computed(value)
