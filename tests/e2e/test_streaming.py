"""A model's answer, word by word, from an endpoint connected through the screens."""

from playwright.sync_api import Page, expect

from tests.acceptance.documents import Program, document
from tests.e2e.editor import Editor
from tests.e2e.screens import RunPage
from tests.live_endpoint import LiveEndpoint

ANSWER = (
    "Warp threads stand still while the weft crosses them; a heddle lifts every second one"
    " and so opens the way for all of them at the same time."
)


def test_an_answer_appears_while_it_is_given_and_is_there_once_when_it_is_complete(
    signed_in: Page, program: Program, mock_endpoint: LiveEndpoint
) -> None:
    forget_every_credential(program)
    connect_a_model(signed_in, mock_endpoint)
    mock_endpoint.script([{"text": ANSWER, "ms": 4000}])
    workflow = program.workflow(one_question())
    editor = Editor(signed_in)
    editor.open(workflow)
    editor.run.click()

    run = RunPage(signed_in)
    expect(run.card("Answer", "running")).to_contain_text("Warp threads stand still")
    expect(run.step.get_by_role("paragraph").filter(has_text="Warp threads")).to_be_visible()
    run.ends("Succeeded")
    run.card("Answer", "succeeded").click()
    expect(run.step.get_by_text(ANSWER, exact=True)).to_have_count(1)
    assert run.step.inner_text().count("Warp threads") == 1


def connect_a_model(page: Page, endpoint: LiveEndpoint) -> None:
    page.goto("/credentials")
    expect(page.get_by_role("heading", name="Connect a model")).to_be_visible()
    page.get_by_role("button", name="New credential").click()
    form = page.get_by_role("dialog", name="New credential")
    form.get_by_label("Name").fill("Lab models")
    form.get_by_label("Base address").fill(endpoint.base_url)
    expect(form.get_by_label("Default of this workspace")).to_be_checked()
    form.get_by_role("button", name="Save and test").click()

    test = page.get_by_role("dialog", name="Test of Lab models")
    expect(test).to_contain_text("4 models found")
    test.get_by_role("combobox", name="Default model").click()
    page.get_by_role("option", name="echo").click()
    test.get_by_role("button", name="Use these models").click()
    expect(page.get_by_role("table", name="Credentials")).to_contain_text("echo")


def forget_every_credential(program: Program) -> None:
    for row in program.api.get("credentials/").json()["results"]:
        program.api.delete(f"credentials/{row['id']}/")


def one_question() -> dict[str, object]:
    return document(
        "One question",
        [
            {"id": "start", "kind": "io.input", "label": "Start"},
            {
                "id": "answer",
                "kind": "llm.chat",
                "label": "Answer",
                "config": {"prompt": "What does a heddle do?"},
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
