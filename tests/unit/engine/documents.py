"""Builds documents for tests from few words."""

from collections.abc import Sequence
from typing import Any

from backend.engine.compile import compile_plan
from backend.engine.document import Document, Facts, Issue, parse_document
from backend.engine.limits import DEFAULT_LIMITS, Limits
from backend.engine.plan import Plan
from backend.engine.validate import validate
from backend.nodes.registry import KINDS

SPECS = {name: kind.spec for name, kind in KINDS.items()}


def node(name: str, kind: str = "data.set", config: Any = None, **fields: Any) -> dict[str, Any]:
    return {"id": name, "kind": kind, "config": config or {}, **fields}


def read(name: str, expression: str, **fields: Any) -> dict[str, Any]:
    return node(name, "data.template", {"text": f"{{{{ {expression} }}}}"}, **fields)


def each(name: str, over: Any = 3, *, parent: str | None = None, **config: Any) -> dict[str, Any]:
    return node(name, "flow.map", {"over": over, **config}, parent=parent)


def loop(name: str, *, parent: str | None = None, **config: Any) -> dict[str, Any]:
    # `while` is a keyword, so a test writes `while_`.
    named = {key.rstrip("_"): value for key, value in config.items()}
    return node(name, "flow.loop", named or {"times": 3}, parent=parent)


def document(nodes: Sequence[dict[str, Any]], edges: Sequence[str] = (), **more: Any) -> Document:
    pairs = [edge.split(" -> ") for edge in edges]
    return parse_document(
        {
            "schema": "heddle/1",
            "name": "Test",
            "nodes": list(nodes),
            "edges": [{"from": a, "to": b} for a, b in pairs],
            **more,
        }
    )


def check(
    nodes: Sequence[dict[str, Any]],
    edges: Sequence[str] = (),
    *,
    facts: Facts | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> list[Issue]:
    return validate(document(nodes, edges), SPECS, facts, limits)


def compiled(nodes: Sequence[dict[str, Any]], edges: Sequence[str] = ()) -> Plan:
    return compile_plan(document(nodes, edges), SPECS)


def codes(issues: Sequence[Issue]) -> list[tuple[str, str | None]]:
    return [(issue.code, issue.node_id) for issue in issues]
