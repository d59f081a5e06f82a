"""A limit that is set in the browser makes steps wait, and they say so."""

from playwright.sync_api import Page, expect

from tests.acceptance.documents import Program, document, http
from tests.e2e.screens import RunPage
from tests.live_endpoint import LiveEndpoint


def test_steps_over_a_limit_wait_and_say_for_which(
    signed_in: Page, program: Program, mock_endpoint: LiveEndpoint
) -> None:
    add_a_limit_of_one_for_the_workspace(signed_in)
    try:
        run = RunPage(signed_in)
        run.open(program.start(two_slow_calls(mock_endpoint)))
        waiting = run.graph.get_by_label(", ready")
        waiting.click()
        expect(run.step).to_contain_text("The limit of workspace has no room")
        run.ends("Succeeded")
        signed_in.get_by_role("tab", name="Figures").click()
        waits = signed_in.get_by_role("region", name="Waits")
        expect(waits).to_contain_text("for a limit")
    finally:
        delete_all_limits(program)


def test_a_limit_is_changed_and_deleted_and_brought_back(signed_in: Page, program: Program) -> None:
    add_a_limit_of_one_for_the_workspace(signed_in)
    try:
        row = signed_in.get_by_role("table", name="Limits", exact=True).get_by_role("row").last
        row.get_by_role("button", name="More for").click()
        signed_in.get_by_role("menuitem", name="Change").click()
        signed_in.get_by_label("At once").fill("7")
        signed_in.get_by_role("button", name="Save").click()
        expect(row).to_contain_text("7 at once")
        row.get_by_role("button", name="More for").click()
        signed_in.get_by_role("menuitem", name="Delete").click()
        expect(signed_in.get_by_role("heading", name="No limits yet")).to_be_visible()
        signed_in.get_by_role("button", name="Undo").click()
        expect(row).to_contain_text("7 at once")
    finally:
        delete_all_limits(program)


def add_a_limit_of_one_for_the_workspace(page: Page) -> None:
    page.goto("/limits")
    page.get_by_role("button", name="New limit").click()
    page.get_by_role("combobox", name="What is limited").click()
    page.get_by_role("option", name="The whole workspace").click()
    page.get_by_label("At once").fill("1")
    page.get_by_role("button", name="Add limit").click()
    expect(page.get_by_role("table", name="Limits", exact=True)).to_contain_text("1 at once")


def delete_all_limits(program: Program) -> None:
    for row in program.api.get("limits/").json()["results"]:
        program.api.delete(f"limits/{row['id']}/")


def two_slow_calls(endpoint: LiveEndpoint) -> dict[str, object]:
    url = f"{endpoint.url}/sleep?ms=8000"
    return document("Two at a time", [http("one", url), http("two", url)], [])
