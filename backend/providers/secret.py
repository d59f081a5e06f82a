"""A secret that shows itself to nobody who does not ask for it."""

from collections.abc import Callable
from typing import NoReturn


class Secret:
    """Wraps a secret, or the function that decrypts it at the moment of use."""

    __slots__ = ("_source",)

    def __init__(self, source: str | Callable[[], str]) -> None:
        self._source = source

    def reveal(self) -> str:
        """Give the secret itself."""
        return self._source() if callable(self._source) else self._source

    def __repr__(self) -> str:
        return "Secret('***')"

    def __str__(self) -> str:
        return "***"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A secret cannot be pickled.")
