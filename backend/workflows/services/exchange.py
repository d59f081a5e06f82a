"""Documents as texts: JSON and YAML with the same keys, read in bounds, written without loss."""

import io
import json
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from rest_framework.exceptions import ParseError
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.representer import SafeRepresenter

from backend.api.parsers import parse_json, refuse_unstorable
from backend.engine.errors import DomainError
from backend.workflows.services.yaml_reader import YamlRefused, read_events

Format = Literal["json", "yaml"]
#: Reading YAML takes some six seconds for a megabyte.
MAX_YAML_BYTES = 1024 * 1024


class TextUnreadable(DomainError):
    """The text is no JSON or YAML that could hold a document."""

    code: ClassVar[str] = "unreadable_text"


def read_text(text: str, *, format: Format) -> Any:
    """Read a document's text into its JSON value.

    Raises:
        TextUnreadable: It is malformed, too large, too deep, or uses anchors and aliases.
    """
    return read_yaml(text) if format == "yaml" else _read_json(text)


def _read_json(text: str) -> Any:
    try:
        return parse_json(text.encode("utf-8", "surrogatepass"))
    except ParseError as error:
        raise TextUnreadable(str(error.detail)) from error


def read_yaml(text: str) -> Any:
    """Read YAML as the JSON value it stands for; see `read_text`."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_YAML_BYTES:
        raise TextUnreadable(
            f"The YAML has {size} bytes; at most {MAX_YAML_BYTES} are read. Import it as JSON."
        )
    try:
        value = read_events(YAML(typ="safe", pure=True).parse(text))
        refuse_unstorable(value)
    except (YAMLError, YamlRefused) as error:
        raise TextUnreadable(f"The YAML cannot be read: {error}") from error
    except ParseError as error:
        raise TextUnreadable(str(error.detail)) from error
    return value


def write_text(document: Mapping[str, Any], *, format: Format) -> str:
    """Write a document's text; reading it gives the document back."""
    if format == "yaml":
        return write_yaml(document)
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def write_yaml(document: Mapping[str, Any]) -> str:
    """Write YAML in the document's own order, longer texts as blocks."""
    yaml = YAML(typ="safe", pure=True)
    yaml.Representer = _BlockRepresenter
    yaml.default_flow_style = False
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    yaml.allow_unicode = True
    yaml.width = 4096
    stream = io.StringIO()
    yaml.dump(document, stream)
    return stream.getvalue()


class _BlockRepresenter(SafeRepresenter):
    """Shows texts of several lines as they are, and repeats values rather than alias them."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - the library passes it
        return True

    def represent_text(self, data: str) -> Any:
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=_style_of(data))


def _style_of(text: str) -> str | None:
    # Only double quotes can escape; without them the emitter loses line breaks that are not \n.
    if not all(char.isprintable() or char == "\n" for char in text):
        return '"'
    return "|" if "\n" in text and not text.startswith((" ", "\n")) else None


_BlockRepresenter.add_representer(str, _BlockRepresenter.represent_text)
