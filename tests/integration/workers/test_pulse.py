import asyncio
from collections.abc import Iterable
from typing import Any, cast
from uuid import UUID, uuid4

import pytest
from django.conf import LazySettings

from workers import pulse
from workers.pulse import Pulse

TTL_S = 15.0


class Clock:
    """Time that passes only while somebody waits."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += max(0.0, seconds)


class Stopped(Exception):
    """The process has counted itself as dead."""


class Held:
    """One step that runs; to be told to stop ends the scene."""

    leases = ("lease",)

    def __len__(self) -> int:
        return 1

    def stop_all(self) -> None:
        raise Stopped


class Keeping:
    """A run in memory; it is let go of before its steps are stopped."""

    def __init__(self) -> None:
        self.runs = [uuid4()]
        self.dropped: list[UUID] = []

    def drop(self, runs: Iterable[UUID]) -> None:
        self.dropped.extend(runs)


@pytest.mark.parametrize("refused_at_once", [True, False])
def test_a_process_that_is_not_heard_stops_its_steps_before_another_is_given_them(
    monkeypatch: pytest.MonkeyPatch, settings: LazySettings, *, refused_at_once: bool
) -> None:
    settings.HEDDLE_HEARTBEAT_S, settings.HEDDLE_LEASE_TTL_S = 5.0, TTL_S
    clock = Clock()

    class Unheard(Pulse):
        async def _ask(self, *_: Any, within_s: float) -> None:
            if not refused_at_once:
                await clock.sleep(within_s)

    monkeypatch.setattr(pulse, "time", clock)
    monkeypatch.setattr(asyncio, "sleep", clock.sleep)
    process = Unheard(lane="io", slots=1)
    process.session_id = uuid4()

    keeping = Keeping()

    with pytest.raises(Stopped):
        asyncio.run(
            process.run(cast("Any", Held()), cast("Any", keeping), on_new_session=lambda: None)
        )

    assert keeping.dropped == keeping.runs
    assert clock.now - 1000.0 < TTL_S
