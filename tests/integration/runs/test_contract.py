"""The golden files: what other programs rely on, from a document to the answer about its run.

They change only with a decision record.
"""

import json
import re
from pathlib import Path
from typing import Any
from uuid import UUID

from backend.engine.outcomes import Failed
from tests.integration.people import Person
from tests.integration.runs.hand_worker import HandWorker, start

FOLDER = Path(__file__).parents[2] / "fixtures" / "contract"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")


def golden(name: str) -> Any:
    return json.loads((FOLDER / name).read_text())


def plain(value: Any) -> Any:
    """Put names in the place of what differs from run to run: ids, moments, seconds."""
    match value:
        case dict():
            return {
                key: "<s>" if key.endswith("_s") or key == "speed_up" else plain(item)
                for key, item in value.items()
            }
        case list():
            return [plain(item) for item in value]
        case str() if MOMENT.fullmatch(value):
            return "<moment>"
        case str() if _is_id(value):
            return "<id>"
        case _:
            return value


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def test_a_document_run_to_its_end_gives_the_golden_events_and_answer(
    alice: Person, worker: HandWorker
) -> None:
    run = start(alice, golden("document.json"), inputs=golden("inputs.json"))
    assert worker.begin() == ["a", "b"]
    retry = worker.complete(
        {"a": Failed("rate_limited", "The server answered 429.", retryable=True)}
    )
    assert [item.path for item in retry.claimed] == ["a"]
    worker.complete(
        {"a": {"text": "Yes.", "usage": {"input_tokens": 7, "output_tokens": 2, "cost": None}}}
    )
    worker.complete(
        {"b": {"text": "No.", "usage": {"input_tokens": 7, "output_tokens": 2, "cost": None}}}
    )

    events = alice.browser.get(f"/api/v1/runs/{run.id}/events/").json()["results"]
    answer = alice.browser.get(f"/api/v1/runs/{run.id}/").json()

    assert plain(events) == golden("events.json")
    assert plain(answer) == golden("run.json")
