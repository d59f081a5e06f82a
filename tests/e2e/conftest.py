"""A real Chromium on the running product; `page` is a visitor's, `signed_in` a user's."""

import re
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from heddle_platform.chromium import find_chromium, flags
from heddle_platform.console import Refusal
from heddle_platform.frontend import is_built
from heddle_platform.places import ROOT
from tests.acceptance.documents import Program
from tests.e2e.complaints import Complaints
from tests.live_endpoint import LiveEndpoint
from tests.live_product import LiveProduct

PICTURES = ROOT / "test-results"
_FAILED = pytest.StashKey[bool]()
_AUTH = "/api/v1/auth/browser/v1/auth/login"
_PATIENCE_MS = 20_000


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the session."""
    if not is_built():
        pytest.fail("frontend/dist is missing or older than its sources: run bin/test e2e")
    try:
        executable = find_chromium()
    except Refusal as refusal:
        pytest.fail(str(refusal))
    expect.set_options(timeout=_PATIENCE_MS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=flags())
        yield chromium
        chromium.close()


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """What the browser complains of; a test fails for each error that it did not expect."""
    heard = Complaints()
    yield heard
    assert not heard.unexpected(), "\n".join(heard.unexpected())


@pytest.fixture
def context(
    browser: Browser, live_product: LiveProduct, complaints: Complaints
) -> Iterator[BrowserContext]:
    """A browser profile of its own for each test."""
    made = browser.new_context(
        base_url=live_product.url,
        viewport={"width": 1440, "height": 900},
        reduced_motion="reduce",
    )
    made.set_default_timeout(_PATIENCE_MS)
    complaints.listen(made)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of a signed-out visitor; a failed test leaves a picture of each page."""
    made = context.new_page()
    yield made
    if request.node.stash.get(_FAILED, False):
        for number, each in enumerate(context.pages):
            each.screenshot(path=picture_of(f"{request.node.nodeid} {number or ''}"))


@pytest.fixture
def signed_in(page: Page, live_product: LiveProduct) -> Page:
    """A page of the administrator, signed in."""
    requests = page.context.request
    requests.get("/api/v1/session/")
    token = next(one["value"] for one in page.context.cookies() if one["name"] == "csrftoken")
    answer = requests.post(
        _AUTH,
        data={"email": live_product.admin_email, "password": live_product.admin_password},
        headers={"X-CSRFToken": token, "Referer": live_product.url},
    )
    assert answer.ok, answer.text()
    return page


@pytest.fixture
def program(live_product: LiveProduct) -> Iterator[Program]:
    """A program beside the browser, to bring about what a journey starts from."""
    with live_product.api() as api:
        yield Program(api)


@pytest.fixture
def default_model(program: Program, mock_endpoint: LiveEndpoint) -> LiveEndpoint:
    """The mock endpoint as the workspace's default."""
    program.model_endpoint(mock_endpoint.base_url)
    return mock_endpoint


def picture_of(test: str) -> Path:
    """Return the path of the picture of a failed test."""
    PICTURES.mkdir(exist_ok=True)
    return PICTURES / (re.sub(r"[^A-Za-z0-9]+", "-", test).strip("-") + ".png")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Let the fixtures see how the test went."""
    report = yield
    if report.when == "call":
        item.stash[_FAILED] = report.failed
    return report
