from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.runs.models import Run
from tests.integration.people import ABSENT, Person, broken_document, create_workflow, some_document
from tests.integration.runs.hand_worker import HandWorker, document, work

Start = Callable[..., Run]


def begin(person: Person, body: dict[str, Any] | None = None, **headers: str) -> Any:
    workflow = create_workflow(person)
    return person.browser.post(
        f"/api/v1/workflows/{workflow['id']}/runs/", body or {}, format="json", headers=headers
    )


def test_starting_a_run_answers_with_the_run(alice: Person) -> None:
    answer = begin(alice, {"inputs": {"who": "Ada"}})

    assert answer.status_code == 201
    body = answer.json()
    assert (body["status"], body["version"], body["trigger"]) == ("queued", None, "browser")
    assert body["inputs"] == {"who": "Ada"}
    assert body["steps"]["total"] == 3
    assert body["document"]["name"] == "Greeting"
    assert body["outputs"] is None


def test_inputs_that_do_not_fit_are_refused_by_name(alice: Person) -> None:
    answer = begin(alice, {"inputs": {"who": 7}})

    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid_inputs"
    assert answer.json()["issues"][0]["path"] == "inputs.who"
    assert Run.objects.count() == 0


def test_a_draft_with_errors_is_not_run(alice: Person) -> None:
    workflow = create_workflow(alice, broken_document())

    answer = alice.browser.post(f"/api/v1/workflows/{workflow['id']}/runs/", {}, format="json")

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_document")
    assert answer.json()["issues"]


def test_the_latest_published_version_runs_unless_another_is_named(alice: Person) -> None:
    workflow = create_workflow(alice)
    address = f"/api/v1/workflows/{workflow['id']}"
    alice.browser.post(f"{address}/publish/", {}, format="json")
    alice.browser.put(
        f"{address}/",
        {"document": some_document(name="Changed"), "revision": workflow["revision"]},
        format="json",
    )

    published = alice.browser.post(f"{address}/runs/", {}, format="json").json()
    draft = alice.browser.post(f"{address}/runs/", {"version": "draft"}, format="json").json()
    absent = alice.browser.post(f"{address}/runs/", {"version": 9}, format="json")

    assert (published["version"], published["document"]["name"]) == (1, "Greeting")
    assert (draft["version"], draft["document"]["name"]) == (None, "Changed")
    assert (absent.status_code, absent.json()["code"]) == (404, "unknown_version")


def test_the_same_key_gives_the_same_run_and_refuses_another_request(alice: Person) -> None:
    workflow = create_workflow(alice)
    address = f"/api/v1/workflows/{workflow['id']}/runs/"

    def ask(inputs: dict[str, Any]) -> Any:
        return alice.browser.post(
            address, {"inputs": inputs}, format="json", headers={"Idempotency-Key": "k1"}
        )

    first, again, other = ask({"who": "Ada"}), ask({"who": "Ada"}), ask({"who": "Bob"})

    assert (first.status_code, again.status_code, other.status_code) == (201, 200, 409)
    assert again.json()["id"] == first.json()["id"]
    assert other.json()["code"] == "idempotency_conflict"


@pytest.mark.parametrize(
    "body",
    [
        {"inputs": []},
        {"version": 0},
        {"version": "latest"},
        {"deadline_s": -1},
        {"priority": 1000},
        {"budget": {}},
        [],
    ],
)
def test_a_body_that_is_wrong_is_refused_and_starts_nothing(alice: Person, body: Any) -> None:
    workflow = create_workflow(alice)

    answer = alice.browser.post(f"/api/v1/workflows/{workflow['id']}/runs/", body, format="json")

    assert answer.status_code == 400
    assert Run.objects.count() == 0


@pytest.mark.parametrize("wait", ["-1", "61", "soon", "nan"])
def test_a_wait_that_is_no_time_is_refused(alice: Person, wait: str) -> None:
    workflow = create_workflow(alice)

    answer = alice.browser.post(
        f"/api/v1/workflows/{workflow['id']}/runs/?wait={wait}", {}, format="json"
    )

    assert answer.status_code == 400
    assert Run.objects.count() == 0


def test_a_finished_run_shows_outputs_times_and_the_critical_path(
    alice: Person, start_run: Start, worker: HandWorker
) -> None:
    end = {
        "id": "end",
        "kind": "io.output",
        "config": {"name": "answer", "value": "{{ nodes.b.output }}"},
    }
    run = start_run(document([work("a"), work("b"), work("c"), end], ["a -> b", "b -> end"]))
    worker.pull()
    worker.complete({"a": 1, "c": 3})
    worker.complete({"b": {"deep": [1, 2]}})

    body = alice.browser.get(f"/api/v1/runs/{run.id}/").json()

    assert body["status"] == "succeeded"
    assert body["outputs"] == {"answer": {"deep": [1, 2]}}
    assert body["steps"]["succeeded"] == 4
    assert body["timings"]["wall_s"] > 0
    assert body["timings"]["span_s"] <= body["timings"]["work_s"]
    assert body["critical_path"][0] == "a"
    assert body["seq"] == run.events.count()


def test_runs_are_listed_newest_first_and_filtered(
    alice: Person, start_run: Start, worker: HandWorker
) -> None:
    done = start_run(document([work("a")], []))
    worker.pull()
    worker.complete({"a": 1})
    waiting = start_run(document([work("a")], []))

    everything = alice.browser.get("/api/v1/runs/").json()["results"]
    succeeded = alice.browser.get("/api/v1/runs/?status=succeeded").json()["results"]
    of_one = alice.browser.get(f"/api/v1/runs/?workflow={done.workflow_id}").json()["results"]

    assert [row["id"] for row in everything] == [str(waiting.id), str(done.id)]
    assert [row["id"] for row in succeeded] == [str(done.id)]
    assert [row["id"] for row in of_one] == [str(done.id)]
    assert everything[0]["steps"]["ready"] == 1


