"""Headers of requests and answers."""

import re
from collections.abc import Mapping

from backend.providers.answers import excerpt
from backend.providers.errors import CallFailed

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def check(headers: Mapping[str, str]) -> None:
    """Refuse what would end a header and begin something else.

    Raises:
        CallFailed: A name or a value holds a character that it cannot have.
    """
    for name, value in headers.items():
        if not _NAME.fullmatch(name) or _CONTROL.search(value):
            message = f"The header “{excerpt(name)}” holds a character that headers cannot have."
            raise CallFailed("header_refused", message)


def joined(headers: Mapping[str, str]) -> dict[str, str]:
    """Lower-case the names; what came more than once is put together."""
    result: dict[str, str] = {}
    for name, value in headers.items():
        name = name.lower()  # noqa: PLW2901
        result[name] = f"{result[name]}, {value}" if name in result else value
    return result
