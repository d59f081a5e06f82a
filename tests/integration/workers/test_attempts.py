import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID, uuid4

import pytest

from backend.engine.evaluation import NOT_EVALUATED
from backend.engine.outcomes import Failed, Succeeded
from backend.engine.plan import Key, PlanNode
from backend.engine.state import RunStatus
from backend.nodes.base import NodeContext, Outcome
from backend.nodes.registry import KINDS
from backend.providers.egress_policy import EgressPolicy
from backend.runs.live import Claimed, RunRow
from backend.runs.prepare import Prepared
from backend.runs.services.finish import Completion
from workers import attempts, runner
from workers.attempts import Attempts
from workers.context import Reach
from workers.sandbox.evaluator import Evaluator

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class DirectDatabase:
    """Calls at once, on the loop."""

    async def insist(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)


class Scene:
    """Attempts with nothing behind them; `completed` is what they gave."""

    def __init__(self, evaluator: Any = None) -> None:
        self.completed: list[Completion] = []
        self._heard = asyncio.Event()
        self.attempts = Attempts(
            cast("Any", DirectDatabase()),
            Reach(
                egress=EgressPolicy(),
                credentials=cast("Any", None),
                evaluator=evaluator or cast("Any", _NoEvaluator()),
                deltas=cast("Any", None),
            ),
            on_completed=self._hear,
            on_stopped=lambda: None,
        )

    def _hear(self, completion: Completion) -> None:
        self.completed.append(completion)
        self._heard.set()

    async def all_completed(self, count: int) -> None:
        async with asyncio.timeout(30):
            while len(self.completed) < count:
                self._heard.clear()
                await self._heard.wait()

    @property
    def outcomes(self) -> list[Any]:
        return [completion.outcome for completion in self.completed]


class _NoEvaluator:
    def evaluate_batch(self, requests: Sequence[Any]) -> list[Any]:
        raise AssertionError(requests)


def claimed(path: str, *, run: UUID | None = None) -> Claimed:
    row = RunRow(
        id=run or uuid4(),
        workspace_id=uuid4(),
        workflow_id=uuid4(),
        workflow_name="A test",
        graph_id=uuid4(),
        status=RunStatus.RUNNING,
        inputs={},
        open_steps=1,
        made_steps=1,
        scope_count=0,
        event_seq=1,
        plan_version=0,
        priority=0,
        depth=0,
        parent_run_id=None,
        parent_step_id=None,
        budget_id=None,
        started_at=NOW,
        now=NOW,
    )
    return Claimed(
        run=row,
        key=Key(0, 0),
        step_id=str(uuid4()),
        path=path,
        attempt=1,
        lease_id=str(uuid4()),
        at=NOW,
    )


def prepared(item: Claimed, kind: str = "data.transform", **config: Any) -> Prepared:
    node = PlanNode(no=0, id=item.path, kind=kind, kind_version=1)
    return Prepared(node, {}, {}, config=KINDS[kind].spec.load_config(config))


def load_with(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[Claimed], Prepared]
) -> list[list[str]]:
    """Put `make` in the place of loading; gives what was loaded together."""
    together: list[list[str]] = []

    def load(items: Sequence[Claimed], **_: Any) -> dict[str, Prepared]:
        together.append([item.path for item in items])
        return {item.lease_id: make(item) for item in items}

    monkeypatch.setattr(attempts, "load", load)
    return together


def run_node_as(
    monkeypatch: pytest.MonkeyPatch, run: Callable[..., Coroutine[Any, Any, Outcome]]
) -> None:
    async def called(item: Prepared, context: NodeContext) -> Any:
        outcome = await run(item, context)
        return Succeeded(outcome.output)

    monkeypatch.setattr(runner, "_run", called)


