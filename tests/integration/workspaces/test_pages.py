from pathlib import Path

import pytest
from django.conf import LazySettings
from rest_framework.test import APIClient

from tests.integration.people import Person


@pytest.fixture
def built(tmp_path: Path, settings: LazySettings) -> None:
    """A front end of one page."""
    (tmp_path / "index.html").write_text("<title>Heddle</title>")
    settings.FRONTEND_DIST = tmp_path


@pytest.mark.parametrize("address", ["/", "/workflows", "/runs/1/steps", "/sign-in"])
def test_every_pages_address_gives_the_front_end(
    stranger: APIClient, built: None, address: str
) -> None:
    answer = stranger.get(address)

    assert answer.status_code == 200
    assert answer.content == b"<title>Heddle</title>"
    assert "no-cache" in answer["Cache-Control"]


def test_a_front_end_that_is_not_built_says_what_to_do(
    stranger: APIClient, tmp_path: Path, settings: LazySettings
) -> None:
    settings.FRONTEND_DIST = tmp_path

    answer = stranger.get("/")

    assert answer.status_code == 503
    assert "bin/up" in answer.content.decode()


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_a_page_only_reads(stranger: APIClient, built: None, method: str) -> None:
    assert getattr(stranger, method)("/workflows").status_code == 405


@pytest.mark.parametrize("address", ["/static/nothing.js", "/assets/nothing.js", "/api/nothing"])
def test_what_is_no_page_is_absent(stranger: APIClient, db: None, address: str) -> None:
    assert stranger.get(address).status_code == 404


def test_the_docs_page_holds_no_script_of_its_own(alice: Person) -> None:
    page = alice.browser.get("/api/docs/").content.decode()
    scripts = [part.split(">", 1) for part in page.split("<script")[1:]]

    assert scripts
    assert all("src=" in opening and text.startswith("</script>") for opening, text in scripts)
    assert all('src="/' in opening for opening, _ in scripts)


def test_its_files_are_served_from_here(stranger: APIClient) -> None:
    answer = stranger.get("/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css")

    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/css")
    assert len(answer.content) > 1000


def test_the_description_needs_a_signed_in_reader(stranger: APIClient, alice: Person) -> None:
    assert stranger.get("/api/schema/").status_code == 401
    description = alice.program("read").get("/api/schema/?format=json")
    assert description.status_code == 200
