"""The graphs that are measured, as documents; W1 to W7 are the blueprint's names."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

Node = dict[str, Any]
#: Makes the node that does the work, from its id, its number and its duration in milliseconds.
Kind = Callable[[str, int, float], Node]


def data_set(name: str, number: int, ms: float) -> Node:
    """Inline: it costs no queue hop."""
    del ms
    return {"id": name, "kind": "data.set", "config": {"values": {"n": number}}}


def transform(name: str, number: int, ms: float) -> Node:
    """Code in the sandbox."""
    del ms
    return {"id": name, "kind": "data.transform", "config": {"code": f"{number} + 1"}}


def http_call(endpoint: str) -> Kind:
    """A call that takes its duration."""

    def node(name: str, number: int, ms: float) -> Node:
        del number
        config = {"method": "GET", "url": f"{endpoint}/sleep?ms={ms:.3f}"}
        return {"id": name, "kind": "http.request", "config": config}

    return node


def model_call(name: str, number: int, ms: float) -> Node:
    """A streamed model call that takes its duration."""
    del number
    config = {"model": f"sleep-{ms:.0f}ms", "prompt": "Hello"}
    return {"id": name, "kind": "llm.chat", "config": config}


def document(name: str, nodes: list[Node], edges: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """A document of these nodes."""
    return {
        "schema": "heddle/1",
        "name": name,
        "nodes": nodes,
        "edges": [{"from": source, "to": target} for source, target in edges],
    }


def chain(kind: Kind, count: int) -> dict[str, Any]:
    """W1, and with one node W6: nodes one after another."""
    names = [f"n{number}" for number in range(count)]
    nodes = [kind(name, number, 0) for number, name in enumerate(names)]
    return document(f"Chain of {count}", nodes, pairwise(names))


def fan(kind: Kind, count: int, ms: float = 0) -> dict[str, Any]:
    """W2 and W3: one source, many nodes at once, one join."""
    names = [f"n{number}" for number in range(count)]
    nodes: list[Node] = [
        {"id": "start", "kind": "io.input"},
        *(kind(name, number, ms) for number, name in enumerate(names)),
        {"id": "join", "kind": "flow.join"},
    ]
    edges = [("start", name) for name in names] + [(name, "join") for name in names]
    return document(f"Fan of {count}", nodes, edges)


def seven_levels(kind: Kind, ms: float) -> dict[str, Any]:
    """W5: ten nodes on seven levels."""
    edges = ["ab", "bc", "bd", "be", "cf", "df", "ef", "fg", "fh", "gi", "hi", "ij"]
    nodes = [kind(name, number, ms) for number, name in enumerate("abcdefghij")]
    return document("Ten nodes", nodes, [(edge[0], edge[1]) for edge in edges])


def data_map(count: int) -> dict[str, Any]:
    """W7: a map whose items take two inline steps; its result is the numbers themselves."""
    return _map(
        count,
        {"id": "a", "kind": "data.set", "config": {"values": {"v": "{{ item }}"}}},
        {"id": "b", "kind": "data.set", "config": {"values": {"v": "{{ nodes.a.output.v }}"}}},
        result="{{ nodes.b.output.v }}",
    )


def transform_map(count: int) -> dict[str, Any]:
    """W7: a map whose items take two steps of code; its result is the numbers doubled."""
    return _map(
        count,
        {"id": "a", "kind": "data.transform", "config": {"code": "item + item"}},
        {"id": "b", "kind": "data.transform", "config": {"code": "nodes.a.output + 0"}},
        result="{{ nodes.b.output }}",
    )


def _map(count: int, first: Node, second: Node, *, result: str) -> dict[str, Any]:
    config = {"over": count, "concurrency": 200, "result": result}
    each = {"id": "each", "kind": "flow.map", "config": config}
    inside = [{**node, "parent": "each"} for node in (first, second)]
    return document(f"Map of {count}", [each, *inside], [("a", "b")])
