"""Which names a piece of Python reads: nodes, inputs, and names that nobody knows."""

import ast
from dataclasses import dataclass, field

#: Names that hold the run's data.
SCOPE = frozenset({"inputs", "nodes", "run"})

#: What expressions may call: nothing that evaluates text or reaches into objects.
EXPRESSION_BUILTINS = frozenset(
    [
        "abs",
        "all",
        "any",
        "bin",
        "bool",
        "chr",
        "dict",
        "divmod",
        "enumerate",
        "filter",
        "float",
        "format",
        "frozenset",
        "hex",
        "int",
        "isinstance",
        "len",
        "list",
        "map",
        "max",
        "min",
        "oct",
        "ord",
        "pow",
        "range",
        "repr",
        "reversed",
        "round",
        "set",
        "sorted",
        "str",
        "sum",
        "tuple",
        "zip",
    ]
)
CODE_BUILTINS = EXPRESSION_BUILTINS | frozenset(
    [
        "bytes",
        "complex",
        "getattr",
        "hasattr",
        "hash",
        "id",
        "iter",
        "next",
        "object",
        "print",
        "property",
        "setattr",
        "slice",
        "type",
        "ArithmeticError",
        "AssertionError",
        "AttributeError",
        "BaseException",
        "Exception",
        "IndexError",
        "KeyError",
        "LookupError",
        "NameError",
        "NotImplementedError",
        "OverflowError",
        "RuntimeError",
        "StopIteration",
        "TypeError",
        "ValueError",
        "ZeroDivisionError",
        "TimeoutError",
        "MemoryError",
        "RecursionError",
    ]
)

#: Methods that change a value in place. Expressions of several nodes share their data.
_MUTATORS = frozenset(
    [
        "append",
        "clear",
        "discard",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "reverse",
        "setdefault",
        "sort",
        "update",
    ]
)
_NODE_FIELDS = frozenset({"output"})


@dataclass(frozen=True, kw_only=True)
class Names:
    """What is read, and what is wrong with the names that are used."""

    nodes: frozenset[str] = frozenset()
    scope: frozenset[str] = frozenset()
    problems: tuple[str, ...] = ()


@dataclass
class _Reader(ast.NodeVisitor):
    expression: bool
    bound: set[str] = field(default_factory=set)
    nodes: set[str] = field(default_factory=set)
    scope: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)

    def visit_Name(self, node: ast.Name) -> None:
        self._check_word(node.id)
        if not isinstance(node.ctx, ast.Load) or node.id in self.bound:
            return
        if node.id == "nodes":
            self.problems.append("write nodes.<id>.output, with the id of one node")
        elif node.id in SCOPE:
            self.scope.add(node.id)
        elif node.id not in (EXPRESSION_BUILTINS if self.expression else CODE_BUILTINS):
            self.problems.append(_unknown_name(node.id))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._check_word(node.attr)
        if not self._read_node(node):
            self.visit(node.value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not self._read_node(node):
            self.visit(node.value)
        self.visit(node.slice)

    def visit_Call(self, node: ast.Call) -> None:
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if self.expression and method in _MUTATORS:
            self.problems.append(f"an expression may not change a value: .{method}() does")
        self.generic_visit(node)

    def _read_node(self, node: ast.Attribute | ast.Subscript) -> bool:
        """Note the node that `nodes.<id>.output` reads; false if this reads none."""
        if "nodes" in self.bound:
            return False
        inner = node.value
        if not isinstance(inner, ast.Attribute | ast.Subscript) or not _is_nodes(inner.value):
            return False
        node_id, what = _key(inner), _key(node)
        if node_id is None or what not in _NODE_FIELDS:
            return False
        self.nodes.add(node_id)
        return True

    def _check_word(self, word: str) -> None:
        if word.startswith("__") and (self.expression or word != "__init__"):
            self.problems.append(f"names that start with two underscores are closed: {word}")


def read_names(tree: ast.AST, *, expression: bool) -> Names:
    """List what a parsed text reads and the names that it may not use."""
    reader = _Reader(expression=expression, bound=_bound_names(tree))
    if expression:
        reader.problems.extend(_closed_forms(tree))
    try:
        reader.visit(tree)
    except RecursionError:
        reader.problems.append("it is nested too deeply")
    return Names(
        nodes=frozenset(reader.nodes),
        scope=frozenset(reader.scope | ({"nodes"} if reader.nodes else set())),
        problems=tuple(dict.fromkeys(reader.problems)),
    )


def _is_nodes(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "nodes"


def _key(node: ast.Attribute | ast.Subscript) -> str | None:
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return node.slice.value
    return None


def _bound_names(tree: ast.AST) -> set[str]:
    """Collect every name that the text itself gives a value."""
    bound: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                bound.add(name)
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.AsyncFunctionDef(name=name):
                bound.add(name)
            case ast.alias(name=name, asname=alias):
                bound.add(alias or name.split(".")[0])
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                bound.add(name)
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                bound.add(name)
            case _:
                pass
    return bound


def _closed_forms(tree: ast.AST) -> list[str]:
    forms: dict[type[ast.AST], str] = {
        ast.Await: "await",
        ast.Yield: "yield",
        ast.YieldFrom: "yield from",
    }
    found = (forms.get(type(node)) for node in ast.walk(tree))
    return [f"an expression cannot {form}" for form in found if form]


def _unknown_name(name: str) -> str:
    if name in {"item", "index", "state", "round"}:
        return f"{name} is only known inside a container that sets it"
    return f"{name} is not known here; there are inputs, nodes.<id>.output and run"
