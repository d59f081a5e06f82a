"""The screens of the product as a person finds their parts: by role and by name."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect


@dataclass(frozen=True)
class SignIn:
    """The sign-in page."""

    page: Page

    def enter(self, email: str, password: str) -> None:
        self.page.get_by_label("E-mail address").fill(email)
        self.page.get_by_label("Password", exact=True).fill(password)
        self.page.get_by_role("button", name="Sign in").click()


@dataclass(frozen=True)
class Workflows:
    """The list of workflows."""

    page: Page

    def open(self) -> None:
        self.page.goto("/workflows")
        expect(self.page.get_by_role("heading", name="Workflows")).to_be_visible()

    @property
    def table(self) -> Locator:
        return self.page.get_by_role("table", name="Workflows")

    def link(self, name: str) -> Locator:
        return self.table.get_by_role("link", name=name, exact=True)

    def import_file(self, name: str, text: str) -> None:
        """Choose a file in the import's dialog and send it."""
        self.page.get_by_role("button", name="Import").click()
        dialog = self.page.get_by_role("dialog", name="Import a workflow")
        with self.page.expect_file_chooser() as chooser:
            dialog.get_by_role("button", name="Choose a file").click()
        chooser.value.set_files(
            {"name": name, "mimeType": "application/octet-stream", "buffer": text.encode()}
        )
        dialog.get_by_role("button", name="Import").click()

    def import_document(self, document: Mapping[str, Any]) -> None:
        self.import_file("workflow.json", json.dumps(document))


@dataclass(frozen=True)
class RunPage:
    """The page of one run."""

    page: Page

    def open(self, run_id: str) -> None:
        self.page.goto(f"/runs/{run_id}")

    @property
    def run_id(self) -> str:
        self.page.wait_for_url("**/runs/*")
        return self.page.url.rsplit("/", 1)[1]

    @property
    def status(self) -> Locator:
        return self.page.get_by_role("region", name="Run in figures").get_by_role("status")

    @property
    def step(self) -> Locator:
        return self.page.get_by_role("complementary", name="Step")

    @property
    def events(self) -> Locator:
        return self.page.get_by_role("region", name="Events").get_by_role("listitem")

    @property
    def timeline(self) -> Locator:
        return self.page.get_by_role("list", name="Steps over time").get_by_role("listitem")

    def card(self, name: str, state: str) -> Locator:
        """The card of a node that is in this state."""
        return self.graph.get_by_label(f"{name}, {state}", exact=True)

    @property
    def graph(self) -> Locator:
        return self.page.get_by_role("group", name="Graph of the run")

    def ends(self, word: str) -> None:
        """Wait until the run says that it ended in this way."""
        expect(self.status).to_have_text(word, timeout=60_000)
