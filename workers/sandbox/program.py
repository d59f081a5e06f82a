"""Writes the program that evaluates many expressions in one call of the interpreter."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from backend.engine.python_text import ITEM, LOOKUP, RESULT, ROUND_CALL

#: Runs inside the sandbox: `a.b` as a key of an object, else as an attribute.
PRELUDE = f"""
{ROUND_CALL} = round

def __heddle_keys__(value):
    names = [str(key) for key in value]
    if not names:
        return "it is empty"
    return "it has: " + ", ".join(names[:12]) + (", …" if len(names) > 12 else "")

def __heddle_kind__(value):
    for kind, name in ((bool, "true or false"), (str, "a text"), (list, "a list"),
                       (tuple, "a list"), (int, "a number"), (float, "a number")):
        if isinstance(value, kind):
            return name
    return None

def {LOOKUP}(value, key, path):
    if isinstance(value, dict):
        if key in value:
            return value[key]
        raise KeyError(f'{{path}}: no key "{{key}}"; {{__heddle_keys__(value)}}')
    if value is None:
        raise KeyError(f'{{path}}: no key "{{key}}", because what it is read from is None')
    kind = __heddle_kind__(value)
    if kind is not None:
        raise KeyError(f'{{path}}: no key "{{key}}", because what it is read from is {{kind}}')
    return getattr(value, key)

def {ITEM}(value, key, path):
    if isinstance(value, dict) or value is None:
        return {LOOKUP}(value, key, path)
    if isinstance(key, int) and isinstance(value, (list, tuple, str)):
        if key >= len(value):
            raise IndexError(f'{{path}}: no item {{key}}; there are {{len(value)}}')
    return value[key]

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

_LOOP = f"""
__heddle_results__ = []
for __heddle_function__, __heddle_scope__ in __heddle_calls__:
    try:
        __heddle_results__.append(
            [True, {RESULT}(
                __heddle_functions__[__heddle_function__](*__heddle_scopes__[__heddle_scope__])
            )]
        )
    except Exception as error:
        __heddle_text__ = str(error.args[0]) if error.args else ""
        __heddle_results__.append([False, type(error).__name__, __heddle_text__])
__heddle_results__
"""


@dataclass
class Program:
    """A program under construction: each distinct expression once, each scope once."""

    _functions: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)
    _scopes: list[list[Any]] = field(default_factory=list)
    _scope_numbers: dict[int, int] = field(default_factory=dict)
    _calls: list[tuple[int, int]] = field(default_factory=list)

    def add(self, *, code: str, scope: Mapping[str, Any]) -> None:
        """Evaluate `code` with the names of `scope`; results come in the order of adding."""
        function = self._functions.setdefault((code, tuple(scope)), len(self._functions))
        self._calls.append((function, self._scope_number(scope)))

    def _scope_number(self, scope: Mapping[str, Any]) -> int:
        number = self._scope_numbers.get(id(scope))
        if number is None:
            number = self._scope_numbers[id(scope)] = len(self._scopes)
            self._scopes.append(list(scope.values()))
        return number

    @property
    def source(self) -> str:
        """The program's text."""
        functions = [
            f"def __heddle_{number}__({', '.join(names)}):\n    return {code}\n"
            for (code, names), number in self._functions.items()
        ]
        names = ", ".join(f"__heddle_{number}__" for number in range(len(functions)))
        return "".join([PRELUDE, *functions, f"__heddle_functions__ = [{names}]\n", _LOOP])

    @property
    def inputs(self) -> dict[str, Any]:
        """The values that the program reads."""
        return {"__heddle_scopes__": self._scopes, "__heddle_calls__": self._calls}
