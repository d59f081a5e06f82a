"""Which code may run in one interpreter with that of others, and how it becomes a function.

Inside a function names behave a little differently than in a text of its own. Code that could
tell, or could leave something behind, is not shared: it runs alone.
"""

import ast
import builtins
from collections.abc import Iterator

from backend.engine.names import CODE_BUILTINS, bound_names
from backend.engine.python_text import LOOKUP, RESULT, ROUND_CALL
from workers.sandbox.kept import FUNCTION

#: Modules in which nothing can be changed. `random` has a state, `decimal` a precision.
_SAFE_MODULES = frozenset(
    [
        *("base64", "binascii", "bisect", "collections", "copy", "datetime", "functools"),
        *("hashlib", "itertools", "json", "math", "re", "unicodedata"),
    ]
)
#: Python's functions that no code may call. One that gives such a name to a value of its own may
#: reach the function all the same where the value is not known, and with `eval` everything.
_CLOSED_NAMES = frozenset(dir(builtins)) - CODE_BUILTINS
#: What the rewriting calls. Everything else of ours is out of reach.
_OWN_NAMES = frozenset([LOOKUP, ROUND_CALL, RESULT])
#: What has another meaning inside a function, or is not known to the interpreter.
_CLOSED_FORMS = (
    *(ast.AsyncFor, ast.AsyncFunctionDef, ast.AsyncWith, ast.Await, ast.ClassDef, ast.Delete),
    *(ast.Global, ast.Nonlocal, ast.TryStar, ast.With, ast.Yield, ast.YieldFrom),
)
#: Errors whose message reads alike in a function. That of an unknown name does not.
_NARROW = frozenset(
    [
        *("ArithmeticError", "AssertionError", "AttributeError", "IndexError", "KeyError"),
        *("LookupError", "NotImplementedError", "OverflowError", "RecursionError"),
        *("StopIteration", "TypeError", "ValueError", "ZeroDivisionError", "JSONDecodeError"),
    ]
)


def is_shareable(tree: ast.Module) -> bool:
    """Tell whether rewritten code can be a function among others."""
    # A name of Python's own that gets a value somewhere has none before that in a function.
    return (
        not bound_names(tree) & CODE_BUILTINS
        and all(map(_may_be_shared, ast.walk(tree)))
        and not any(isinstance(node, ast.Return) for node in _outermost(tree))
    )


def body_of(tree: ast.Module) -> str:
    """Write code as the body of a function, which gives the value of the last expression.

    Raises:
        ValueError: Python cannot write it.
        RecursionError: It is nested too deeply.
    """
    *statements, last = tree.body
    if isinstance(last, ast.Expr):
        last = ast.copy_location(ast.Return(last.value), last)
    parameters = ast.arguments([], [], None, [], [], None, [])
    function = ast.FunctionDef(FUNCTION, parameters, [*statements, last], [], None)
    text = ast.unparse(ast.fix_missing_locations(ast.Module([function], [])))
    return text.partition("\n")[2] + "\n"


def _may_be_shared(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return all(alias.name in _SAFE_MODULES for alias in names)
        case ast.ImportFrom(module=module, names=names):
            return module in _SAFE_MODULES and all(alias.name != "*" for alias in names)
        case ast.ExceptHandler(name=str(), type=caught):
            return _is_narrow(caught)
        case ast.comprehension(is_async=is_async):
            return not is_async
        case ast.Name(id=name):
            own = name in _OWN_NAMES or not name.startswith("__")
            return own and name != "id" and name not in _CLOSED_NAMES
        case _:
            return not isinstance(node, _CLOSED_FORMS)


def _is_narrow(caught: ast.expr | None) -> bool:
    match caught:
        case ast.Name(id=name):
            return name in _NARROW
        case ast.Call(func=ast.Name(id=function), args=[_, ast.Constant(value=name), _]):
            return function == LOOKUP and name in _NARROW
        case ast.Tuple(elts=several):
            return all(map(_is_narrow, several))
        case _:
            return False


def _outermost(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk the nodes that belong to the text itself."""
    for node in ast.iter_child_nodes(tree):
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            yield from _outermost(node)
