"""Makes functions of what is looked up, instead of all that the names of a scope hold."""

import ast
from collections.abc import Callable, Set
from typing import Any

from workers.sandbox.references import Reference, read_reference

#: Begins every name that the sandbox gives.
OWN_PREFIX = "__heddle_"


class Shortening(ast.NodeTransformer):
    """Puts a parameter in the place of each look-up that is wanted."""

    def __init__(self, is_wanted: Callable[[Reference], bool]) -> None:
        #: The parameters, in the order of their look-ups.
        self.parameters: dict[Reference, str] = {}
        self._is_wanted = is_wanted

    def visit(self, node: ast.AST) -> Any:
        """Replace the longest look-up that begins here."""
        reference = read_reference(node) if isinstance(node, ast.expr) else None
        if reference is None or not self._is_wanted(reference):
            return self.generic_visit(node)
        name = self.parameters.setdefault(reference, f"{OWN_PREFIX}{len(self.parameters)}__")
        return ast.copy_location(ast.Name(name, ast.Load()), node)


def find_references(tree: ast.AST, *, names: Set[str]) -> frozenset[Reference]:
    """Find the look-ups that can take the place of names: a name is in none, or in all its uses.

    Where one look-up goes on from another, both read the same object: the shorter one counts.
    """
    finding = _Finding(names)
    finding.visit(tree)
    return frozenset(
        reference
        for reference in finding.found
        if reference.name not in finding.bare
        and not any(shorter in finding.found for shorter in reference.starts())
    )


def names_in(tree: ast.AST) -> tuple[str, ...]:
    """List every name in a text, each once."""
    names = (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    return tuple(dict.fromkeys(names))


class _Finding(ast.NodeVisitor):
    def __init__(self, names: Set[str]) -> None:
        self.found: set[Reference] = set()
        self.bare: set[str] = set()
        self._names = names

    def visit(self, node: ast.AST) -> None:
        reference = read_reference(node) if isinstance(node, ast.expr) else None
        if reference is None or reference.name not in self._names:
            self.generic_visit(node)
        elif reference.keys:
            self.found.add(reference)
        else:
            self.bare.add(reference.name)
