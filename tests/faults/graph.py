"""What a document says about the order of its steps, read by the tests themselves."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Arrow:
    """An edge, as seen from where it ends."""

    source: str
    port: str


class Graph:
    """A document's nodes and arrows, by node id."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.nodes: dict[str, dict[str, Any]] = {node["id"]: node for node in document["nodes"]}
        self.incoming: dict[str, list[Arrow]] = defaultdict(list)
        for edge in document["edges"]:
            source, _, port = edge["from"].partition(":")
            self.incoming[edge["to"].partition(":")[0]].append(Arrow(source, port or "out"))

    def before(self, path: str) -> list[str]:
        """The paths of the steps that lead to a step; those of an item stay within the item."""
        scope, _, node = path.rpartition("/")
        return [f"{scope}/{a.source}" if scope else a.source for a in self.incoming[node]]

    def container(self, path: str) -> str | None:
        """The path of the step that a step is inside of: `each[3]/inner` is inside `each`."""
        scope = path.rpartition("/")[0]
        return scope.rpartition("[")[0] or None

    def needed(self, path: str) -> int:
        """How many of them must have ended before the step may start."""
        config = self.node(path).get("config", {})
        match config.get("mode", "all") if self.node(path)["kind"] == "flow.join" else "all":
            case "any" | "first":
                return 1
            case "n":
                return int(config["n"])
            case _:
                return len(self.before(path))

    def max_attempts(self, path: str) -> int:
        """How often the step's policy allows it to fail."""
        policy = self.node(path).get("policy", {})
        return int(policy.get("retry", {}).get("max_attempts", 1))

    def effects(self) -> Iterator[str]:
        """The nodes that have an effect on the recorder."""
        for name, node in self.nodes.items():
            if node["kind"] == "http.request" and node["config"].get("method") == "POST":
                yield name

    def node(self, path: str) -> dict[str, Any]:
        """The node of a step."""
        return self.nodes[path.rpartition("/")[2]]
