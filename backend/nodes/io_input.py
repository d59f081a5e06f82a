"""io.input: where a run begins; its output is the run's inputs."""

from collections.abc import Mapping
from typing import Any

from backend.engine.spec import KindSpec
from backend.nodes.base import Kind, Outcome
from backend.nodes.fields import Settings


class Config(Settings):
    """No settings: what a run asks for is described by the workflow's inputs."""


def evaluate(_config: Config, inputs: Mapping[str, Any]) -> Outcome:
    """Pass the run's inputs on."""
    return Outcome(output=dict(inputs))


KIND = Kind(
    spec=KindSpec(
        kind="io.input",
        version=1,
        title="Input",
        summary="Starts the run with the values it was given.",
        family="in_out",
        icon="input",
        config_model=Config,
        output="The run's inputs.",
        inline=True,
        deterministic=True,
        in_ports=(),
        needs_inputs=True,
    ),
    evaluate=evaluate,
)
