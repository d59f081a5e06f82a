"""The pages around the editor: keys, password, monitoring, and all of them on a phone."""

import secrets
from collections.abc import Iterator

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.acceptance.documents import Program, document
from tests.e2e.complaints import Complaints
from tests.e2e.screens import RunPage, SignIn
from tests.live_product import LiveProduct

PHONE: ViewportSize = {"width": 390, "height": 844}
#: Every page that needs no id.
PLACES = {
    "/workflows": "Workflows",
    "/runs": "Runs",
    "/credentials": "Credentials",
    "/api-keys": "API keys",
    "/settings": "Settings",
    "/account/password": "Change password",
    "/more": "More",
    "/monitoring": "Monitoring",
}


def test_a_key_made_on_its_page_works_until_it_is_revoked(
    signed_in: Page, live_product: LiveProduct
) -> None:
    page = signed_in
    page.goto("/api-keys")
    page.get_by_role("button", name="New key").click()
    form = page.get_by_role("dialog", name="New API key")
    form.get_by_label("Name").fill("Nightly import")
    form.get_by_role("button", name="Create key").click()
    made = page.get_by_role("dialog", name="Key for Nightly import")
    key = made.get_by_role("code").first.inner_text()
    assert status_with(key, live_product) == httpx2.codes.OK
    made.get_by_role("button", name="I have copied it").click()

    page.reload()
    row = page.get_by_role("table", name="API keys").get_by_role("row", name="Nightly import")
    expect(row).to_contain_text("just now")
    assert key not in page.content()

    row.get_by_role("button", name="Revoke Nightly import").click()
    question = page.get_by_role("dialog", name="Revoke Nightly import")
    question.get_by_role("button", name="Revoke key").click()
    expect(row).to_have_count(0)
    assert status_with(key, live_product) == httpx2.codes.UNAUTHORIZED


def status_with(key: str, product: LiveProduct) -> int:
    answer = httpx2.get(
        f"{product.url}/api/v1/workflows/",
        headers={"Authorization": f"Bearer {key}"},
        trust_env=False,
    )
    return answer.status_code


def test_a_changed_password_is_the_one_that_signs_in(
    signed_in: Page, live_product: LiveProduct, complaints: Complaints
) -> None:
    complaints.expect(r"status of 40[01]")
    page = signed_in
    before, after = live_product.admin_password, secrets.token_urlsafe(16)
    page.goto("/account/password")
    page.get_by_label("Current password").fill("not the password")
    page.get_by_label("New password", exact=True).fill(after)
    page.get_by_label("New password, again").fill(after)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_label("Current password")).to_have_accessible_description(
        "Please type your current password."
    )

    page.get_by_label("Current password").fill(before)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Password changed")).to_be_visible()
    live_product.admin_password = after

    page.context.clear_cookies()
    page.goto("/workflows")
    SignIn(page).enter(live_product.admin_email, before)
    expect(page.get_by_role("alert")).to_contain_text("do not belong together")
    SignIn(page).enter(live_product.admin_email, after)
    expect(page.get_by_role("heading", name="Workflows")).to_be_visible()


def test_monitoring_shows_the_worker_and_what_has_just_run(
    signed_in: Page, program: Program
) -> None:
    signed_in.goto("/monitoring")
    worker = signed_in.get_by_role("table", name="Workers").get_by_role("row").last
    expect(worker).to_contain_text("io")
    expect(worker).to_contain_text("Working")
    expect(signed_in.get_by_text("live, ")).to_be_visible()
    for store in ("PostgreSQL", "Redis"):
        expect(signed_in.get_by_role("region", name="Health")).to_contain_text(store)

    # Nobody reloads: a new failure arrives over the socket.
    failed = program.start(one_refused_address())
    program.finished(failed)
    failures = signed_in.get_by_role("region", name="Failures by kind")
    expect(failures.get_by_role("listitem").filter(has_text="http.request").first).to_be_visible()
    expect(failures.locator(f"a[href='/runs/{failed}']")).to_be_visible()


@pytest.fixture
def phone(browser: Browser, signed_in: Page, complaints: Complaints) -> Iterator[Page]:
    """A phone's browser with the administrator's session."""
    context: BrowserContext = browser.new_context(
        base_url=signed_in.context.request.get("/workflows").url.removesuffix("/workflows"),
        viewport=PHONE,
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
        storage_state=signed_in.context.storage_state(),
    )
    complaints.listen(context)
    yield context.new_page()
    context.close()


def test_no_page_scrolls_sideways_on_a_phone(phone: Page, program: Program) -> None:
    run_id = program.start(a_long_name())
    program.finished(run_id)
    for place, heading in PLACES.items():
        phone.goto(place)
        if place != "/credentials":
            expect(phone.get_by_role("heading", name=heading).first).to_be_visible()
        fits_its_width(phone)
    RunPage(phone).open(run_id)
    steps = phone.get_by_role("region", name="Steps").get_by_role("listitem")
    expect(steps).to_have_count(3)
    fits_its_width(phone)
    steps.last.click()
    expect(phone.get_by_role("complementary", name="Step")).to_be_visible()
    fits_its_width(phone)


def fits_its_width(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], f"{page.url} is {width} px wide"


def test_every_page_opens_and_reloads_without_a_complaint(
    signed_in: Page, program: Program
) -> None:
    run_id = program.start(a_long_name())
    program.finished(run_id)
    workflow = program.run(run_id)["workflow_id"]
    more = (f"/workflows/{workflow}", f"/runs/{run_id}")
    for place in (*PLACES, *more, f"{more[0]}/runs", f"{more[0]}/versions"):
        signed_in.goto(place)
        expect(signed_in.get_by_role("main").first).to_be_visible()
        signed_in.wait_for_load_state("networkidle")
        assert signed_in.title() not in {"", "Heddle"}, place
    signed_in.goto("/no/such/page")
    expect(signed_in.get_by_role("heading", name="Nothing is at this address")).to_be_visible()


def one_refused_address() -> dict[str, object]:
    return document(
        "A refused address",
        [
            {"id": "start", "kind": "io.input"},
            {"id": "call", "kind": "http.request", "config": {"url": "http://10.0.0.1/"}},
        ],
        ["start -> call"],
    )


def a_long_name() -> dict[str, object]:
    name = "An evaluation of the quarterly figures of all of the subsidiaries " * 2
    return document(
        name,
        [
            {"id": "start", "kind": "io.input", "label": name},
            {
                "id": "text",
                "kind": "data.template",
                "label": "A label that is longer than a phone is wide, and then some more",
                "config": {"text": "| a | b | c |\n|---|---|---|\n" + "| wide " * 3 * 40 + "|"},
            },
            {
                "id": "end",
                "kind": "io.output",
                "config": {"value": "{{ nodes.text.output }}", "name": "a" * 60},
            },
        ],
        ["start -> text", "text -> end"],
    )
