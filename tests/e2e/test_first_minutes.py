"""A newcomer's first minutes: signing in, the samples, a run and its report."""

import os
import random

from playwright.sync_api import Locator, Page, expect

from heddle_platform.places import ROOT
from tests.acceptance.documents import Program
from tests.e2e.complaints import Complaints
from tests.e2e.editor import Editor
from tests.e2e.screens import RunPage, SignIn, Workflows
from tests.live_endpoint import LiveEndpoint
from tests.live_product import LiveProduct

BRANCHES = ("Statistics", "Keywords", "Readability", "Longest sentences")
STEPS = ("Text", *BRANCHES, "All four", "Report", "Markdown")
KEEPS_PICTURES = os.environ.get("HEDDLE_SAVE_SCREENSHOTS") == "1"
MOST_BYTES = 300 * 1024


def test_a_newcomer_signs_in_runs_the_sample_and_reads_its_report(
    page: Page, live_product: LiveProduct
) -> None:
    page.goto("/")
    SignIn(page).enter(live_product.admin_email, live_product.admin_password)
    workflows = Workflows(page)
    for sample in ("Text report", "Two views", "Status of several addresses"):
        expect(workflows.link(sample)).to_be_visible()

    workflows.link("Text report").click()
    Editor(page).run.click()
    form = page.get_by_role("dialog", name="Run with")
    expect(form.get_by_label("Text")).to_contain_text("Call me Ishmael.")
    form.get_by_role("button", name="Run").click()

    run = RunPage(page)
    run.ends("Succeeded")
    shows_the_report_and_how_it_was_made(run)
    keep_picture(page, "run")

    first = run.run_id
    page.reload()
    assert run.run_id == first
    run.ends("Succeeded")
    shows_the_report_and_how_it_was_made(run)


def shows_the_report_and_how_it_was_made(run: RunPage) -> None:
    for step in STEPS:
        expect(run.card(step, "succeeded")).to_be_visible()
    expect(run.step.get_by_role("heading", name="Text report")).to_be_visible()
    expect(run.step.get_by_role("row", name="paragraphs 3")).to_be_visible()
    expect(run.step.get_by_role("heading", name="Longest sentences")).to_be_visible()
    expect(run.timeline).to_have_count(len(STEPS))
    bars = [bar_of(run.timeline.filter(has_text=name).first) for name in BRANCHES]
    assert max(begin for begin, _ in bars) < min(end for _, end in bars), bars


def bar_of(row: Locator) -> tuple[float, float]:
    """Where the bar of a step's work begins and ends on the screen."""
    box = row.locator("[data-kind=work]").bounding_box()
    assert box
    return box["x"], box["x"] + box["width"]


def test_a_wrong_password_is_refused_in_words_and_signing_out_ends_the_session(
    page: Page, live_product: LiveProduct, complaints: Complaints
) -> None:
    complaints.expect(r"status of 40[01]")
    page.goto("/credentials")
    sign_in = SignIn(page)
    sign_in.enter(live_product.admin_email, "not the password")
    expect(page.get_by_role("alert")).to_contain_text("do not belong together")

    sign_in.enter(live_product.admin_email, live_product.admin_password)
    page.wait_for_url("**/credentials")
    page.get_by_role("button", name="account menu").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in to Heddle")).to_be_visible()

    page.goto("/credentials")
    expect(page.get_by_role("heading", name="Sign in to Heddle")).to_be_visible()
    assert page.request.get("/api/v1/workflows/").status in {401, 403}


def test_the_list_and_the_editor_show_the_sample_as_the_documentation_does(
    signed_in: Page, program: Program, default_model: LiveEndpoint
) -> None:
    if KEEPS_PICTURES:
        run_the_samples(program, default_model)
    workflows = Workflows(signed_in)
    workflows.open()
    expect(workflows.link("Text report")).to_be_visible()
    keep_picture(signed_in, "workflows")

    workflows.link("Text report").click()
    editor = Editor(signed_in)
    expect(editor.node("Report", "Text")).to_be_visible()
    editor.node("Report", "Text").click()
    expect(editor.inspector("Report").get_by_role("textbox", name="Text")).to_contain_text(
        "# Text report"
    )
    keep_picture(signed_in, "editor")


def run_the_samples(program: Program, models: LiveEndpoint) -> None:
    """Give the list a past to show."""
    dice = random.Random(4)
    models.script([{"ms": dice.randint(100, 900)} for _ in range(3 * 12)])
    ids = {row["name"]: row["id"] for row in program.api.get("workflows/").json()["results"]}
    inputs = {
        "Text report": [{"text": "One thread. " * dice.randint(50, 5000)} for _ in range(16)],
        "Two views": [{"topic": "Is weaving a craft or an art?"}] * 12,
    }
    for name, each in ((name, each) for name, all_of in inputs.items() for each in all_of):
        answer = program.api.post(f"workflows/{ids[name]}/runs/", json={"inputs": each})
        program.finished(answer.json()["id"])


def keep_picture(page: Page, name: str) -> None:
    """Write a picture for the documentation, where somebody asked for it."""
    if not KEEPS_PICTURES:
        return
    path = ROOT / "docs" / "images" / f"{name}.png"
    page.mouse.move(0, 0)
    page.screenshot(path=path, animations="disabled", caret="hide")
    assert path.stat().st_size < MOST_BYTES
