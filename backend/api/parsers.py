"""Bodies are JSON, read with bounds: size, depth, duplicate keys and NUL characters."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

MAX_DEPTH = 64
STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
BRACKET = re.compile(rb"[\[\]{}]")
OPENERS = frozenset({b"[", b"{"})


class StrictJSONParser(BaseParser):
    """Reads a JSON body, or says what is wrong with it."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Read the value."""
        return parse_json(read_bounded(stream))


def read_bounded(stream: IO[bytes]) -> bytes:
    """Read a body up to the installation's limit.

    Raises:
        RequestDataTooBig: The body is longer.
    """
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    body = stream.read(limit + 1)
    if len(body) > limit:
        raise RequestDataTooBig
    return body


def parse_json(body: bytes) -> Any:
    """Read a JSON text.

    Raises:
        ParseError: It is no JSON, too deep, or holds what cannot be kept.
    """
    if deepest(body) > MAX_DEPTH:
        raise ParseError(f"The JSON is nested deeper than {MAX_DEPTH} levels.")
    try:
        value = json.loads(
            body.decode("utf-8"), object_pairs_hook=_unique_keys, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError as error:
        raise ParseError("The body is not UTF-8.") from error
    except ValueError as error:
        raise ParseError(f"The body is not valid JSON: {error}") from error
    refuse_unstorable(value)
    return value


def deepest(body: bytes) -> int:
    """Count how deep brackets nest outside of strings, before any parser recurses into them."""
    depth = deepest_so_far = 0
    for bracket in BRACKET.findall(STRING.sub(b"", body)):
        depth += 1 if bracket in OPENERS else -1
        deepest_so_far = max(deepest_so_far, depth)
    return deepest_so_far


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {twice!r} appears twice in one object")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def refuse_unstorable(value: Any) -> None:
    """Refuse text that the database cannot keep, anywhere in a value.

    Raises:
        ParseError: A NUL character or half of a surrogate pair.
    """
    pending = [value]
    while pending:
        match pending.pop():
            case str(text):
                _refuse_text(text)
            case dict(items):
                pending.extend(items.keys())
                pending.extend(items.values())
            case list(items):
                pending.extend(items)
            case _:
                pass


def _refuse_text(text: str) -> None:
    if "\0" in text:
        raise ParseError("NUL characters (U+0000) are not allowed in text.")
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise ParseError("Text holds half of a surrogate pair; send valid Unicode.")
