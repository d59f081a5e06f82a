"""I11: who asks for little is not kept waiting by who asks for much."""

from collections.abc import Collection

from tests.faults.snapshot import EventRow, Snapshot
from tests.faults.verdicts import Verdict


def light_ones_are_served(snapshot: Snapshot, light: Collection[str], *, bound: int) -> Verdict:
    """Count the other workspace's steps that started while a step of `light` runs was ready.

    Counted, not timed: a slow machine makes everyone wait.
    """
    verdict = Verdict("I11", "A light workspace's steps are overtaken by few of a heavy one's")
    heavy = [
        event.at
        for run_id, log in snapshot.events.items()
        if run_id not in light
        for event in log
        if event.type == "step.started"
    ]
    for run_id in light:
        for path, events in snapshot.step_events(run_id).items():
            ready, started = _first(events, "step.ready"), _first(events, "step.started")
            if ready is None or started is None:
                continue
            overtaken = sum(ready.at < at < started.at for at in heavy)
            verdict.expect(
                overtaken <= bound, f"{path} of {run_id} was overtaken by {overtaken} steps"
            )
    return verdict


def _first(events: list[EventRow], type_: str) -> EventRow | None:
    return next((event for event in events if event.type == type_), None)
