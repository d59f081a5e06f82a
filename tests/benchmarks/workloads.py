"""The graphs that are measured. Names follow the blueprint's W1 to W6."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

Node = dict[str, Any]
#: Makes the node that does the work, from its id and its duration in milliseconds.
Kind = Callable[[str, int], Node]


def data_set(name: str, ms: int) -> Node:
    """Inline: it costs no queue hop."""
    del ms
    return {"id": name, "kind": "data.set", "config": {"values": {"id": name}}}


def transform(name: str, ms: int) -> Node:
    """Code in the sandbox."""
    del ms
    return {"id": name, "kind": "data.transform", "config": {"code": "1 + 1"}}


def http_call(endpoint: str) -> Kind:
    """A call of the mock endpoint that takes its duration."""
    return lambda name, ms: {
        "id": name,
        "kind": "http.request",
        "config": {"method": "GET", "url": f"{endpoint}/sleep?ms={ms}"},
    }


def model_call(name: str, ms: int) -> Node:
    """A streamed model call that takes its duration."""
    config = {"model": f"sleep-{ms}ms", "prompt": "Hello"}
    return {"id": name, "kind": "llm.chat", "config": config}


def document(name: str, nodes: list[Node], edges: list[tuple[str, str]]) -> dict[str, Any]:
    """A document of these nodes."""
    return {
        "schema": "heddle/1",
        "name": name,
        "nodes": nodes,
        "edges": [{"from": source, "to": target} for source, target in edges],
    }


def chain(kind: Kind, count: int) -> dict[str, Any]:
    """W1: nodes one after another."""
    names = [f"n{i}" for i in range(count)]
    edges = list(pairwise(names))
    return document(f"Chain of {count}", [kind(name, 0) for name in names], edges)


def fan(kind: Kind, count: int, ms: int = 0) -> dict[str, Any]:
    """W2 and W3: one source, many nodes at once, one join."""
    names = [f"n{i}" for i in range(count)]
    nodes: list[Node] = [
        {"id": "start", "kind": "io.input"},
        *(kind(name, ms) for name in names),
        {"id": "join", "kind": "flow.join"},
    ]
    edges = [("start", name) for name in names] + [(name, "join") for name in names]
    return document(f"Fan of {count}", nodes, edges)


def seven_levels(kind: Kind, ms: int) -> dict[str, Any]:
    """W5: ten nodes on seven levels."""
    edges = ["ab", "bc", "bd", "be", "cf", "df", "ef", "fg", "fh", "gi", "hi", "ij"]
    return document(
        "Ten nodes",
        [kind(name, ms) for name in "abcdefghij"],
        [(edge[0], edge[1]) for edge in edges],
    )


def two_waits(seconds: float) -> dict[str, Any]:
    """Two branches that wait, and a join."""
    waits = [
        {"id": name, "kind": "flow.wait", "config": {"seconds": seconds}} for name in ("a", "b")
    ]
    ends: list[Node] = [{"id": "start", "kind": "io.input"}, {"id": "join", "kind": "flow.join"}]
    edges = [("start", "a"), ("start", "b"), ("a", "join"), ("b", "join")]
    return document("Two waits", [*ends, *waits], edges)


@dataclass(frozen=True, kw_only=True)
class Workload:
    """One line of the table. `at_once` runs start together; `reach` is the figure to reach."""

    name: str
    document: dict[str, Any]
    at_once: int = 1
    reach_s: float | None = None


def workloads(endpoint: str) -> list[Workload]:
    """Everything that is measured, against a mock endpoint at this address."""
    call = http_call(endpoint)
    return [
        Workload(name="two waits of 2 s, join", document=two_waits(2), reach_s=3),
        Workload(name="W1 chain of 100 data.set", document=chain(data_set, 100), reach_s=1),
        Workload(name="W1 chain of 100 data.transform", document=chain(transform, 100)),
        Workload(name="W1 chain of 100 http.request", document=chain(call, 100)),
        Workload(name="W2 fan of 500 data.set", document=fan(data_set, 500)),
        Workload(name="W2 fan of 500 data.transform", document=fan(transform, 500)),
        Workload(name="W3 100 http.request of 1 s", document=fan(call, 100, 1000)),
        Workload(name="W3 100 llm.chat of 1 s", document=fan(model_call, 100, 1000), reach_s=3),
        Workload(name="W3 500 llm.chat of 1 s", document=fan(model_call, 500, 1000)),
        Workload(
            name="W5 100 runs of ten 50 ms calls", document=seven_levels(call, 50), at_once=100
        ),
        Workload(name="W6 one node, request to result", document=chain(data_set, 1)),
    ]
