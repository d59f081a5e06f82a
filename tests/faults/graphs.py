"""Graphs that load the engine. Every maker is listed in MAKERS: new kinds of flow go there."""

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from tests.acceptance.documents import document

Node = dict[str, Any]
Document = dict[str, Any]
#: Makes a document; the address is that of the effect recorder.
Maker = Callable[[random.Random, str], Document]

CALL_MS = (0, 20, 60, 150)


def call(name: str, url: str, page: str, *, path: str = "", **policy: Any) -> Node:
    """A node that reads a page of the recorder; the page knows whose call it is."""
    mark = "&" if "?" in page else "?"
    return {
        "id": name,
        "kind": "http.request",
        "config": {"url": f"{url}/{page}{mark}run={{{{ run.id }}}}&path={path or name}"},
        **({"policy": policy} if policy else {}),
    }


def effect(name: str, url: str, ms: int = 0, *, path: str = "") -> Node:
    """A node that changes something outside."""
    node = call(name, url, f"effect?ms={ms}", path=path)
    node["config"]["method"] = "POST"
    return node


def sleep(path: str, url: str, ms: int) -> Node:
    """A node that takes a while and changes nothing."""
    return call(path, url, f"sleep?ms={ms}")


def gate(path: str, url: str, name: str) -> Node:
    """A node that ends when the test opens a gate."""
    return call(path, url, f"gate/{name}")


def join(path: str, mode: str = "all", **config: Any) -> Node:
    """A join."""
    return {"id": path, "kind": "flow.join", "config": {"mode": mode, **config}}


def values(path: str, **named: Any) -> Node:
    """A node that is computed in passing."""
    return {"id": path, "kind": "data.set", "config": {"values": named}}


def output(path: str, value: Any) -> Node:
    """What the run gives."""
    return {"id": path, "kind": "io.output", "config": {"value": value}}


def line(name: str, nodes: list[Node]) -> Document:
    """Nodes in a row."""
    ids = [node["id"] for node in nodes]
    return document(name, nodes, [f"{a} -> {b}" for a, b in pairwise(ids)])


def spread(name: str, nodes: list[Node], closing: Node) -> Document:
    """Nodes side by side, between a start and a closing node."""
    ids = [node["id"] for node in nodes]
    return document(
        name,
        [{"id": "start", "kind": "io.input"}, *nodes, closing],
        [*(f"start -> {i}" for i in ids), *(f"{i} -> {closing['id']}" for i in ids)],
    )


def chain(dice: random.Random, url: str) -> Document:
    """Computed, called and outward steps in a row, so that effects follow what runs ahead."""
    nodes: list[Node] = []
    for number in range(dice.randrange(4, 12)):
        path = f"c{number}"
        transform = {"code": f"{number} * 2"}
        nodes.append(
            dice.choice(
                [
                    values(path, number=number),
                    {"id": path, "kind": "data.transform", "config": transform},
                    sleep(path, url, dice.choice(CALL_MS)),
                    effect(path, url, dice.choice(CALL_MS)),
                ]
            )
        )
    return line("A chain", nodes)


def fan(dice: random.Random, url: str) -> Document:
    """Calls side by side, all of which are waited for."""
    width = dice.randrange(3, 16)
    calls = [sleep(f"n{i}", url, dice.choice(CALL_MS)) for i in range(width)]
    return spread("A fan", calls, join("closing"))


def race(dice: random.Random, url: str) -> Document:
    """Calls side by side, some of which are enough; the rest goes on, or is cancelled."""
    calls = [sleep(f"n{i}", url, dice.choice([20, 60, 150, 400])) for i in range(6)]
    mode = dice.choice(["any", "first", "n"])
    graph = spread("A race", calls, join("closing", mode, **({"n": 3} if mode == "n" else {})))
    graph["nodes"].append(effect("after", url))
    graph["edges"].append({"from": "closing", "to": "after"})
    return graph


def branching(dice: random.Random, url: str) -> Document:
    """Ways of which one is taken; the other is skipped up to where they meet."""
    cases = [{"port": "high", "when": f"{dice.randrange(10)} > 4"}]
    nodes = [
        values("first", number=dice.randrange(10)),
        {"id": "way", "kind": "flow.branch", "config": {"cases": cases, "default": "low"}},
        effect("up", url, dice.choice(CALL_MS)),
        sleep("down", url, dice.choice(CALL_MS)),
        join("meet"),
        effect("closing", url),
    ]
    edges = ["first -> way", "way:high -> up", "way:low -> down", "up -> meet", "down -> meet"]
    return document("Ways", nodes, [*edges, "meet -> closing"])


def retrying(dice: random.Random, url: str) -> Document:
    """A call that is refused at first, and one whose refusal is routed on as a value."""
    retry = {"max_attempts": 4, "initial_s": 0.1, "max_s": 0.3}
    times = dice.randrange(1, 3)
    nodes = [
        values("first"),
        call("flaky", url, f"flaky?times={times}", retry=retry),
        call("refused", url, "flaky?times=99", on_error="route"),
        join("meet"),
        effect("closing", url),
    ]
    edges = ["first -> flaky", "first -> refused", "flaky -> meet", "refused:error -> meet"]
    return document("Second tries", nodes, [*edges, "meet -> closing"])


def waiting(dice: random.Random, url: str) -> Document:
    """Waits that hold no slot, between effects."""
    seconds = round(dice.uniform(0.2, 1.5), 2)
    return line(
        "A wait",
        [
            effect("before", url),
            {"id": "wait", "kind": "flow.wait", "config": {"seconds": seconds}},
            effect("after", url),
        ],
    )


def within(container: Node, nodes: list[Node]) -> list[Node]:
    """A container and what is inside it."""
    return [container, *({**node, "parent": container["id"]} for node in nodes)]


def mapped(dice: random.Random, url: str) -> Document:
    """Two steps for each item of a list, some at once."""
    config = {"over": dice.randrange(3, 25), "concurrency": dice.randrange(2, 8)}
    inside = [
        sleep("look", url, dice.choice(CALL_MS)),
        effect("tell", url, path="each[{{ index }}]/tell"),
    ]
    nodes = within({"id": "each", "kind": "flow.map", "config": config}, inside)
    return document("Each", [*nodes, effect("closing", url)], ["look -> tell", "each -> closing"])


def looping(dice: random.Random, url: str) -> Document:
    """Rounds that carry a state, for each item of a list."""
    rounds = {"state": 0, "times": dice.randrange(2, 5), "next": "{{ state + 1 }}"}
    path = "each[{{ nodes.each.index }}]/rounds[{{ round }}]/tell"
    loop = within(
        {"id": "rounds", "kind": "flow.loop", "config": rounds},
        [effect("tell", url, dice.choice(CALL_MS), path=path)],
    )
    loop[0]["parent"] = "each"
    config = {"over": dice.randrange(1, 5)}
    nodes = [{"id": "each", "kind": "flow.map", "config": config}, *loop]
    return document("Rounds", [*nodes, effect("closing", url)], ["each -> closing"])


#: Every way in which work can be laid out; a chaos run draws from them.
MAKERS: tuple[Maker, ...] = (
    chain,
    chain,
    fan,
    race,
    branching,
    retrying,
    waiting,
    mapped,
    looping,
)
