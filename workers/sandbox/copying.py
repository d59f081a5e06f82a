"""Copies what code may read, so that no other code sees what it does with it."""

from typing import Any

_PLAIN = frozenset([int, float, bool, type(None)])
#: What a value takes beside its characters.
_VALUE_CHARS = 16


class NotCopied(Exception):
    """A value is larger than may be copied, or is no plain JSON."""


class Copying:
    """Copies JSON values of so many characters in all."""

    def __init__(self, chars: int) -> None:
        self.left = chars

    def copy(self, value: Any) -> Any:
        """Copy objects and lists all through.

        Raises:
            NotCopied: There is more in it, or something else.
        """
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind is str:
            self._spend(len(value))
            return value
        if kind is dict:
            self._spend(_VALUE_CHARS * (len(value) + 1))
            return {
                key: item if type(item) in _PLAIN else self.copy(item)
                for key, item in value.items()
            }
        if kind is list:
            self._spend(_VALUE_CHARS * (len(value) + 1))
            return [item if type(item) in _PLAIN else self.copy(item) for item in value]
        raise NotCopied

    def _spend(self, chars: int) -> None:
        self.left -= chars
        if self.left < 0:
            raise NotCopied
