"""JSON Schemas that authors write: checked and applied without leaving the process."""

from collections.abc import Mapping
from typing import Any, NoReturn

import jsonschema_rs


class SchemaInvalid(ValueError):
    """A JSON Schema that cannot be used; the message says why."""


def compile_schema(schema: Mapping[str, Any]) -> jsonschema_rs.Validator:
    """Make a validator of `schema`.

    Patterns run in linear time and no reference is fetched: the schema is somebody's input.

    Raises:
        SchemaInvalid: It is no JSON Schema, or refers to something outside itself.
    """
    try:
        return jsonschema_rs.validator_for(
            dict(schema),
            retriever=_refuse_fetching,
            pattern_options=jsonschema_rs.RegexOptions(),
        )
    except (ValueError, jsonschema_rs.ValidationError) as error:
        raise SchemaInvalid(str(error).splitlines()[0]) from None


def problems(schema: Mapping[str, Any], value: Any) -> list[tuple[str, str]]:
    """List where `value` departs from `schema`, as pairs of path and message.

    Raises:
        SchemaInvalid: The schema itself cannot be used.
    """
    found = []
    for error in compile_schema(schema).iter_errors(value):
        path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.instance_path)
        found.append((path.lstrip("."), error.message))
    return found


def with_defaults(schema: Mapping[str, Any], value: Mapping[str, Any]) -> dict[str, Any]:
    """Fill the properties that `value` lacks from the schema's defaults, at the first level."""
    properties = schema.get("properties")
    filled = dict(value)
    if isinstance(properties, Mapping):
        for name, part in properties.items():
            if name not in filled and isinstance(part, Mapping) and "default" in part:
                filled[name] = part["default"]
    return filled


def _refuse_fetching(uri: str) -> NoReturn:
    raise ValueError(f"the reference {uri} leads outside the schema; copy what it names into it")
