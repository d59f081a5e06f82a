"""Writes the reference of the kinds of node from their specs.

`python -m backend.nodes.reference` writes it; with `--check` it fails if the page is out of date.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from backend.engine.spec import KindSpec
from backend.nodes.registry import BUILT_IN

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "kinds.md"

FAMILIES = {
    "in_out": "In and out",
    "calls": "Calls",
    "control": "Control",
    "data": "Data",
}

_INTRODUCTION = """\
# Kinds of node

This page is generated from the kinds themselves; change them, then run
`python -m backend.nodes.reference`.

Texts in settings may hold expressions, `{{ inputs.topic }}`, unless the table says that they
are *fixed*. *Python* settings are expressions or code without braces.
Every node also has an `error` port, which is taken when it fails and its policy says `route`.
"""


def page() -> str:
    """Write the whole page."""
    specs = [kind.spec for kind in BUILT_IN]
    parts = [_INTRODUCTION]
    for family, title in FAMILIES.items():
        parts.append(f"## {title}\n")
        parts += [_section(spec) for spec in specs if spec.family == family]
    return "\n".join(parts)


def _section(spec: KindSpec) -> str:
    about = spec.describe()
    lines = [f"### {spec.title} (`{spec.kind}`)\n", f"{spec.summary}\n", *_facts(spec, about)]
    rows = list(_rows(about["config_schema"], spec))
    if rows:
        lines += ["", "| setting | type | default | what it does |", "|---|---|---|---|", *rows]
    return "\n".join([*lines, ""])


def _facts(spec: KindSpec, about: Mapping[str, Any]) -> Iterator[str]:
    yield f"- Output: {spec.output}"
    yield f"- Ports: {_ports(spec)}"
    where = (
        "inside the scheduling pass" if spec.inline else f"on a worker of the lane `{spec.lane}`"
    )
    yield f"- Runs {where}; version {spec.version}"
    effects = {
        "none": "none",
        "paid": "a paid call",
        "outward": "changes something outside",
        "depends": "depends on the settings",
    }
    yield f"- Effects: {effects[about['effects']]}"
    if spec.container is not None:
        how = {"map": "each item", "loop": "each round"}[spec.container]
        later = ", ".join(f"`{name}`" for name in spec.deferred)
        yield f"- Holds nodes, and runs them for {how}; evaluated then, not at its start: {later}"
    if spec.deterministic:
        yield "- The same settings always give the same output"


def _ports(spec: KindSpec) -> str:
    incoming = ", ".join(f"`{port.name}`" for port in spec.in_ports) or "none"
    if spec.dynamic_ports is not None:
        also = f", and the one of `{spec.dynamic_ports.also}`" if spec.dynamic_ports.also else ""
        return f"in {incoming}; out one for each of `{spec.dynamic_ports.field}`{also}"
    outgoing = ", ".join(f"`{port.name}`" for port in spec.out_ports) or "none"
    return f"in {incoming}; out {outgoing}"


def _rows(schema: Mapping[str, Any], spec: KindSpec, prefix: str = "") -> Iterator[str]:
    required = schema.get("required", ())
    for name, part in schema.get("properties", {}).items():
        path = f"{prefix}{name}"
        default = "needed" if name in required else _default(part)
        kind = _type(part, path, spec)
        yield f"| `{path}` | {kind} | {default} | {_cell(part.get('description', ''))} |"
        for between, nested in _nested(part, spec):
            yield from _rows(nested, spec, prefix=f"{path}{between}")


def _nested(part: Mapping[str, Any], spec: KindSpec) -> Iterator[tuple[str, Mapping[str, Any]]]:
    definitions = spec.config_model.model_json_schema().get("$defs", {})
    for choice in (part, *part.get("anyOf", ())):
        for between, holder in ((".", choice), ("[].", choice.get("items", {}))):
            if reference := holder.get("$ref", ""):
                yield between, definitions[reference.rpartition("/")[2]]


def _type(part: Mapping[str, Any], path: str, spec: KindSpec) -> str:
    if path in {*spec.bare.code, *spec.bare.expressions}:
        return "Python"
    choices = [choice for choice in part.get("anyOf", [part]) if choice.get("type") != "null"]
    names = [
        " or ".join(f"`{value}`" for value in choice["enum"])
        if "enum" in choice
        else f"`{choice['const']}`"
        if "const" in choice
        else {"string": "text", "object": "object", "array": "list", "boolean": "yes or no"}.get(
            choice.get("type", "object" if "$ref" in choice else ""),
            choice.get("type", "any value"),
        )
        for choice in choices
    ]
    fixed = ", fixed" if part.get("x-heddle", {}).get("fixed") else ""
    return " or ".join(names) + fixed


def _default(part: Mapping[str, Any]) -> str:
    default = part.get("default")
    if default is None or default in ({}, []):
        return ""
    return f"`{json.dumps(default, ensure_ascii=False)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    """Write the page, or check that it is up to date."""
    parser = argparse.ArgumentParser(description="Write the reference of the kinds of node.")
    parser.add_argument("--check", action="store_true", help="fail if the page is out of date")
    check: bool = parser.parse_args().check
    if not check:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(page(), encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
        sys.exit(f"{PAGE.name} is out of date: run python -m backend.nodes.reference")


if __name__ == "__main__":
    main()
