import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.files.base import ContentFile

from backend.engine.evaluation import NOT_EVALUATED
from backend.runs import results
from backend.runs.models import Run, RunEvent, Step
from backend.runs.plans import plan_of
from backend.runs.services.finish import finish
from backend.runs.services.load import load
from backend.runs.services.pull import pull
from backend.workflows.models import Graph
from tests.integration.people import Person
from tests.integration.runs.hand_worker import HandWorker, document, statuses, work

Start = Callable[..., Run]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (float("nan"), "no JSON value"),
        ({1, 2}, "no JSON value"),
        ("\ud800", "broken Unicode"),
        ("x" * (settings.HEDDLE_MAX_RESULT_BYTES + 1), "at most"),
    ],
)
def test_what_cannot_be_stored_says_why(value: object, says: str) -> None:
    with pytest.raises(results.ResultNotStorable, match=says):
        results.encode(value)


def test_a_preview_is_short_however_large_the_value() -> None:
    assert len(results.preview("x" * 10_000)) == results.PREVIEW_CHARS
    assert len(results.preview([{"a": list(range(1000))}] * 1000)) == results.PREVIEW_CHARS


def test_the_same_large_result_is_stored_once(start_run: Start, worker: HandWorker) -> None:
    run = start_run(document([work("a"), work("b")], []))
    worker.pull()

    worker.complete({"a": "y" * 100_000, "b": "y" * 100_000})

    digests = {step.output.digest for step in Step.objects.filter(run=run)}
    assert len(digests) == 1
    stored = list((Path(settings.HEDDLE_DATA) / "results" / str(run.workspace_id)).rglob("*.json"))
    assert len(stored) == 1


def test_a_large_result_that_is_gone_fails_the_step_that_reads_it_and_no_other(
    start_run: Start, worker: HandWorker
) -> None:
    reader = {"id": "reader", "kind": "data.template", "config": {"text": "{{ nodes.a.output }}"}}
    lost = start_run(document([work("a"), work("b"), reader], ["a -> b", "b -> reader"]))
    worker.pull()
    worker.complete({"a": "z" * 100_000})
    shutil.rmtree(Path(settings.HEDDLE_DATA) / "results" / str(lost.workspace_id))

    worker.complete({"b": 1})

    lost.refresh_from_db()
    assert (lost.status, lost.error["code"]) == ("failed", "result_unreadable")
    assert statuses(lost)["b"] == "succeeded"


def test_a_kind_that_was_uninstalled_fails_its_step_with_what_to_do(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(document([work("a")], []))
    plan = Graph.objects.get(id=run.graph_id).plan
    plan["nodes"][0]["kind"] = "acme.gone"
    Graph.objects.filter(id=run.graph_id).update(plan=plan)
    plan_of.cache_clear()
    worker.pull()

    (prepared,) = load(list(worker.held.values()), resolve=worker.evaluator.evaluate_batch).values()

    assert prepared.failure is not None
    assert "acme.gone is not installed" in prepared.failure.message


def test_a_plan_that_cannot_be_read_does_not_keep_other_runs_from_being_served(
    start_run: Start, worker: HandWorker
) -> None:
    broken = start_run(document([work("a")], []))
    Graph.objects.filter(id=broken.graph_id).update(plan={"format": 99})
    plan_of.cache_clear()
    start_run(document([work("b")], []))

    assert worker.pull() == ["b"]
    assert not pull(worker.seat).contended


def test_an_inline_step_that_was_not_evaluated_in_time_is_left_to_a_worker(
    start_run: Start, worker: HandWorker
) -> None:
    late = {"id": "late", "kind": "data.template", "config": {"text": "{{ nodes.a.output }}"}}
    run = start_run(document([work("a"), late], ["a -> late"]))
    worker.pull()

    finish([worker.completion("a", 1)], resolve=lambda requests: [NOT_EVALUATED for _ in requests])

    assert statuses(run) == {"a": "succeeded", "late": "ready"}


def test_a_large_result_whose_writing_broke_off_is_written_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def half(file: "ContentFile[bytes]") -> Iterator[bytes]:
        yield file.read(50_000)
        raise OSError("no space left")

    workspace_id = uuid4()
    encoded = results.encode("w" * 100_000)
    with monkeypatch.context() as patched:
        patched.setattr(ContentFile, "chunks", half)
        with pytest.raises(OSError, match="no space left"):
            results.keep(workspace_id, encoded)

    results.keep(workspace_id, encoded)

    assert results.load(workspace_id, encoded.digest) == "w" * 100_000
    folder = Path(settings.HEDDLE_DATA) / "results" / str(workspace_id)
    assert len([path for path in folder.rglob("*") if path.is_file()]) == 1


def test_a_run_whose_output_is_gone_still_ends_and_its_page_says_what_is_missing(
    start_run: Start, worker: HandWorker, alice: Person
) -> None:
    end = {"id": "end", "kind": "io.output", "config": {"value": "{{ nodes.a.output }}"}}
    run = start_run(document([work("a"), end, work("b")], ["a -> end"]))
    worker.pull()
    worker.complete({"a": "v" * 100_000})
    shutil.rmtree(Path(settings.HEDDLE_DATA) / "results" / str(run.workspace_id))

    worker.complete({"b": 1})

    run.refresh_from_db()
    assert run.status == "succeeded"
    step = Step.objects.get(run=run, path="end")
    for address in (f"/api/v1/runs/{run.id}/", f"/api/v1/runs/{run.id}/steps/{step.id}/"):
        answer = alice.browser.get(address)
        assert answer.status_code == 503
        assert answer.json()["code"] == "result_unreadable"
    stored = RunEvent.objects.get(run=run, type="run.succeeded").data
    assert stored == {"outputs": None, "large": True}


def test_a_damaged_result_is_treated_as_one_that_is_gone() -> None:
    workspace_id = uuid4()
    encoded = results.encode("u" * 100_000)
    results.keep(workspace_id, encoded)
    (path,) = (Path(settings.HEDDLE_DATA) / "results" / str(workspace_id)).rglob("*.json")
    path.write_text('"uuu')

    with pytest.raises(OSError, match="damaged"):
        results.load(workspace_id, encoded.digest)
