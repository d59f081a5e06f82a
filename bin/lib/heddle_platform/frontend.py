"""The front end's packages and its build, each made again only when its sources change."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from heddle_platform.console import progress
from heddle_platform.disk import require_space
from heddle_platform.installing import install
from heddle_platform.node import Node, find_node
from heddle_platform.places import FRONTEND, ROOT

DIST = FRONTEND / "dist"
_MODULES = FRONTEND / "node_modules"
_NOT_SOURCES = {"node_modules", "dist", "coverage", ".vite", "test-results"}


def is_built() -> bool:
    """Tell whether dist/ holds the build of the present sources."""
    return _read(DIST / ".sources") == sources_digest()


def ensure_built() -> None:
    """Build the front end unless dist/ is up to date."""
    digest = sources_digest()
    if _read(DIST / ".sources") == digest:
        return
    node = ensure_packages()
    with progress("Building the front end"):
        npm(node, "run", "build", what="the front end")
    (DIST / ".sources").write_text(digest)


def ensure_packages() -> Node:
    """Install the front end's packages unless they are what the lock file says."""
    node = find_node()
    wanted = hashlib.sha256((FRONTEND / "package-lock.json").read_bytes()).hexdigest()
    if _read(_MODULES / ".heddle-lock") != wanted:
        require_space(FRONTEND, mebibytes=700)
        with progress("Installing the front end's packages"):
            npm(node, "ci", what="the front end's packages")
        (_MODULES / ".heddle-lock").write_text(wanted)
    return node


def npm(node: Node, *arguments: str, what: str) -> None:
    """Run npm in the front end's folder."""
    install([*node.npm, *arguments], what=what, environment=node.environment(), folder=FRONTEND)


def sources_digest() -> str:
    """Return a digest over every file that the build reads."""
    digest = hashlib.sha256()
    for path in _sources():
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _sources() -> Iterator[Path]:
    yield from sorted((ROOT / "gallery").rglob("*.yaml"))  # offered in the list of workflows
    for top in sorted(FRONTEND.iterdir()):
        if top.name in _NOT_SOURCES or top.name.endswith(".tsbuildinfo"):
            continue
        if top.is_file():
            yield top
        else:
            yield from sorted(path for path in top.rglob("*") if path.is_file())


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
