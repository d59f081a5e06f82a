"""Reads Python written by users, without running it, and rewrites it for the sandbox."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from backend.engine.names import ROUND, Names, bound_names, read_names

#: The sandbox's own function behind `a.b`; users cannot write a name with two underscores.
LOOKUP = "__heddle_get__"
ITEM = "__heddle_item__"
#: The sandbox's own function around the result of a piece of code.
RESULT = "__heddle_result__"
#: Python's own `round`, where the name holds the number of a loop's round.
ROUND_CALL = "__heddle_round__"

MAX_EXPRESSION_CHARS = 20_000
MAX_CODE_CHARS = 200_000
_MAX_PATH_CHARS = 80


class ExpressionInvalid(ValueError):
    """Text that is no expression; the message says what is wrong and where."""


@dataclass(frozen=True, kw_only=True)
class Python:
    """Python as the author wrote it, as the sandbox runs it, and what it reads."""

    source: str
    code: str
    names: Names
    #: For each line of `code`, the line of `source` that it came from.
    lines: tuple[int, ...] = ()


@lru_cache(maxsize=8192)
def parse_expression(source: str) -> Python:
    """Parse one expression.

    Raises:
        ExpressionInvalid: It is no Python expression.
    """
    text = source.strip()
    if not text:
        raise ExpressionInvalid("an expression is missing")
    if len(text) > MAX_EXPRESSION_CHARS:
        raise ExpressionInvalid(f"it is longer than {MAX_EXPRESSION_CHARS:,} characters")
    tree = _parse_one_line(text) if "\n" not in text else _parse_many_lines(text)
    names = read_names(tree, expression=True)
    return Python(source=text, code=_rewrite(tree, items=True), names=names)


@lru_cache(maxsize=512)
def parse_code(source: str) -> Python:
    """Parse a piece of code whose last expression is its result.

    Raises:
        ExpressionInvalid: It is no Python.
    """
    if not source.strip():
        raise ExpressionInvalid("the code is empty")
    if len(source) > MAX_CODE_CHARS:
        raise ExpressionInvalid(f"it is longer than {MAX_CODE_CHARS:,} characters")
    tree = _parse(source, mode="exec")
    names = read_names(tree, expression=False)
    code = _rewrite(_with_result(tree), items=False)
    return Python(source=source, code=code, names=names, lines=_line_map(tree, code))


def _parse(text: str, *, mode: str) -> ast.AST:
    try:
        return ast.parse(text, mode=mode)
    except SyntaxError as error:
        raise ExpressionInvalid(_syntax_message(error)) from error
    except (RecursionError, MemoryError) as error:
        raise ExpressionInvalid("it is nested too deeply") from error
    except ValueError as error:
        raise ExpressionInvalid("it holds a character that Python does not allow") from error


def _parse_one_line(text: str) -> ast.AST:
    return _parse(text, mode="eval")


def _parse_many_lines(text: str) -> ast.AST:
    """Let an expression go over several lines, as it may inside brackets."""
    try:
        return _parse_one_line(text)
    except ExpressionInvalid:
        tree = _parse(f"(\n{text}\n)", mode="eval")
        # `a) + (b` would also parse between our brackets: then the first one is part of it.
        if isinstance(tree, ast.Expression) and tree.body.lineno == 1:
            raise
        return tree


def _syntax_message(error: SyntaxError) -> str:
    reason = error.msg or "it is no Python"
    return f"line {error.lineno}: {reason}" if error.lineno and error.lineno > 1 else reason


def _rewrite(tree: ast.AST, *, items: bool) -> str:
    try:
        lookups = _Lookups(items=items, rounds=ROUND not in bound_names(tree))
        return ast.unparse(ast.fix_missing_locations(lookups.visit(tree)))
    except RecursionError as error:
        raise ExpressionInvalid("it is nested too deeply") from error
    except ValueError as error:
        # Python 3.11 cannot write every mix of quotes back into an f-string.
        raise ExpressionInvalid(
            "an f-string mixes too many kinds of quotes; compute its parts in variables first"
        ) from error


class _Lookups(ast.NodeTransformer):
    """Turns `a.b`, when not called, into a lookup that reads keys as well as attributes."""

    def __init__(self, *, items: bool, rounds: bool) -> None:
        self._items = items
        self._rounds = rounds

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
        elif self._rounds and isinstance(node.func, ast.Name) and node.func.id == ROUND:
            node.func = ast.copy_location(ast.Name(ROUND_CALL, ast.Load()), node.func)
        else:
            node.func = self.visit(node.func)
        node.args = [self.visit(argument) for argument in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        path = _path(node)
        node.value = self.visit(node.value)
        if not isinstance(node.ctx, ast.Load):
            return node
        return _call(LOOKUP, node, node.value, ast.Constant(node.attr), path)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        path = _path(node)
        plain = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str | int)
        node.value = self.visit(node.value)
        node.slice = self.visit(node.slice)
        if not (self._items and plain and isinstance(node.ctx, ast.Load)):
            return node
        return _call(ITEM, node, node.value, node.slice, path)

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        # A dotted name in a pattern is part of the pattern, and no look-up.
        node.guard = self.visit(node.guard) if node.guard else None
        node.body = [self.visit(statement) for statement in node.body]
        return node


def _with_result(tree: ast.AST) -> ast.AST:
    """Pass the last expression, which is the result, through the sandbox's check."""
    if isinstance(tree, ast.Module) and tree.body and isinstance(tree.body[-1], ast.Expr):
        last = tree.body[-1]
        last.value = _call(RESULT, last.value, last.value)
    return tree


def _call(name: str, place: ast.expr, *arguments: ast.expr) -> ast.Call:
    call = ast.Call(func=ast.Name(name, ast.Load()), args=list(arguments), keywords=[])
    return ast.copy_location(call, place)


def _path(node: ast.expr) -> ast.Constant:
    """Write what is read as an author would say it, for the message of a missing key."""
    text = ast.unparse(node) if isinstance(node, ast.Attribute | ast.Subscript) else ""
    if len(text) > _MAX_PATH_CHARS:
        text = "…" + text[-_MAX_PATH_CHARS:]
    # Quotes and backslashes would get in the way where this stands inside an f-string.
    return ast.Constant("".join("" if char in "'\"\\\n" else char for char in text))


def _line_map(tree: ast.AST, code: str) -> tuple[int, ...]:
    """Pair the statements of both texts, which have the same shape, to map lines back."""
    lines = [0] * (code.count("\n") + 2)
    for old, new in zip(_statements(tree), _statements(ast.parse(code)), strict=False):
        lines[new.lineno] = old.lineno
    for number in range(1, len(lines)):
        lines[number] = lines[number] or lines[number - 1]
    return tuple(lines)


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.stmt))
