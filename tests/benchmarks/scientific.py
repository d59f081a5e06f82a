"""W4: graphs of real scientific workflows, made by the WfCommons recipes named in the files."""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.graphs import Kind, document

FOLDER = Path(__file__).with_name("wfinstances")
#: Seconds that the longest way through each graph takes, as the tasks' times are scaled.
CRITICAL_PATH_S = 10.0


@dataclass(frozen=True)
class Task:
    """One task: how long it takes, and what it waits for."""

    id: str
    ms: float
    needs: tuple[str, ...]


def names(size: int) -> list[str]:
    """The graphs of about so many tasks."""
    return sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob(f"*_{size}.json.gz"))


def tasks_of(name: str) -> list[Task]:
    """The tasks of a graph in topological order, scaled to the critical path."""
    with gzip.open(FOLDER / f"{name}.json.gz", "rt") as file:
        nodes: list[dict[str, Any]] = json.load(file)["nodes"]
    tasks = [Task(node["id"], node["ms"], tuple(node["deps"])) for node in nodes]
    scale = CRITICAL_PATH_S * 1000 / critical_path_ms(tasks)
    return [Task(task.id, task.ms * scale, task.needs) for task in tasks]


def critical_path_ms(tasks: list[Task]) -> float:
    """The longest way through tasks in topological order."""
    ends: dict[str, float] = {}
    for task in tasks:
        ends[task.id] = task.ms + max((ends[id] for id in task.needs), default=0.0)
    return max(ends.values())


def graph(name: str, kind: Kind) -> dict[str, Any]:
    """The graph as a document; each task is a node that takes its time."""
    tasks = tasks_of(name)
    nodes = [kind(task.id, number, task.ms) for number, task in enumerate(tasks)]
    edges = [(needed, task.id) for task in tasks for needed in task.needs]
    return document(name, nodes, edges)
