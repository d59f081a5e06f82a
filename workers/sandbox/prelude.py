"""The text that the sandbox runs before that of an author: look-ups with good messages."""

from collections.abc import Set
from textwrap import indent

from backend.engine.python_text import ITEM, LOOKUP, RESULT, ROUND_CALL

#: Runs calls of functions that were defined before; see `workers.sandbox.kept`.
RUN = "__heddle_run__"
FUNCTIONS = "__heddle_functions__"
CALLS = "__heddle_calls__"
SECONDS = "__heddle_seconds__"
MARK = "."

_KEYS = "__heddle_keys__"
_KIND = "__heddle_kind__"
_TOOLS = "__heddle_tools__"

#: What the parts below use of Python; an author may give these names to values.
_BUILTINS = (
    *("bool", "dict", "float", "getattr", "int", "isinstance", "len", "list", "range", "str"),
    *("tuple", "type", "IndexError", "KeyError", "TypeError"),
)

_ROUND = f"""
{ROUND_CALL} = round
"""

#: `a.b` as a key of an object, else as an attribute.
_LOOKUP = f"""
def {_KEYS}(value):
    names = [str(key) for key in value]
    if not names:
        return "it is empty"
    return "it has: " + ", ".join(names[:12]) + (", …" if len(names) > 12 else "")

def {_KIND}(value):
    for kind, name in ((bool, "true or false"), (str, "a text"), (list, "a list"),
                       (tuple, "a list"), (int, "a number"), (float, "a number")):
        if isinstance(value, kind):
            return name
    return None

def {LOOKUP}(value, key, path):
    if isinstance(value, dict):
        if key in value:
            return value[key]
        raise KeyError(f'{{path}}: no key "{{key}}"; {{{_KEYS}(value)}}')
    if value is None:
        raise KeyError(f'{{path}}: no key "{{key}}", because what it is read from is None')
    kind = {_KIND}(value)
    if kind is not None:
        raise KeyError(f'{{path}}: no key "{{key}}", because what it is read from is {{kind}}')
    return getattr(value, key)
"""

_ITEM = f"""
def {ITEM}(value, key, path):
    if isinstance(value, dict) or value is None:
        return {LOOKUP}(value, key, path)
    if isinstance(key, int) and isinstance(value, (list, tuple, str)):
        if key >= len(value):
            raise IndexError(f'{{path}}: no item {{key}}; there are {{len(value)}}')
    return value[key]
"""

_RESULT = f"""
def {RESULT}(value):
    if value is None or isinstance(value, (str, dict, list, int, float, tuple)):
        return value
    name = type(value).__name__
    if name in ("dict_items", "dict_keys", "dict_values", "range"):
        return list(value)
    if "function" in name or "method" in name or name == "type":
        raise TypeError(f"the result is a {{name}}; call it, or return a value")
    return value
"""

#: Calls functions one after another, each failing for itself, until the time is used up; gives
#: what came of them, and the seconds that it took. A mark for each that began tells, if it all
#: ends early, how far it came; no author can write to where the marks go.
_RUN = f"""
from sys import stderr as __heddle_marks__
from time import perf_counter as __heddle_clock__

{FUNCTIONS} = []

def {RUN}(calls, seconds):
    results = []
    taken = 0.0
    began = __heddle_clock__()
    for function, arguments in calls:
        print("{MARK}", end="", file=__heddle_marks__)
        try:
            results.append([True, {RESULT}({FUNCTIONS}[function](*arguments))])
        except BaseException as error:
            text = str(error.args[0]) if error.args else ""
            results.append([False, type(error).__name__, text])
        taken = __heddle_clock__() - began
        if taken > seconds:
            break
    calls.clear()
    return results, taken
"""

_PARTS = {ROUND_CALL: _ROUND, LOOKUP: _LOOKUP, RESULT: _RESULT}

#: For an interpreter that runs many functions.
FULL = "".join([_ROUND, _LOOKUP, _ITEM, _RESULT, _RUN])


def prelude_of(code: str, *, bound: Set[str]) -> str:
    """Give what one rewritten text needs of the prelude; compiling all of it takes longer.

    `bound` are the names that the text gives values: `list = [1]` is the author's right.
    """
    texts = {name: part for name, part in _PARTS.items() if name in code}
    own = "".join(texts.values())
    return _shielded(own, names=list(texts)) if texts and bound & set(_BUILTINS) else own


def _shielded(text: str, *, names: list[str]) -> str:
    """Let the text keep Python's own functions whatever their names are given later."""
    builtins, made = ", ".join(_BUILTINS), ", ".join(names)
    inner = indent(text, "    ")
    outer = f"{made}, = {_TOOLS}({builtins})\n"
    return f"def {_TOOLS}({builtins}):{inner}    return {made},\n{outer}"
