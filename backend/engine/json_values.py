"""What counts as JSON here: values that every part of the product can keep and show."""

import math
from typing import Any

MAX_DEPTH = 128
MAX_BYTES = 16 * 1024 * 1024
_MAX_INT_BITS = 1024
_NUMBER_BYTES = 8


class NotJson(ValueError):
    """A value that cannot be stored as JSON; the message says what to do about it."""


class TooLarge(NotJson):
    """A value that is JSON, but more of it than may be kept."""


def to_json(value: Any, *, max_bytes: int = MAX_BYTES) -> Any:
    """Copy `value` as JSON; tuples become lists.

    Raises:
        NotJson: Something in it is no JSON: a set, bytes, NaN, a key that is no text.
        TooLarge: It is larger than `max_bytes`.
    """
    return _Copy(max_bytes).copy(value, 0)


def storable_text(text: str) -> str:
    """Replace what no JSON column takes: NUL and halves of surrogate pairs."""
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    return text.encode("utf-8", "replace").decode("utf-8") if _has_surrogate(text) else text


def storable(value: Any, *, depth: int = 0) -> Any:
    """Replace what no JSON column takes in all texts and keys of a parsed JSON value.

    Raises:
        NotJson: It is nested too deeply.
    """
    if depth > MAX_DEPTH:
        raise NotJson(f"the value is nested more than {MAX_DEPTH} levels deep")
    match value:
        case str():
            return storable_text(value)
        case dict():
            return {storable_text(k): storable(v, depth=depth + 1) for k, v in value.items()}
        case list():
            return [storable(item, depth=depth + 1) for item in value]
        case _:
            return value


class _Copy:
    def __init__(self, max_bytes: int) -> None:
        self._left = self._max_bytes = max_bytes

    def copy(self, value: Any, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise NotJson(f"the result is nested more than {MAX_DEPTH} levels deep")
        if isinstance(value, dict):
            return {self._key(key): self.copy(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple):
            self._spend(2)
            return [self.copy(item, depth + 1) for item in value]
        return self._scalar(value)

    def _scalar(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        self._spend(_NUMBER_BYTES)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            if value.bit_length() > _MAX_INT_BITS:
                raise NotJson("the result holds a whole number of more than 300 digits")
            return int(value)
        if isinstance(value, float):
            if not math.isfinite(value):
                raise NotJson(f"the result holds {value}, which is no JSON number")
            return value
        raise NotJson(_not_json_message(value))

    def _key(self, key: Any) -> str:
        if not isinstance(key, str):
            raise NotJson(f"the keys of an object must be text, but one is {key!r}; use str(key)")
        return self._text(key)

    def _text(self, text: str) -> str:
        # Four bytes at most for a character; the exact size costs more than it tells.
        self._spend(len(text) + 2)
        if "\x00" in text:
            raise NotJson("the result holds a NUL character (\\x00), which cannot be stored")
        if _has_surrogate(text):
            raise NotJson("the result holds half a surrogate pair, which cannot be stored")
        return text

    def _spend(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise TooLarge(f"the result is larger than {self._max_bytes:,} bytes")


def _has_surrogate(text: str) -> bool:
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _not_json_message(value: Any) -> str:
    name = type(value).__name__
    advice = {
        "set": "use sorted(…) or list(…)",
        "frozenset": "use sorted(…) or list(…)",
        "bytes": "use .decode()",
        "datetime": "use .isoformat()",
        "date": "use .isoformat()",
        "Decimal": "use float(…) or str(…)",
    }.get(name, "return text, numbers, lists and objects")
    return f"the result holds a value of type {name}, which is no JSON; {advice}"
