"""A workflow drawn from nothing with the mouse, run, and found again."""

import re

from playwright.sync_api import Page, expect

from tests.acceptance.documents import Program, document
from tests.e2e.editor import Editor
from tests.e2e.screens import RunPage, Workflows


def test_a_workflow_drawn_by_mouse_runs_its_branches_at_the_same_time(signed_in: Page) -> None:
    editor = an_empty_canvas(signed_in)
    draw_two_waits_that_join(editor)
    an_edge_that_closes_a_circle_is_refused(editor)

    for name in ("Wait", "Wait 2"):
        editor.node(name, "Wait").click()
        editor.inspector(name).get_by_role("textbox", name="Seconds").fill("2")
    complete_the_value_of_the_output(editor)
    editor.is_saved()
    editor.run.click()

    run = RunPage(signed_in)
    # One locator for both: they wait in the same moment, not one after the other.
    expect(run.graph.get_by_label(re.compile(r"^Wait( 2)?, waiting$"))).to_have_count(2)
    expect(run.card("Join", "pending")).to_be_visible()
    run.ends("Succeeded")
    expect(run.step.get_by_role("heading", name="Output")).to_be_visible()


def test_undo_and_redo_bring_a_deleted_node_back_and_a_reload_keeps_the_draft(
    signed_in: Page,
) -> None:
    editor = an_empty_canvas(signed_in)
    draw_two_waits_that_join(editor)
    expect(editor.edges).to_have_count(5)

    editor.node("Wait", "Wait").click()
    signed_in.keyboard.press("Delete")
    expect(editor.node("Wait", "Wait")).to_have_count(0)
    expect(editor.edges).to_have_count(3)
    editor.undo.click()
    expect(editor.node("Wait", "Wait")).to_be_visible()
    expect(editor.edges).to_have_count(5)
    editor.redo.click()
    expect(editor.node("Wait", "Wait")).to_have_count(0)
    signed_in.keyboard.press("Control+z")
    expect(editor.node("Wait", "Wait")).to_be_visible()

    editor.is_saved()
    signed_in.reload()
    expect(editor.edges).to_have_count(5)
    for name, kind in (("Input", "Input"), ("Wait", "Wait"), ("Wait 2", "Wait"), ("Join", "Join")):
        expect(editor.node(name, kind)).to_be_visible()


def test_adding_to_a_workflow_that_was_never_laid_out_moves_nothing(
    signed_in: Page, program: Program
) -> None:
    editor = Editor(signed_in)
    editor.open(program.workflow(a_workflow_without_places()))
    cards = [editor.node(name, kind) for name, kind in (("Start", "Input"), ("End", "Output"))]
    before = [card.bounding_box() for card in cards]
    editor.add("Join")
    expect(editor.node("Join", "Join")).to_be_visible()
    assert [card.bounding_box() for card in cards] == before
    editor.undo.click()
    expect(editor.node("Join", "Join")).to_have_count(0)
    assert [card.bounding_box() for card in cards] == before


def a_workflow_without_places() -> dict[str, object]:
    return document(
        "Never laid out",
        [
            {"id": "start", "kind": "io.input", "label": "Start"},
            {"id": "end", "kind": "io.output", "label": "End", "config": {"value": "done"}},
        ],
        ["start -> end"],
    )


def an_empty_canvas(page: Page) -> Editor:
    """A new workflow without the two nodes that it starts with."""
    Workflows(page).open()
    page.get_by_role("button", name="New workflow").click()
    editor = Editor(page)
    expect(editor.node("Start", "Input")).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    expect(page.get_by_role("heading", name="Nothing here yet")).to_be_visible()
    return editor


def draw_two_waits_that_join(editor: Editor) -> None:
    for kind, x, y in (
        ("Input", 0.5, 0.15),
        ("Wait", 0.25, 0.35),
        ("Wait", 0.75, 0.35),
        ("Join", 0.5, 0.55),
        ("Output", 0.5, 0.75),
    ):
        editor.drag_in(kind, at=(x, y))
    for source, target in (
        ("Input", "Wait"),
        ("Input", "Wait 2"),
        ("Wait", "Join"),
        ("Wait 2", "Join"),
        ("Join", "Output"),
    ):
        editor.draw_edge(source, target)
    expect(editor.edges).to_have_count(5)


def an_edge_that_closes_a_circle_is_refused(editor: Editor) -> None:
    editor.draw_edge("Join", "Wait")
    expect(editor.page.get_by_role("alert")).to_contain_text(
        "Wait already comes before Join: this edge would close a circle."
    )
    expect(editor.edges).to_have_count(5)


def complete_the_value_of_the_output(editor: Editor) -> None:
    """Write an expression of which the editor offers what comes before the node."""
    editor.node("Output", "Output").click()
    value = editor.inspector("Output").get_by_role("textbox", name="Value")
    value.click()
    editor.page.keyboard.type("{{ nodes.")
    offered = editor.page.get_by_role("listbox", name="Completions").get_by_role("option")
    expect(offered).to_contain_text(["join.output", "wait_2.output", "wait.output"])
    offered.filter(has_text="join.output").click()
    expect(value).to_contain_text("{{ nodes.join.output")
