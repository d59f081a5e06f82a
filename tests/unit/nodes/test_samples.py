from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from backend.engine.document import Document, Facts, parse_document
from backend.engine.validate import validate
from backend.nodes.registry import SPECS
from backend.providers.egress import close_clients
from tests.mock_endpoint import running
from tests.unit.nodes.context import StepContext, model_endpoint
from tests.unit.nodes.sample_runner import SampleRunner
from workers.sandbox.evaluator import Evaluator

SAMPLES = sorted((Path(__file__).parents[3] / "gallery" / "samples").glob("*.yaml"))


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    with Evaluator() as evaluator:
        yield evaluator


def load(name: str) -> Document:
    [path] = [path for path in SAMPLES if path.stem == name]
    return parse_document(YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8")))


def defaults(document: Document) -> dict[str, Any]:
    return {name: part["default"] for name, part in document.inputs["properties"].items()}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_is_valid_and_every_node_has_a_label_and_a_place(path: Path) -> None:
    document = load(path.stem)

    issues = validate(document, SPECS, Facts())

    assert [i for i in issues if not i.code.startswith(("credential", "model"))] == []
    assert all(node.label for node in document.nodes)
    assert set(document.ui["nodes"]) == {node.id for node in document.nodes}


async def test_the_text_report_measures_the_bundled_text(evaluator: Evaluator) -> None:
    document = load("text_report")
    runner = SampleRunner(document, StepContext(evaluator=evaluator), evaluator)

    outputs = await runner.run(defaults(document))

    report = outputs["report"]
    assert report.startswith("# Text report\n")
    assert "| paragraphs | 3 |" in report
    assert "- city (2)" in report
    assert report.count("\n1. ") == 3


async def test_two_views_asks_both_sides_and_then_for_a_synthesis(evaluator: Evaluator) -> None:
    document = load("two_views")
    async with running() as endpoint:
        context = StepContext(
            evaluator=evaluator, credentials={"default": model_endpoint(endpoint.base_url)}
        )

        outputs = await SampleRunner(document, context, evaluator).run({"topic": "tea"})

        assert "Argue in favour: tea" in outputs["recommendation"]
        assert "Argue against: tea" in outputs["recommendation"]
        await close_clients()


async def test_an_address_that_fails_raises_the_alarm(evaluator: Evaluator) -> None:
    document = load("address_status")
    async with running() as server:
        context = StepContext(evaluator=evaluator)
        addresses = {
            "first": f"{server.url}/status/200",
            "second": f"{server.url}/status/503",
            "third": "http://127.0.0.1:1/",
        }

        outputs = await SampleRunner(document, context, evaluator).run(addresses)

        assert outputs["report"].startswith("# 2 of 3 addresses do not answer")
        assert f"| {server.url}/status/200 | up | status 200 |" in outputs["report"]
        assert "answered 503" in outputs["report"]
        await close_clients()


async def test_all_is_well_when_every_address_answers(evaluator: Evaluator) -> None:
    document = load("address_status")
    async with running() as server:
        address = f"{server.url}/status/200"
        runner = SampleRunner(document, StepContext(evaluator=evaluator), evaluator)

        outputs = await runner.run({"first": address, "second": address, "third": address})

        assert outputs["report"].startswith("# All 3 addresses answer")
        await close_clients()
