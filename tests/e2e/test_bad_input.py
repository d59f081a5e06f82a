"""What is wrong with a document, a file or a run is said in words, at its spot."""

import json
import re

from playwright.sync_api import Page, expect

from tests.acceptance.documents import Program, document, http
from tests.e2e.complaints import Complaints
from tests.e2e.editor import Editor
from tests.e2e.screens import RunPage, Workflows
from tests.live_endpoint import LiveEndpoint


def test_a_document_with_mistakes_opens_with_its_issues_and_does_not_run(
    signed_in: Page, complaints: Complaints
) -> None:
    complaints.expect("status of 400")
    page = signed_in
    workflows = Workflows(page)
    workflows.open()
    workflows.import_document(full_of_mistakes())
    imported = page.get_by_role("dialog", name="Imported as Full of mistakes")
    expect(imported).to_contain_text("Before it can run, this needs you:")
    imported.get_by_role("button", name="Open in the editor").click()

    editor = Editor(page)
    for name in ("Wand", "Hen", "Egg", "Reader"):
        expect(editor.graph.get_by_role("button", name=f"error at {name}")).to_be_visible()
    jump_to(editor, "magic.wand", "Wand")
    expect(editor.inspector("Wand")).to_contain_text("does not know the kind")
    jump_to(editor, "missing", "Reader")
    expect(editor.inspector("Reader").get_by_role("textbox", name="Text")).to_be_focused()
    jump_to(editor, "wait for each other", "Hen")

    editor.run.click()
    expect(page.get_by_role("alert").filter(has_text="The run did not start")).to_be_visible()


def jump_to(editor: Editor, words: str, node: str) -> None:
    """Press an issue in the list; its node is chosen, and seen."""
    editor.page.get_by_role("banner").get_by_role("button", name="issues").click()
    issues = editor.page.get_by_role("list", name="Issues").get_by_role("button")
    issues.filter(has_text=words).first.click()
    expect(editor.inspector(node)).to_be_visible()
    expect(editor.graph.get_by_label(re.compile(rf"^{node}, (?!port)"))).to_be_in_viewport()


def test_a_file_that_is_no_workflow_is_refused_in_words(
    signed_in: Page, complaints: Complaints
) -> None:
    complaints.expect("status of 400")
    workflows = Workflows(signed_in)
    dialog = signed_in.get_by_role("dialog", name="Import a workflow")
    workflows.open()
    workflows.import_file("broken.yaml", "nodes: [start, {")
    expect(dialog.get_by_role("alert")).to_contain_text("YAML")
    dialog.get_by_role("button", name="Cancel").click()
    workflows.import_file("large.json", json.dumps({"name": "x" * 10_000_000}))
    expect(dialog).to_contain_text("This is larger than 2 MB")
    dialog.get_by_role("button", name="Cancel").click()
    expect(workflows.link("broken")).to_have_count(0)


def test_a_failed_run_says_what_failed_and_marks_the_node(
    signed_in: Page, program: Program, mock_endpoint: LiveEndpoint
) -> None:
    run = RunPage(signed_in)
    run.open(program.start(one_failing_call(f"{mock_endpoint.url}/status/404")))
    run.ends("Failed")
    expect(run.card("Broken call", "failed")).to_be_visible()
    alert = run.step.get_by_role("alert")
    expect(alert).to_contain_text("404")
    expect(alert).to_contain_text(f"127.0.0.1:{mock_endpoint.port}")
    expect(run.events.filter(has_text="Broken call: ")).to_have_count(1)
    expect(run.card("End", "cancelled")).to_be_visible()


def one_failing_call(url: str) -> dict[str, object]:
    return document(
        "One call fails",
        [
            {"id": "start", "kind": "io.input", "label": "Start"},
            http("call", url, label="Broken call"),
            {"id": "end", "kind": "io.output", "label": "End", "config": {"value": "done"}},
        ],
        ["start -> call", "call -> end"],
    )


def full_of_mistakes() -> dict[str, object]:
    text = {"kind": "data.template", "config": {"text": "a text"}}
    return document(
        "Full of mistakes",
        [
            {"id": "start", "kind": "io.input", "label": "Start"},
            {"id": "wand", "kind": "magic.wand", "label": "Wand"},
            {"id": "hen", "label": "Hen", **text},
            {"id": "egg", "label": "Egg", **text},
            {
                "id": "reader",
                "kind": "data.template",
                "label": "Reader",
                "config": {"text": "{{ nodes.missing.output }}"},
            },
        ],
        ["start -> wand", "start -> hen", "hen -> egg", "egg -> hen", "start -> reader"],
    )
