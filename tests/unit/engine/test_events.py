import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from backend.engine.events import Event, fold

LOGS = sorted((Path(__file__).parents[2] / "fixtures" / "events").glob("*.json"))


def read(data: dict[str, Any]) -> Event:
    return Event(**{**data, "at": datetime.fromisoformat(data["at"])})


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_shared_log_folds_to_the_view_that_the_browser_has_too(path: Path) -> None:
    shared = json.loads(path.read_text())

    view = fold(map(read, shared["events"]))

    assert view.status == shared["view"]["status"]
    assert {step.path: step.status.value for step in view.steps.values()} == shared["view"]["steps"]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_events_seen_twice_change_nothing(path: Path) -> None:
    events = [read(event) for event in json.loads(path.read_text())["events"]]

    assert fold([*events, *events[2:5]]) == fold(events)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_log_folded_in_two_parts_gives_the_same_view(path: Path) -> None:
    events = [read(event) for event in json.loads(path.read_text())["events"]]

    for cut in range(len(events)):
        assert fold(events[cut:], fold(events[:cut])) == fold(events)


def test_a_type_that_is_not_known_yet_is_passed_over() -> None:
    event = Event(
        seq=1, type="plan.patched", at=datetime.fromisoformat("2026-01-01T00:00:00+00:00")
    )

    assert fold([event]).seq == 1
