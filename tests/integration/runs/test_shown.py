"""Answers about runs are built by hand: they must be what their serializers describe."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework import serializers as drf

from backend.runs import serializers
from backend.runs.models import Run
from tests.integration.people import Person
from tests.integration.runs.hand_worker import HandWorker, document, work

Start = Callable[..., Run]


def shape(serializer: drf.Serializer[Any]) -> dict[str, Any]:
    """The keys that a serializer describes, in their order, with those of what stands inside."""
    return {
        name: shape(field) if isinstance(field, drf.Serializer) and not field.allow_null else None
        for name, field in serializer.fields.items()
    }


def shape_of(value: dict[str, Any], like: dict[str, Any]) -> dict[str, Any]:
    """The keys of an answer, as deep as it is described."""
    return {
        name: shape_of(item, like[name]) if like.get(name) else None for name, item in value.items()
    }


@pytest.fixture
def ended(start_run: Start, worker: HandWorker) -> Run:
    run = start_run(
        document(
            [work("a"), {"id": "end", "kind": "io.output", "config": {"value": 1}}], ["a -> end"]
        )
    )
    worker.pull()
    worker.complete({"a": {"text": "é\u2028", "big": 2**80, "usage": None}})
    return run


@pytest.mark.parametrize(
    ("path", "serializer"),
    [
        ("runs/{run}/", serializers.RunSerializer()),
        ("runs/", serializers.RunRowSerializer()),
        ("workflows/{workflow}/runs/", serializers.RunRowSerializer()),
        ("runs/{run}/steps/", serializers.StepRowSerializer()),
        ("runs/{run}/steps/{step}/", serializers.StepSerializer()),
    ],
)
def test_an_answer_has_the_keys_that_are_described(
    alice: Person, ended: Run, path: str, serializer: drf.Serializer[Any]
) -> None:
    step = ended.steps.get(node="a")
    url = path.format(run=ended.id, workflow=ended.workflow_id, step=step.id)

    answer = alice.browser.get(f"/api/v1/{url}").json()

    (shown,) = answer["results"][:1] if "results" in answer else [answer]
    described = shape(serializer)
    assert shape_of(shown, described) == described


def test_numbers_and_text_of_any_kind_come_back_as_they_are(alice: Person, ended: Run) -> None:
    step = ended.steps.get(node="a")

    output = alice.browser.get(f"/api/v1/runs/{ended.id}/steps/{step.id}/").json()["output"]

    assert output == {"text": "é\u2028", "big": 2**80, "usage": None}


def test_a_run_of_which_nothing_has_started_shows_no_times(alice: Person, start_run: Start) -> None:
    run = start_run(document([work("a")], []))

    answer = alice.browser.get(f"/api/v1/runs/{run.id}/").json()

    assert (answer["timings"], answer["outputs"], answer["usage"]) == (None, None, None)
    assert answer["steps"]["total"] == answer["steps"]["ready"] == 1
    assert answer["waited"] == {"inputs_s": 0, "slot_s": 0, "limit_s": 0, "retry_s": 0}
