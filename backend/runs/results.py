"""Results of steps: small ones in their row, large ones by digest in the result store."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages

INLINE_BYTES = 64 * 1024
PREVIEW_CHARS = 200

# Made once: `json.dumps` makes one for every call that wants anything special.
_compact = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_readable = json.JSONEncoder(ensure_ascii=False)


class ResultNotStorable(ValueError):
    """A result that is no JSON value, or too large; the message is for the author of the graph."""


@dataclass(frozen=True)
class Encoded:
    """A result ready to be stored. `digest` is set if the text belongs into the store."""

    text: str
    size: int
    preview: str
    digest: str = ""


def encode(value: Any) -> Encoded:
    """Write a result as JSON text.

    Raises:
        ResultNotStorable: It holds NaN, broken Unicode or something that is no JSON, or is larger
            than the installation keeps.
    """
    try:
        text = _compact.encode(value)
        raw = text.encode()
        shown = preview(value)
    except UnicodeEncodeError:
        raise ResultNotStorable(
            "The result holds broken Unicode (a lone surrogate); decode its text properly."
        ) from None
    except (TypeError, ValueError, RecursionError) as error:
        raise ResultNotStorable(
            f"The result is no JSON value ({error}); return numbers, texts, lists and objects."
        ) from None
    if len(raw) > settings.HEDDLE_MAX_RESULT_BYTES:
        raise ResultNotStorable(
            f"The result has {len(raw)} bytes; at most {settings.HEDDLE_MAX_RESULT_BYTES} are kept "
            "(HEDDLE_MAX_RESULT_BYTES). Return less, for example only the fields that later nodes "
            "read."
        )
    digest = hashlib.sha256(raw).hexdigest() if len(raw) > INLINE_BYTES else ""
    return Encoded(text=text, size=len(raw), preview=shown, digest=digest)


def preview(value: Any) -> str:
    """The first characters of a value as a person would read it."""
    text = value if isinstance(value, str) else _readable.encode(_head(value))
    text = text[: PREVIEW_CHARS + 1].replace("\x00", "\N{REPLACEMENT CHARACTER}")
    return text if len(text) <= PREVIEW_CHARS else text[: PREVIEW_CHARS - 1] + "…"


def _head(value: Any) -> Any:
    # A preview of a large list must not cost as much as the list.
    if isinstance(value, list):
        return [_head(item) for item in value[:20]]
    if isinstance(value, Mapping):
        return {key: _head(item) for key, item in list(value.items())[:20]}
    return value[: PREVIEW_CHARS * 2] if isinstance(value, str) else value


def keep(workspace_id: UUID, encoded: Encoded) -> None:
    """Put a large result into the store; the same content twice is stored once."""
    name = _name(workspace_id, encoded.digest)
    if not _store().exists(name):
        _store().save(name, ContentFile(encoded.text.encode()))


def load(workspace_id: UUID, digest: str) -> Any:
    """Read a large result back.

    Raises:
        OSError: It is not there, or not whole.
    """
    name = _name(workspace_id, digest)
    with _store().open(name) as file:
        try:
            return json.loads(file.read())
        except ValueError as error:
            raise OSError(f"the stored result {name} is damaged") from error


def _store() -> Storage:
    return storages["results"]


def _name(workspace_id: UUID, digest: str) -> str:
    return f"{workspace_id}/{digest[:2]}/{digest}.json"
