"""Without a mouse, and for those who read otherwise."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.acceptance.documents import Program, document
from tests.e2e.editor import Editor
from tests.e2e.screens import RunPage
from tests.live_endpoint import LiveEndpoint
from tests.live_product import LiveProduct

MOST_TABS = 60


def test_a_workflow_is_opened_extended_and_run_by_keyboard_alone(
    page: Page, live_product: LiveProduct, program: Program
) -> None:
    program.workflow(nothing_between("By keyboard"))
    keys = page.keyboard
    page.goto("/workflows")
    expect(page.get_by_label("E-mail address")).to_be_focused()
    keys.type(live_product.admin_email)
    keys.press("Tab")
    keys.type(live_product.admin_password)
    keys.press("Enter")
    link = page.get_by_role("link", name="By keyboard", exact=True).first
    expect(link).to_be_visible()
    tab_to(page, link)
    keys.press("Enter")

    editor = Editor(page)
    expect(editor.node("Start", "Input")).to_be_visible()
    keys.press("Tab")
    expect(page.get_by_role("combobox", name="Find a node")).to_be_focused()
    keys.type("wai")
    keys.press("Enter")
    expect(editor.inspector("Wait")).to_be_visible()
    keys.press("Enter")
    tab_to(page, editor.inspector("Wait").get_by_role("textbox", name="Seconds"))
    keys.type("0.1")
    keys.press("Control+Enter")

    run = RunPage(page)
    run.ends("Succeeded")
    expect(run.card("Wait", "succeeded")).to_be_visible()


def tab_to(page: Page, part: Locator) -> None:
    """Press Tab until this part has the focus."""
    for _ in range(MOST_TABS):
        if part.evaluate("part => part === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"{part} is not reached by {MOST_TABS} presses of Tab")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_barrier(
    scheme: str, page: Page, request: pytest.FixtureRequest
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    found: list[str] = []
    page.goto("/sign-in")
    expect(page.get_by_role("heading", name="Sign in to Heddle")).to_be_visible()
    found += barriers(page, "sign-in")

    request.getfixturevalue("signed_in")
    request.getfixturevalue("default_model")
    program: Program = request.getfixturevalue("program")
    mock: LiveEndpoint = request.getfixturevalue("mock_endpoint")
    good, bad = a_good_and_a_bad_run(program, mock)
    for place in (
        "workflows",
        "runs",
        "credentials",
        "api-keys",
        "settings",
        "account/password",
        "monitoring",
        f"workflows/{program.run(good)['workflow_id']}/runs",
    ):
        page.goto(f"/{place}")
        expect(page.get_by_role("main")).to_be_visible()
        page.wait_for_load_state("networkidle")
        found += barriers(page, place)
    found += barriers_of_the_editor(page, program.run(good)["workflow_id"])
    for run_id in (good, bad):
        run = RunPage(page)
        run.open(run_id)
        expect(run.step).to_be_visible()
        found += barriers(page, "run")
    assert not found, "\n".join(found)


def barriers_of_the_editor(page: Page, workflow: str) -> list[str]:
    editor = Editor(page)
    editor.open(workflow)
    empty = barriers(page, "editor")
    editor.node("Answer", "Model call").click()
    expect(editor.inspector("Answer")).to_be_visible()
    chosen = barriers(page, "editor with a node")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.get_by_role("combobox", name="Find a node")).to_be_focused()
    return [*empty, *chosen, *barriers(page, "editor's search")]


def barriers(page: Page, where: str) -> list[str]:
    """What axe calls serious or critical, each with its place."""
    violations = Axe().run(page).response["violations"]
    return [
        f"{where}: {each['id']}: {node['target']} {node['failureSummary']}"
        for each in violations
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"]
    ]


def a_good_and_a_bad_run(program: Program, mock: LiveEndpoint) -> tuple[str, str]:
    runs = [program.start(one_answer(model)) for model in ("echo", "fault-401")]
    for run_id in runs:
        program.finished(run_id)
    return runs[0], runs[1]


def one_answer(model: str) -> dict[str, object]:
    prompt = (
        "# A title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`code` and [a link](https://x.example)"
    )
    return document(
        f"One answer of {model}",
        [
            {"id": "start", "kind": "io.input", "label": "Start"},
            {
                "id": "answer",
                "kind": "llm.chat",
                "label": "Answer",
                "config": {"model": model, "prompt": prompt},
            },
            {
                "id": "end",
                "kind": "io.output",
                "label": "End",
                "config": {"value": "{{ nodes.answer.output.text }}"},
            },
        ],
        ["start -> answer", "answer -> end"],
    )


def nothing_between(name: str) -> dict[str, object]:
    return document(
        name,
        [
            {"id": "start", "kind": "io.input", "label": "Start"},
            {"id": "end", "kind": "io.output", "label": "End", "config": {"value": "done"}},
        ],
        ["start -> end"],
    )
