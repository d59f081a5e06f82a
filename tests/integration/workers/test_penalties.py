import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest

from backend.engine.outcomes import Failed
from backend.engine.plan import Key, PlanNode
from backend.runs.prepare import Prepared
from backend.runs.services.finish import Completion
from workers import attempts
from workers.attempts import Attempts

NODE = PlanNode(no=0, id="a", kind="llm.chat", kind_version=1, limits=("credential:c", "model:m"))


class DirectDatabase:
    """Calls at once, on the loop."""

    async def insist(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)


async def penalties(
    monkeypatch: pytest.MonkeyPatch, outcome: Failed, *, limited: frozenset[str]
) -> list[dict[str, Any]]:
    """Let an attempt end so; gives what was shut."""
    penalised: list[dict[str, Any]] = []
    monkeypatch.setattr(attempts, "penalise", lambda **what: penalised.append(what))

    async def fail(*_: object) -> tuple[Failed, None]:
        return outcome, None

    monkeypatch.setattr(attempts, "attempt", fail)
    ended: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
    held = Attempts(
        cast("Any", DirectDatabase()),
        cast("Any", SimpleNamespace(egress=None)),
        on_completed=ended.set_result,
        on_stopped=lambda: None,
    )
    run = SimpleNamespace(id=uuid4(), workspace_id=uuid4(), limited=limited, budget_id=None)
    claimed = SimpleNamespace(
        run=run, key=Key(0, 0), step_id=str(uuid4()), attempt=1, path="a", lease_id=str(uuid4())
    )
    held.launch([cast("Any", claimed)], prepared={claimed.lease_id: Prepared(NODE, {}, {})})
    assert (await ended).outcome == outcome
    return [
        {**what, "workspace_id": what["workspace_id"] == run.workspace_id} for what in penalised
    ]


async def test_a_server_that_asks_for_rest_gets_it_from_all_who_use_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    busy = Failed("endpoint_busy", "Too many.", retryable=True, retry_after_s=30.0)

    shut = await penalties(monkeypatch, busy, limited=frozenset({"model:m"}))

    assert shut == [{"workspace_id": True, "keys": NODE.limits, "seconds": 30.0}]


@pytest.mark.parametrize(
    ("retry_after_s", "limited"), [(None, frozenset({"model:m"})), (30.0, frozenset())]
)
async def test_nothing_is_shut_where_nobody_asks_or_nothing_is_limited(
    monkeypatch: pytest.MonkeyPatch, retry_after_s: float | None, limited: frozenset[str]
) -> None:
    failed = Failed("endpoint_busy", "Too many.", retryable=True, retry_after_s=retry_after_s)

    assert await penalties(monkeypatch, failed, limited=limited) == []
