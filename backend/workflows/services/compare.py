"""What differs between two documents: by node and edge, and as text."""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from backend.engine.document import json_path
from backend.workflows.services.exchange import write_yaml

#: Longer texts take too long to compare line by line; nodes and edges are compared always.
MAX_TEXT_LINES = 4000
ABSENT = object()
Path = tuple[str | int, ...]


def compare_documents(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """List what was added, removed and changed."""
    old_nodes = {node["id"]: node for node in before.get("nodes", [])}
    new_nodes = {node["id"]: node for node in after.get("nodes", [])}
    old_edges = [(edge["from"], edge["to"]) for edge in before.get("edges", [])]
    new_edges = [(edge["from"], edge["to"]) for edge in after.get("edges", [])]
    return {
        "nodes": {
            "added": [id for id in new_nodes if id not in old_nodes],
            "removed": [id for id in old_nodes if id not in new_nodes],
            "changed": list(_changed_nodes(old_nodes, new_nodes)),
        },
        "edges": {
            "added": _missing_from(old_edges, new_edges),
            "removed": _missing_from(new_edges, old_edges),
        },
        "text": _text_diff(before, after),
    }


def _changed_nodes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for node_id, node in new.items():
        paths = list(_changed_paths(old[node_id], node, ())) if node_id in old else []
        if paths:
            yield {"id": node_id, "paths": [json_path(path) for path in paths]}


def _changed_paths(old: Any, new: Any, path: Path) -> Iterator[Path]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys((*old, *new)):
            yield from _changed_paths(old.get(key, ABSENT), new.get(key, ABSENT), (*path, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from _changed_paths(left, right, (*path, index))
    # 1 and True, and 1 and 1.0, are equal in Python and different in JSON.
    elif type(old) is not type(new) or old != new:
        yield path


def _missing_from(
    some: list[tuple[str, str]], others: list[tuple[str, str]]
) -> list[dict[str, str]]:
    known = set(some)
    return [{"from": pair[0], "to": pair[1]} for pair in others if pair not in known]


def _text_diff(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    left, right = write_yaml(before).splitlines(), write_yaml(after).splitlines()
    if max(len(left), len(right)) > MAX_TEXT_LINES:
        return ""
    return "\n".join(difflib.unified_diff(left, right, "before", "after", lineterm=""))
