"""Which names a piece of Python reads: nodes, inputs, and names that nobody knows."""

import ast
from dataclasses import dataclass, field

#: Names that hold the run's data.
SCOPE = frozenset({"inputs", "nodes", "run"})
#: Names that hold data inside a container that sets them, and only there.
SURROUNDINGS = frozenset({"item", "index", "state", "round"})
#: Inside a loop it is a number; called, it is Python's function everywhere.
ROUND = "round"

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
_OUTPUT = "output"
_NODE_FIELDS = SURROUNDINGS | {_OUTPUT}


@dataclass(frozen=True, kw_only=True)
class Names:
    """What is read, and what is wrong with the names that are used."""

    #: Nodes whose outputs are read.
    nodes: frozenset[str] = frozenset()
    #: What is read of the containers around, as (id, "item").
    around: frozenset[tuple[str, str]] = frozenset()
    #: Nodes whose signals' addresses are read.
    signals: frozenset[str] = frozenset()
    #: Every name that holds data of the run, those of `SURROUNDINGS` included.
    scope: frozenset[str] = frozenset()
    problems: tuple[str, ...] = ()


@dataclass
class _Reader(ast.NodeVisitor):
    expression: bool
    bound: set[str] = field(default_factory=set)
    fields: set[tuple[str, str]] = field(default_factory=set)
    signals: set[str] = field(default_factory=set)
    scope: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)

    def visit_Name(self, node: ast.Name) -> None:
        self._check_word(node.id)
        if not isinstance(node.ctx, ast.Load) or node.id in self.bound:
            return
        if node.id == "nodes":
            self.problems.append("write nodes.<id>.output, with the id of one node")
        elif node.id in SCOPE or node.id in SURROUNDINGS:
            self.scope.add(node.id)
        elif node.id not in (EXPRESSION_BUILTINS if self.expression else CODE_BUILTINS):
            self.problems.append(_unknown_name(node.id))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._check_word(node.attr)
        if not self._read_node(node):
            self._read_signal(node)
            self.visit(node.value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not self._read_node(node):
            self._read_signal(node)
            self.visit(node.value)
        self.visit(node.slice)

    def visit_Call(self, node: ast.Call) -> None:
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if self.expression and method in _MUTATORS:
            self.problems.append(f"an expression may not change a value: .{method}() does")
        if not (isinstance(node.func, ast.Name) and node.func.id == ROUND):
            self.visit(node.func)
        for argument in (*node.args, *node.keywords):
            self.visit(argument)

    def _read_node(self, node: ast.Attribute | ast.Subscript) -> bool:
        """Note the node that `nodes.<id>.output` reads; false if this reads none."""
        inner = node.value
        if "nodes" in self.bound or not _is_part_of(inner, "nodes"):
            return False
        node_id, what = _key(inner), _key(node)
        if node_id is None or what not in _NODE_FIELDS:
            return False
        self.fields.add((node_id, what))
        return True

    def _read_signal(self, node: ast.Attribute | ast.Subscript) -> None:
        """Note the node whose address `run.signals.<id>` reads."""
        if _is_part_of(node.value, "run") and _key(node.value) == "signals":
            node_id = _key(node)
            if node_id is not None and "run" not in self.bound:
                self.signals.add(node_id)

    def _check_word(self, word: str) -> None:
        if word.startswith("__") and (self.expression or word != "__init__"):
            self.problems.append(f"names that start with two underscores are closed: {word}")


def read_names(tree: ast.AST, *, expression: bool) -> Names:
    """List what a parsed text reads and the names that it may not use."""
    reader = _Reader(expression=expression, bound=bound_names(tree))
    if expression:
        reader.problems.extend(_closed_forms(tree))
    try:
        reader.visit(tree)
    except RecursionError:
        reader.problems.append("it is nested too deeply")
    return Names(
        nodes=frozenset(node_id for node_id, what in reader.fields if what == _OUTPUT),
        around=frozenset(read for read in reader.fields if read[1] != _OUTPUT),
        signals=frozenset(reader.signals),
        scope=frozenset(reader.scope | ({"nodes"} if reader.fields else set())),
        problems=tuple(dict.fromkeys(reader.problems)),
    )


def _is_part_of(node: ast.expr, name: str) -> bool:
    """Tell whether this reads a key of what the name holds."""
    if not isinstance(node, ast.Attribute | ast.Subscript):
        return False
    return isinstance(node.value, ast.Name) and node.value.id == name


def _key(node: ast.expr) -> str | None:
    if isinstance(node, ast.Attribute):
        return node.attr
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
        return None
    return node.slice.value if isinstance(node.slice.value, str) else None


def bound_names(tree: ast.AST) -> set[str]:
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
    return f"{name} is not known here; there are inputs, nodes.<id>.output and run"
