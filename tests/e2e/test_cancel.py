"""Cancelling a run from its page."""

from playwright.sync_api import Page, expect

from tests.acceptance.documents import Program, document
from tests.e2e.screens import RunPage
from tests.live_endpoint import LiveEndpoint
from tests.waiting import wait_until

CALLS = ("First", "Second", "Third")


def test_cancelling_a_run_stops_its_calls_and_says_so(
    signed_in: Page, program: Program, default_model: LiveEndpoint
) -> None:
    default_model.script([{"text": "word " * 600, "ms": 60_000} for _ in CALLS])
    run = RunPage(signed_in)
    run.open(program.start(calls_then_one_more()))
    for name in CALLS:
        expect(run.card(name, "running")).to_be_visible()
    wait_until(lambda: default_model.stats()["in_flight"] == len(CALLS), what="all calls in flight")

    signed_in.get_by_role("button", name="Cancel run").click()
    question = signed_in.get_by_role("dialog", name="Cancel this run?")
    question.get_by_role("button", name="Cancel run").click()

    run.ends("Cancelled")
    for name in (*CALLS, "Last"):
        expect(run.card(name, "cancelled")).to_be_visible()
    expect(run.events.filter(has_text="Run cancelled")).to_have_count(1)
    wait_until(lambda: default_model.stats()["in_flight"] == 0, what="the end of the calls")
    assert default_model.stats()["started"] == len(CALLS)
    expect(signed_in.get_by_role("button", name="Run again")).to_be_visible()


def calls_then_one_more() -> dict[str, object]:
    call = {"kind": "llm.chat", "config": {"prompt": "Count."}}
    return document(
        "Three calls, then one more",
        [
            {"id": "start", "kind": "io.input", "label": "Start"},
            *({"id": name.lower(), "label": name, **call} for name in (*CALLS, "Last")),
        ],
        [
            *(f"start -> {name.lower()}" for name in CALLS),
            *(f"{name.lower()} -> last" for name in CALLS),
        ],
    )