def test_an_attempt_that_is_stopped_before_it_began_frees_its_slot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load_with(monkeypatch, lambda item: prepared(item, code="1"))

    async def scene() -> None:
        here = Scene()
        item = claimed("a")
        here.attempts.launch([item])
        here.attempts.stop([item.lease_id])
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

        assert len(here.attempts) == 0
        assert here.completed == []

    asyncio.run(scene())


def test_a_result_that_breaks_while_it_is_written_fails_its_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def nested(*_: Any) -> Outcome:
        value: list[Any] = []
        for _level in range(700):
            value = [value]
        return Outcome(output=value)

    load_with(monkeypatch, lambda item: prepared(item, code="1"))
    run_node_as(monkeypatch, nested)

    async def scene() -> None:
        here = Scene()
        here.attempts.launch([claimed("a")])
        await here.all_completed(1)

        (outcome,) = here.outcomes
        assert isinstance(outcome, Failed)

    asyncio.run(scene())


def test_what_one_run_cannot_load_fails_no_step_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def make(item: Claimed) -> Prepared:
        if item.path == "broken":
            raise ValueError("its plan is rubbish")
        return prepared(item, code="1")

    async def one(*_: Any) -> Outcome:
        return Outcome(output=1)

    load_with(monkeypatch, make)
    run_node_as(monkeypatch, one)

    async def scene() -> None:
        here = Scene()
        here.attempts.launch([claimed("broken"), claimed("sound")])
        await here.all_completed(2)

        assert sorted(type(outcome).__name__ for outcome in here.outcomes) == [
            "Failed",
            "Succeeded",
        ]

    asyncio.run(scene())


def test_steps_of_one_run_are_loaded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    async def one(*_: Any) -> Outcome:
        return Outcome(output=1)

    together = load_with(monkeypatch, lambda item: prepared(item, code="1"))
    run_node_as(monkeypatch, one)

    async def scene() -> None:
        here = Scene()
        run = uuid4()
        here.attempts.launch([claimed("a", run=run), claimed("c"), claimed("b", run=run)])
        await here.all_completed(3)

    asyncio.run(scene())
    assert sorted(together) == [["a", "b"], ["c"]]


def test_code_that_runs_long_holds_up_nothing_but_code(monkeypatch: pytest.MonkeyPatch) -> None:
    began, release = threading.Event(), threading.Event()

    class SlowEvaluator(Evaluator):
        def _run_alone(self, *_: Any, **__: Any) -> Any:
            began.set()
            assert release.wait(60)
            return 1

    # Code with a state runs in an interpreter of its own.
    load_with(monkeypatch, lambda item: prepared(item, code="import random\n1"))

    async def scene() -> None:
        with SlowEvaluator() as evaluator:
            here = Scene(evaluator)
            here.attempts.launch([claimed(f"n{number}") for number in range(40)])
            try:
                # Look-ups of names, announcements and large results share the loop's own threads.
                async with asyncio.timeout(20):
                    await asyncio.to_thread(began.wait)
                    await asyncio.to_thread(lambda: None)
            finally:
                release.set()
            await here.all_completed(40)

    asyncio.run(scene())


def test_a_step_that_was_not_evaluated_with_the_others_is_evaluated_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def one(*_: Any) -> Outcome:
        return Outcome(output=1)

    def load(items: Sequence[Claimed], **_: Any) -> dict[str, Prepared]:
        sizes.append(len(items))
        late = Failed(NOT_EVALUATED.code, "Too many.") if len(items) > 1 else None
        return {item.lease_id: replace(prepared(item, code="1"), failure=late) for item in items}

    sizes: list[int] = []
    monkeypatch.setattr(attempts, "load", load)
    run_node_as(monkeypatch, one)

    async def scene() -> None:
        here = Scene()
        run = uuid4()
        here.attempts.launch([claimed("a", run=run), claimed("b", run=run)])
        await here.all_completed(2)

        assert here.outcomes == [Succeeded(1), Succeeded(1)]

    asyncio.run(scene())
    assert sizes == [2, 1, 1]