def test_steps_say_why_they_wait(alice: Person, start_run: Start, worker: HandWorker) -> None:
    run = start_run(document([work("a", label="First"), work("b")], ["a -> b"]))
    steps = {
        row["path"]: row
        for row in alice.browser.get(f"/api/v1/runs/{run.id}/steps/").json()["results"]
    }

    def why(path: str) -> Any:
        address = f"/api/v1/runs/{run.id}/steps/{steps[path]['id']}/"
        return alice.browser.get(address).json()["why_waiting"]

    assert why("a")["cause"] == "slot"
    assert (why("b")["cause"], why("b")["nodes"], why("b")["text"]) == (
        "inputs",
        ["a"],
        "It needs First.",
    )
    worker.pull()
    assert why("a") is None


def test_a_step_shows_its_output_and_the_list_a_preview(
    alice: Person, start_run: Start, worker: HandWorker
) -> None:
    run = start_run(document([work("a")], []))
    worker.pull()
    worker.complete({"a": {"text": "hello\x00"}})

    (row,) = alice.browser.get(f"/api/v1/runs/{run.id}/steps/").json()["results"]
    step = alice.browser.get(f"/api/v1/runs/{run.id}/steps/{row['id']}/").json()

    assert row["output_preview"] == '{"text": "hello\\u0000"}'
    assert "output" not in row
    assert (step["output"], step["output_truncated"]) == ({"text": "hello\x00"}, False)


def test_events_come_in_pages_behind_a_number(alice: Person, start_run: Start) -> None:
    run = start_run(document([work("a")], []))

    first = alice.browser.get(f"/api/v1/runs/{run.id}/events/?limit=1").json()
    rest = alice.browser.get(f"/api/v1/runs/{run.id}/events/?after={first['next']}").json()

    assert [event["type"] for event in first["results"]] == ["run.created"]
    assert (first["next"], first["ended"]) == (1, False)
    assert [(e["seq"], e["type"], e["node"]) for e in rest["results"]] == [(2, "step.ready", "a")]
    assert rest["next"] is None


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=100000", "after=1e3"])
def test_a_place_in_the_log_that_is_no_number_is_refused(
    alice: Person, start_run: Start, query: str
) -> None:
    run = start_run(document([work("a")], []))

    assert alice.browser.get(f"/api/v1/runs/{run.id}/events/?{query}").status_code == 400


def test_cancelling_ends_the_run_and_a_second_time_says_that_it_has_ended(
    alice: Person, start_run: Start
) -> None:
    run = start_run(document([work("a")], []))

    first = alice.browser.post(f"/api/v1/runs/{run.id}/cancel/")
    second = alice.browser.post(f"/api/v1/runs/{run.id}/cancel/")

    assert (first.status_code, first.json()["status"]) == (200, "cancelled")
    assert (second.status_code, second.json()["code"]) == (409, "run_ended")


def test_a_key_needs_the_run_scope_to_start_and_to_cancel(alice: Person, start_run: Start) -> None:
    run = start_run(document([work("a")], []))
    reader, runner = alice.program("read", "write"), alice.program("run")
    start_address = f"/api/v1/workflows/{run.workflow_id}/runs/"

    assert reader.post(start_address, {}, format="json").status_code == 403
    assert reader.post(f"/api/v1/runs/{run.id}/cancel/").status_code == 403
    assert runner.post(start_address, {}, format="json").json()["trigger"] == "api"
    assert runner.post(f"/api/v1/runs/{run.id}/cancel/").status_code == 200


def test_nothing_of_a_run_is_seen_from_another_workspace_or_signed_out(
    alice: Person, charlie: Person, stranger: APIClient, start_run: Start
) -> None:
    run = start_run(document([work("a")], []))
    step = run.steps.get()
    own = charlie.browser.post(
        f"/api/v1/workflows/{create_workflow(charlie)['id']}/runs/", {}, format="json"
    ).json()["id"]
    reads = [
        f"runs/{run.id}/",
        f"runs/{run.id}/steps/",
        f"runs/{run.id}/steps/{step.id}/",
        f"runs/{own}/steps/{step.id}/",
        f"runs/{run.id}/events/",
        f"workflows/{run.workflow_id}/runs/",
    ]
    writes = [f"runs/{run.id}/cancel/", f"workflows/{run.workflow_id}/runs/"]

    for path in reads:
        assert charlie.browser.get(f"/api/v1/{path}").status_code == 404, path
        assert stranger.get(f"/api/v1/{path}").status_code == 401, path
    for path in writes:
        assert charlie.browser.post(f"/api/v1/{path}", {}, format="json").status_code == 404, path
        assert stranger.post(f"/api/v1/{path}", {}, format="json").status_code == 401, path
    assert [row["id"] for row in charlie.browser.get("/api/v1/runs/").json()["results"]] == [own]


def test_a_run_that_does_not_exist_is_not_found(alice: Person) -> None:
    for path in (f"runs/{ABSENT}/", f"runs/{ABSENT}/steps/", f"runs/{ABSENT}/events/"):
        assert alice.browser.get(f"/api/v1/{path}").status_code == 404
    assert alice.browser.post(f"/api/v1/runs/{ABSENT}/cancel/").status_code == 404
