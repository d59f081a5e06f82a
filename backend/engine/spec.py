"""What a kind of node declares: ports, settings, lane, effects."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel

from backend.engine import config_check, expressions
from backend.engine.config_check import ConfigProblem
from backend.engine.expressions import Bare, FoundExpression


class Effects(StrEnum):
    """What running a node does beyond computing its output."""

    NONE = "none"
    PAID = "paid"
    OUTWARD = "outward"


@dataclass(frozen=True)
class Port:
    """A place where edges end or start."""

    name: str
    title: str = ""


@dataclass(frozen=True)
class DynamicPorts:
    """Out-ports that are named by the settings: one for each item of a list, and one more."""

    field: str
    key: str
    also: str | None = None


@dataclass(frozen=True, kw_only=True)
class KindSpec:
    """Everything that is known about a kind of node without running it."""

    kind: str
    version: int
    title: str
    summary: str
    #: in_out, data, calls or control: the palette's headings.
    family: str
    icon: str
    config_model: type[BaseModel]
    #: What the node's output is, in a few words.
    output: str = ""
    lane: str = "io"
    #: Computed inside the scheduling pass, without a place in a queue.
    inline: bool = False
    effects: Effects | Callable[[Mapping[str, Any]], Effects] = Effects.NONE
    deterministic: bool = False
    in_ports: tuple[Port, ...] = (Port("in"),)
    out_ports: tuple[Port, ...] = (Port("out"),)
    dynamic_ports: DynamicPorts | None = None
    #: Wants what arrived on its incoming edges, beside its settings.
    needs_inputs: bool = False
    #: Settings that are Python without braces.
    bare: Bare = field(default_factory=Bare)
    #: The kind holds nodes, and runs them for each item or round after round.
    container: Literal["map", "loop"] | None = None
    #: Top-level settings that are evaluated later than the node starts: for each item or round.
    deferred: tuple[str, ...] = ()

    def effects_of(self, config: Mapping[str, Any]) -> Effects:
        """Tell what a node with these settings does to the outside."""
        return self.effects(config) if callable(self.effects) else self.effects

    def out_ports_of(self, config: Mapping[str, Any]) -> tuple[str, ...]:
        """Name the out-ports of a node with these settings, in the order of the screen."""
        if self.dynamic_ports is None:
            return tuple(port.name for port in self.out_ports)
        return _ports_from_settings(self.dynamic_ports, config, self.config_model)

    def check_config(self, config: Mapping[str, Any]) -> list[ConfigProblem]:
        """List what is wrong with the settings, expressions included."""
        return [
            *config_check.find_problems(self.config_model, config),
            *expressions.syntax_problems(config, bare=self.bare),
        ]

    def load_config(self, resolved: Mapping[str, Any]) -> BaseModel:
        """Build the settings from values whose templates were evaluated.

        Raises:
            ConfigInvalid: The values do not fit the kind.
        """
        return config_check.load(self.config_model, resolved)

    def expressions(self, config: Mapping[str, Any]) -> list[FoundExpression]:
        """Find every expression in the settings, with its path."""
        return expressions.config_expressions(config, bare=self.bare)

    def references(self, config: Mapping[str, Any]) -> set[str]:
        """Name the nodes whose outputs the settings read."""
        return expressions.references(config, bare=self.bare)

    def describe(self) -> dict[str, Any]:
        """Write the spec as JSON for the catalogue of kinds."""
        schema = self.config_model.model_json_schema()
        return {
            "kind": self.kind,
            "version": self.version,
            "title": self.title,
            "summary": self.summary,
            "family": self.family,
            "icon": self.icon,
            "output": self.output,
            "lane": self.lane,
            "inline": self.inline,
            "effects": "depends" if callable(self.effects) else self.effects.value,
            "deterministic": self.deterministic,
            "in_ports": [_port_json(port) for port in self.in_ports],
            "out_ports": [_port_json(port) for port in self.out_ports],
            "dynamic_ports": _dynamic_json(self.dynamic_ports),
            "container": self.container,
            "deferred": list(self.deferred),
            "config_schema": schema,
            "ui": {"order": list(schema.get("properties", {}))},
        }


def _port_json(port: Port) -> dict[str, str]:
    return {"name": port.name, "title": port.title or port.name}


def _dynamic_json(ports: DynamicPorts | None) -> dict[str, str | None] | None:
    if ports is None:
        return None
    return {"field": ports.field, "key": ports.key, "also": ports.also}


def _ports_from_settings(
    ports: DynamicPorts, config: Mapping[str, Any], model: type[BaseModel]
) -> tuple[str, ...]:
    items = config.get(ports.field)
    named = (
        [item.get(ports.key) for item in items or () if isinstance(item, Mapping)]
        if (isinstance(items, list))
        else []
    )
    if ports.also is not None:
        named.append(config.get(ports.also, model.model_fields[ports.also].default))
    return tuple(dict.fromkeys(name for name in named if isinstance(name, str) and name))
