"""Runs that a person pauses, retries and signals from their page."""

from playwright.sync_api import Page, expect

from tests.acceptance.documents import Program, document
from tests.e2e.screens import RunPage
from tests.e2e.signals import signal
from tests.live_endpoint import LiveEndpoint


def test_a_paused_run_starts_nothing_more_until_it_is_resumed(
    signed_in: Page, program: Program
) -> None:
    run = RunPage(signed_in)
    run_id = program.start(waits_in_a_row())
    run.open(run_id)
    expect(run.card("First", "waiting")).to_be_visible()
    signed_in.get_by_role("button", name="Pause").click()
    expect(run.status).to_have_text("Paused")
    signal(program, run_id, "first")
    expect(run.card("Second", "held")).to_be_visible()

    signed_in.get_by_role("button", name="Resume").click()
    run.ends("Succeeded")


def test_a_failed_run_is_retried_from_what_succeeded(
    signed_in: Page, program: Program, default_model: LiveEndpoint
) -> None:
    default_model.script([{"fault": "400"}, {"text": "At the second try."}])
    ask = {"id": "call", "kind": "llm.chat", "config": {"prompt": "Say something."}}
    run = RunPage(signed_in)
    run.open(program.start(document("Fails once", [ask], [])))
    run.ends("Failed")

    signed_in.get_by_role("button", name="Retry").click()
    signed_in.get_by_role("dialog").get_by_role("button", name="Retry run").click()
    run.ends("Succeeded")
    run.card("call", "succeeded").click()
    run.step.get_by_role("tab", name="Attempts").click()
    expect(run.step.get_by_role("listitem")).to_have_count(2)
    run.step.get_by_role("tab", name="Output").click()
    expect(run.step).to_contain_text("At the second try.")


def test_a_step_shows_the_address_of_its_signal_and_goes_on_when_it_is_called(
    signed_in: Page, program: Program
) -> None:
    run = RunPage(signed_in)
    nodes = [{"id": "go", "kind": "flow.wait", "label": "Go", "config": {"signal": True}}]
    run.open(program.start(document("Signalled", nodes, [])))
    run.card("Go", "waiting").click()
    expect(run.step.get_by_role("button", name="Copy the address")).to_be_visible()
    address = run.step.locator("code").inner_text()

    assert program.api.post(address, json={"answer": 42}).status_code == 202
    run.ends("Succeeded")
    run.card("Go", "succeeded").click()
    expect(run.step).to_contain_text("42")


def waits_in_a_row() -> dict[str, object]:
    nodes = [
        {"id": "first", "kind": "flow.wait", "label": "First", "config": {"signal": True}},
        {"id": "second", "kind": "flow.wait", "label": "Second", "config": {"seconds": 0}},
    ]
    return document("In a row", nodes, ["first -> second"])
