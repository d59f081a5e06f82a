"""Builds the JSON value of a YAML text from its events: no tags, anchors, aliases, dates."""

import re
from collections.abc import Iterable
from typing import Any

from ruamel.yaml import events

from backend.api.parsers import MAX_DEPTH

MAX_VALUES = 200_000
WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
INTEGER = re.compile(r"[-+]?[0-9]{1,4000}|0x[0-9a-fA-F]{1,3000}|0o[0-7]{1,4000}")
NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
NOT_JSON = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


class YamlRefused(Exception):
    """The text is YAML that Heddle does not read."""


class _Key:
    """Stands where a mapping expects its next key."""


NO_KEY = _Key()


class _Builder:
    """Takes events one by one; `root` holds the one value that they make."""

    def __init__(self) -> None:
        self.root: list[Any] = []
        self._open: list[tuple[Any, Any]] = [(self.root, None)]
        self._count = 0

    def take(self, event: Any) -> None:
        """Apply one event."""
        self._refuse(event)
        match event:
            case events.ScalarEvent():
                self._scalar(event)
            case events.MappingStartEvent():
                self._start({}, event)
            case events.SequenceStartEvent():
                self._start([], event)
            case events.MappingEndEvent() | events.SequenceEndEvent():
                self._open.pop()
            case _:
                pass

    def _refuse(self, event: Any) -> None:
        if isinstance(event, events.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise YamlRefused(f"anchors and aliases are not allowed{_place(event)}")
        tag = getattr(event, "tag", None)
        if tag is not None and str(tag) not in ("", "!"):
            raise YamlRefused(f"tags are not allowed{_place(event)}")
        self._count += 1
        if self._count > MAX_VALUES:
            raise YamlRefused(f"it holds more than {MAX_VALUES} values")

    def _start(self, value: Any, event: Any) -> None:
        if len(self._open) > MAX_DEPTH:
            raise YamlRefused(f"it is nested deeper than {MAX_DEPTH} levels")
        self._place_value(value, event)
        self._open.append((value, NO_KEY))

    def _scalar(self, event: Any) -> None:
        container, key = self._open[-1]
        if isinstance(container, dict) and key is NO_KEY:
            if event.value in container:
                raise YamlRefused(f"the key {event.value!r} appears twice{_place(event)}")
            self._open[-1] = (container, event.value)
        else:
            self._place_value(_plain_value(event), event)

    def _place_value(self, value: Any, event: Any) -> None:
        container, key = self._open[-1]
        if isinstance(container, list):
            container.append(value)
        elif key is NO_KEY:
            raise YamlRefused(f"a key must be a text{_place(event)}")
        else:
            container[key] = value
            self._open[-1] = (container, NO_KEY)


def read_events(stream: Iterable[Any]) -> Any:
    """Build the value of a text that holds one YAML document.

    Raises:
        YamlRefused: It uses what JSON has not, or passes a bound.
    """
    builder = _Builder()
    for event in stream:
        builder.take(event)
    if len(builder.root) != 1:
        raise YamlRefused(f"it must hold one document, not {len(builder.root)}")
    return builder.root[0]


def _plain_value(event: Any) -> Any:
    text: str = event.value
    if not event.implicit[0]:
        return text
    if text.lower() in WORDS and text in {text.lower(), text.title(), text.upper()}:
        return WORDS[text.lower()]
    if INTEGER.fullmatch(text):
        return int(text, 0) if text[:2] in ("0x", "0o") else int(text)
    if NUMBER.fullmatch(text):
        return _finite(float(text), event)
    if NOT_JSON.fullmatch(text):
        raise YamlRefused(f"{text} is not a JSON number{_place(event)}")
    return text


def _finite(number: float, event: Any) -> float:
    if number in (float("inf"), float("-inf")):
        raise YamlRefused(f"{event.value} is too large a number{_place(event)}")
    return number


def _place(event: Any) -> str:
    mark = getattr(event, "start_mark", None)
    return f" (line {mark.line + 1})" if mark is not None else ""
