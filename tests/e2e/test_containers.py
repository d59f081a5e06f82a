"""A map drawn by hand, run, and looked into item by item."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.acceptance.documents import Program, document
from tests.e2e.editor import Editor
from tests.e2e.screens import RunPage


def test_a_map_is_drawn_with_two_nodes_inside_and_shows_how_its_items_go(
    signed_in: Page, program: Program
) -> None:
    editor = Editor(signed_in)
    editor.open(program.workflow(a_start_and_an_end()))
    draw_a_map(editor)
    an_edge_across_the_border_is_refused(editor)
    fill_in(editor)
    editor.is_saved()
    editor.run.click()

    run = RunPage(signed_in)
    expect(run.graph.get_by_text(re.compile(r"^[1-5] of 6$"))).to_be_visible()
    run.ends("Succeeded")
    run.card("Map", "succeeded").click(position={"x": 60, "y": 18})
    items = run.step.get_by_role("table", name="Items")
    expect(items.get_by_role("row")).to_have_count(7)
    items.get_by_role("button", name="Open item 4").click()

    crumbs = signed_in.get_by_role("navigation", name="Opened item")
    expect(crumbs).to_contain_text("Map [4]")
    run.card("Text", "succeeded").click()
    expect(run.step).to_contain_text("item 4")
    crumbs.get_by_role("button", name="All items").click()
    expect(run.graph.get_by_text("6 done").first).to_be_visible()


def test_a_node_is_dropped_into_a_container_and_deleted_with_it(
    signed_in: Page, program: Program
) -> None:
    editor = Editor(signed_in)
    editor.open(program.workflow(a_start_and_an_end()))
    editor.drag_in("Map", at=(0.75, 0.3))
    box = editor.node("Map", "Map").bounding_box()
    canvas = editor.graph.bounding_box()
    assert box, "the map is on the canvas"
    assert canvas, "the canvas is on the screen"
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.7)
    share = (
        (middle[0] - canvas["x"]) / canvas["width"],
        (middle[1] - canvas["y"]) / canvas["height"],
    )
    editor.drag_in("Wait", at=share)
    expect(editor.graph.get_by_text("Drop nodes in here")).to_have_count(0)

    editor.node("Map", "Map").click(position={"x": 60, "y": 18})
    signed_in.keyboard.press("Delete")
    expect(editor.node("Wait", "Wait")).to_have_count(0)
    editor.undo.click()
    expect(editor.node("Wait", "Wait")).to_be_visible()


def a_start_and_an_end() -> dict[str, object]:
    nodes: list[dict[str, Any]] = [
        {"id": "start", "kind": "io.input", "label": "Start"},
        {"id": "end", "kind": "io.output", "label": "End", "config": {"value": "done"}},
    ]
    places = {"start": {"x": 0, "y": 0}, "end": {"x": 0, "y": 360}}
    return {**document("Each of six", nodes, []), "ui": {"nodes": places}}


def draw_a_map(editor: Editor) -> None:
    editor.node("Start", "Input").click()
    editor.add("Map")
    for kind in ("Wait", "Text"):
        editor.node("Map", "Map").click(position={"x": 60, "y": 18})
        editor.add(kind)
    editor.draw_edge("Wait", "Text")
    expect(editor.edges).to_have_count(2)


def an_edge_across_the_border_is_refused(editor: Editor) -> None:
    editor.draw_edge("Text", "End")
    expect(editor.page.get_by_role("alert")).to_contain_text("cannot cross the border")
    expect(editor.edges).to_have_count(2)


def fill_in(editor: Editor) -> None:
    editor.node("Map", "Map").click(position={"x": 60, "y": 18})
    write(editor, "Map", "Go over", "6")
    editor.node("Wait", "Wait").click()
    editor.inspector("Wait").get_by_role("textbox", name="Seconds").fill("{{ item * 2 }}")
    editor.node("Text", "Text").click()
    write(editor, "Text", "Text", "item {{ item }}")


def write(editor: Editor, node: str, field: str, text: str) -> None:
    editor.inspector(node).get_by_role("textbox", name=field).click()
    editor.page.keyboard.insert_text(text)
