import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backend.engine.spec import Effects
from backend.nodes import data_set, reference, registry
from backend.nodes.base import Kind, NodeError, Outcome, WaitUntil
from backend.nodes.registry import KINDS, SPECS
from tests.unit.nodes.context import StepContext
from workers.sandbox.evaluator import Evaluator

WIDGETS = {
    "template",
    "text",
    "expression",
    "code",
    "model",
    "credential",
    "key-values",
    "json",
    "schema",
    "messages",
    "cases",
    "select",
    "number",
    "switch",
}


async def wait(config: dict[str, Any]) -> datetime:
    kind = KINDS["flow.wait"]
    assert kind.run is not None
    outcome = await kind.run(StepContext(), kind.spec.load_config(config), {})
    assert isinstance(outcome, WaitUntil)
    return outcome.at


async def test_wait_counts_seconds_from_now() -> None:
    assert await wait({"seconds": 90}) == StepContext.now + timedelta(seconds=90)


async def test_wait_goes_on_at_a_time_with_its_zone_and_at_once_if_it_has_passed() -> None:
    assert await wait({"until": "2026-02-01T00:00:00+01:00"}) == datetime(
        2026, 1, 31, 23, tzinfo=UTC
    )
    assert await wait({"until": "2020-01-01T00:00:00Z"}) == StepContext.now


async def test_transform_runs_its_code_with_the_steps_names() -> None:
    kind = KINDS["data.transform"]
    assert kind.run is not None
    with Evaluator() as evaluator:
        context = StepContext(evaluator=evaluator, scope={"inputs": {"n": 2}, "nodes": {}})

        outcome = await kind.run(context, kind.spec.load_config({"code": "inputs.n * 21"}), {})
        with pytest.raises(NodeError, match="Line 1: ZeroDivisionError"):
            await kind.run(context, kind.spec.load_config({"code": "1 / 0"}), {})

    assert isinstance(outcome, Outcome)
    assert outcome.output == 42


@pytest.mark.parametrize(
    ("kind", "config", "paths"),
    [
        ("flow.wait", {}, [""]),
        ("flow.wait", {"seconds": 1, "until": "2026-01-01T00:00:00Z"}, [""]),
        ("flow.wait", {"seconds": -1}, ["seconds"]),
        ("flow.wait", {"until": "2026-01-01T00:00:00"}, ["until"]),
        ("flow.wait", {"seconds": "{{ inputs.n }}"}, []),
        ("flow.wait", {"signal": "x"}, ["signal"]),
        ("llm.chat", {}, [""]),
        ("llm.chat", {"prompt": "a", "messages": [{"content": "b"}]}, [""]),
        ("llm.chat", {"prompt": "", "params": 3}, ["params", ""]),
        ("llm.chat", {"prompt": "a", "params": {"stream": False}}, ["params"]),
        ("llm.chat", {"prompt": "a", "params": "{{ inputs.params }}"}, []),
        ("llm.chat", {"prompt": "{{ 1 + }}"}, ["prompt"]),
        ("llm.chat", {"prompt": "a", "credential": "{{ inputs.c }}"}, ["credential"]),
        ("http.request", {"url": "{{ inputs.u }}", "timeout_s": "{{ inputs.t }}"}, []),
        ("http.request", {"url": "u", "method": "{{ inputs.m }}"}, ["method"]),
        ("http.request", {"url": "u", "method": "FETCH"}, ["method"]),
        ("http.request", {"url": ["not", "text"]}, ["url"]),
        ("flow.branch", {"cases": [{"port": "{{ inputs.p }}", "when": "1"}]}, ["cases[0].port"]),
        ("flow.branch", {"cases": [{"port": "p", "when": "1 +"}]}, ["cases[0].when"]),
        ("flow.branch", {"cases": [{"port": "p", "when": True}]}, ["cases[0].when"]),
        ("flow.join", {"mode": "n", "n": "{{ inputs.n }}"}, ["n"]),
        ("data.transform", {"code": ""}, ["code", "code"]),
        ("data.transform", {"code": "def f(:"}, ["code"]),
        ("data.set", {"values": "{{ inputs }}"}, []),
        ("io.output", {"value": "x", "name": "{{ inputs.n }}"}, ["name"]),
    ],
)
def test_every_problem_with_settings_is_listed_with_its_place(
    kind: str, config: dict[str, Any], paths: list[str]
) -> None:
    problems = SPECS[kind].check_config(config)

    assert sorted(p.path for p in problems) == sorted(paths)
    assert all(p.message.endswith((".", "!", "?")) for p in problems)


