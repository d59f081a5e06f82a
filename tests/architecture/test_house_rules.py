"""The house's rules that no linter knows."""

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = ("backend", "workers", "bin/lib", "tests")
SERVER = ("backend", "workers")
BANNED_MODULES = {
    *("utils", "util", "helpers", "helper", "common", "manager", "managers", "handler", "handlers"),
    *("data", "info", "misc"),
}
#: What runs text as Python. The sandbox's own processes run people's code; the servers never do.
RUNS_TEXT = {"eval", "exec", "compile", "__import__"}
LONG_FILE = 400


def python_files(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def calls_by_bare_name(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node.lineno


def test_no_module_is_named_after_nothing_in_particular() -> None:
    named = [path.relative_to(ROOT) for path in python_files(*OURS) if path.stem in BANNED_MODULES]

    assert named == []


def test_no_server_code_runs_text_as_python() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in python_files(*SERVER)
        for name, line in calls_by_bare_name(ast.parse(path.read_text()))
        if name in RUNS_TEXT
    ]

    assert found == []


def test_no_server_code_unpickles() -> None:
    banned = {"pickle", "marshal", "shelve", "dill", "cloudpickle"}
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in python_files(*SERVER)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom) and banned & set(_imported(node))
    ]

    assert found == []


def test_the_platform_that_installs_the_packages_needs_none_of_them() -> None:
    allowed = {*sys.stdlib_module_names, "heddle_platform"}
    foreign = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in python_files("bin/lib")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in _imported(node)
        if name not in allowed
    ]

    assert foreign == []


def test_long_files_are_reported(record_property: Callable[[str, object], None]) -> None:
    """A report, not a limit: a long file is a question to its next reader."""
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for path in python_files(*OURS)
        if "migrations" not in path.parts
    }
    longest = {name: lines for name, lines in lengths.items() if lines > LONG_FILE}
    record_property("long_files", longest)

    assert lengths


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name.split(".")[0] for alias in node.names]
    return [(node.module or "").split(".")[0]]
