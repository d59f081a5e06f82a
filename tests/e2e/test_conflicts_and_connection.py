"""Two tabs on one draft, a socket that breaks, and editing without a network."""

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.acceptance.documents import Program, document
from tests.e2e.complaints import Complaints
from tests.e2e.editor import Editor
from tests.e2e.screens import RunPage
from tests.e2e.signals import signal


@dataclass
class Tabs:
    """Two tabs with one draft: theirs saved a text node, mine wants to save a join."""

    theirs: Editor
    mine: Editor
    workflow: str


@pytest.fixture
def tabs(signed_in: Page, program: Program, complaints: Complaints) -> Tabs:
    complaints.expect("status of 409")
    workflow = program.workflow(two_pauses("Two tabs"))
    both = Tabs(Editor(signed_in.context.new_page()), Editor(signed_in), workflow)
    for editor in (both.theirs, both.mine):
        editor.open(workflow)
    both.theirs.add("Text")
    expect(both.theirs.node("Text", "Text")).to_be_visible()
    both.theirs.is_saved()
    both.mine.add("Join")
    dialog = both.mine.page.get_by_role("dialog", name="This draft was changed elsewhere")
    expect(dialog.get_by_role("listitem").filter(has_text="+ Join")).to_be_visible()
    expect(dialog.get_by_role("listitem").filter(has_text="+ Text")).to_be_visible()
    return both


def test_keeping_ones_own_state_saves_it_over_the_other(tabs: Tabs, program: Program) -> None:
    choose(tabs, "Keep mine")
    tabs.mine.is_saved()
    assert {"join"} == added(program, tabs.workflow)


def test_taking_the_other_state_can_be_undone(tabs: Tabs, program: Program) -> None:
    choose(tabs, "Take theirs")
    expect(tabs.mine.node("Text", "Text")).to_be_visible()
    expect(tabs.mine.node("Join", "Join")).to_have_count(0)
    assert {"template"} == added(program, tabs.workflow)
    tabs.mine.undo.click()
    expect(tabs.mine.node("Join", "Join")).to_be_visible()
    expect(tabs.mine.node("Text", "Text")).to_have_count(0)


def test_saving_ones_own_state_as_a_copy_keeps_both(tabs: Tabs, program: Program) -> None:
    choose(tabs, "Save mine as a copy")
    page = tabs.mine.page
    expect(tabs.mine.node("Text", "Text")).to_be_visible()
    page.get_by_role("button", name="Open the copy").click()
    expect(page.get_by_label("Name of the workflow")).to_have_value("Two tabs (my copy)")
    expect(tabs.mine.node("Join", "Join")).to_be_visible()
    assert {"template"} == added(program, tabs.workflow)
    assert {"join"} == added(program, page.url.rsplit("/", 1)[1])


def test_a_page_that_lost_its_socket_shows_every_event_once_after_reconnecting(
    signed_in: Page, program: Program
) -> None:
    line = Line()
    signed_in.route_web_socket(re.compile("/ws/runs/"), line.connect)
    run = RunPage(signed_in)
    run_id = program.start(two_pauses("Lost socket", first={"signal": True}))
    run.open(run_id)
    expect(run.card("First pause", "waiting")).to_be_visible()

    line.cut()
    expect(signed_in.get_by_text("Connection lost, trying again")).to_be_visible()
    signal(program, run_id, "first")
    program.finished(run_id)
    expect(run.status).to_have_text("Running")
    line.mend()

    run.ends("Succeeded")
    expect(run.events).to_have_count(len(program.events(run_id)))
    sentences = run.events.get_by_role("button").all_inner_texts()
    assert len(set(sentences)) == len(sentences)
    expect(run.card("Second pause", "succeeded")).to_be_visible()


def test_edits_made_offline_are_kept_on_the_device_and_saved_when_back(
    signed_in: Page, program: Program, complaints: Complaints
) -> None:
    complaints.expect("ERR_INTERNET_DISCONNECTED")
    workflow = program.workflow(two_pauses("Offline"))
    editor = Editor(signed_in)
    editor.open(workflow)
    signed_in.context.set_offline(offline=True)
    editor.add("Join")
    expect(editor.saved).to_contain_text("Offline: kept on this device")
    assert not added(program, workflow)

    signed_in.context.set_offline(offline=False)
    editor.is_saved()
    assert {"join"} == added(program, workflow)


def test_edits_made_offline_outlive_their_tab(
    signed_in: Page, program: Program, complaints: Complaints
) -> None:
    complaints.expect("ERR_INTERNET_DISCONNECTED")
    workflow = program.workflow(two_pauses("Closed while offline"))
    context = signed_in.context
    editor = Editor(context.new_page())
    editor.open(workflow)
    context.set_offline(offline=True)
    editor.add("Join")
    expect(editor.saved).to_contain_text("Offline: kept on this device")
    editor.page.close()
    context.set_offline(offline=False)

    again = Editor(signed_in)
    again.open(workflow)
    expect(again.node("Join", "Join")).to_be_visible()
    expect(signed_in.get_by_text("Changes that were kept on this device are back")).to_be_visible()
    again.is_saved()
    assert {"join"} == added(program, workflow)


class Line:
    """A page's line to the server, which can be cut and mended."""

    def __init__(self) -> None:
        self._open: list[WebSocketRoute] = []
        self._is_cut = False

    def connect(self, socket: WebSocketRoute) -> None:
        if self._is_cut:
            socket.close(code=1012)
            return
        socket.connect_to_server()
        self._open.append(socket)

    def cut(self) -> None:
        self._is_cut = True
        for socket in self._open:
            socket.close(code=1012)

    def mend(self) -> None:
        self._is_cut = False


def choose(tabs: Tabs, choice: str) -> None:
    tabs.mine.page.get_by_role("button", name=choice, exact=True).click()
    expect(tabs.mine.page.get_by_role("dialog")).to_have_count(0)


def added(program: Program, workflow: str) -> set[str]:
    """Ids of the nodes that the draft on the server has beyond those it began with."""
    held = program.api.get(f"workflows/{workflow}/").json()["document"]["nodes"]
    return {node["id"] for node in held} - {"start", "first", "second", "end"}


def two_pauses(name: str, *, first: dict[str, object] | None = None) -> dict[str, object]:
    wait = {"kind": "flow.wait", "config": {"seconds": 2}}
    return document(
        name,
        [
            {"id": "start", "kind": "io.input", "label": "Start"},
            {"id": "first", "label": "First pause", **wait, "config": first or wait["config"]},
            {"id": "second", "label": "Second pause", **wait},
            {"id": "end", "kind": "io.output", "label": "End", "config": {"value": "done"}},
        ],
        ["start -> first", "first -> second", "second -> end"],
    )