def test_only_calls_that_read_are_free_of_effects() -> None:
    spec = SPECS["http.request"]

    assert [spec.effects_of({"method": m}) for m in ("GET", "HEAD", "OPTIONS", "POST", "x")] == [
        Effects.NONE,
        Effects.NONE,
        Effects.OUTWARD,
        Effects.OUTWARD,
        Effects.OUTWARD,
    ]
    assert spec.effects_of({}) == Effects.NONE
    assert SPECS["llm.chat"].effects_of({}) == Effects.PAID


@pytest.mark.parametrize(
    ("config", "ports"),
    [
        ({"cases": [{"port": "a"}, {"port": "b"}]}, ("a", "b", "else")),
        ({"cases": [{"port": "a"}], "default": None}, ("a",)),
        ({"cases": [{"port": "a"}, {"port": "a"}], "default": "a"}, ("a",)),
        ({"cases": "rubbish", "default": 5}, ()),
        ({"cases": [1, {}, {"port": 2}]}, ("else",)),
        ({}, ("else",)),
    ],
)
def test_the_ports_of_a_branch_follow_its_settings_whatever_they_are(
    config: dict[str, Any], ports: tuple[str, ...]
) -> None:
    assert SPECS["flow.branch"].out_ports_of(config) == ports


@pytest.mark.parametrize("spec", SPECS.values(), ids=lambda spec: spec.kind)
def test_every_kind_describes_itself_for_the_editor(spec: Any) -> None:
    about = spec.describe()

    json.dumps(about, allow_nan=False)
    assert all((about["title"], about["summary"], about["icon"], about["output"]))
    assert about["family"] in reference.FAMILIES
    properties = about["config_schema"].get("properties", {})
    assert about["ui"]["order"] == list(properties)
    for part in properties.values():
        assert part["title"]
        assert part["description"]
        assert part["x-heddle"]["widget"] in WIDGETS


def test_the_reference_is_up_to_date() -> None:
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page()


def test_packages_may_offer_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = Kind(spec=_renamed("team.note"), evaluate=data_set.evaluate)
    _offer(monkeypatch, offered)

    assert registry.load_kinds()["team.note"] is offered


@pytest.mark.parametrize("offered", ["no kind", data_set.KIND])
def test_a_kind_that_cannot_be_used_names_its_package(
    monkeypatch: pytest.MonkeyPatch, offered: Any
) -> None:
    _offer(monkeypatch, offered)

    with pytest.raises(registry.KindInvalid, match="team_package"):
        registry.load_kinds()


def test_a_kind_is_either_inline_or_runs() -> None:
    with pytest.raises(ValueError, match="inline kind"):
        Kind(spec=data_set.KIND.spec)


def _renamed(kind: str) -> Any:
    spec = data_set.KIND.spec
    return type(spec)(**{**vars(spec), "kind": kind})


def _offer(monkeypatch: pytest.MonkeyPatch, offered: Any) -> None:
    def entry_points(*, group: str) -> list[_Point]:
        assert group == "heddle.nodes"
        return [_Point(offered)]

    monkeypatch.setattr(registry, "entry_points", entry_points)


class _Point:
    name = "note"
    value = "team_package:KIND"

    def __init__(self, offered: Any) -> None:
        self._offered = offered

    def load(self) -> Any:
        return self._offered
