"""flow.workflow: runs another workflow as one step."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from backend.engine.spec import Effects, KindSpec
from backend.nodes.base import Kind, NodeContext, RunWorkflow
from backend.nodes.fields import Settings, Static, widget


def _check_version(value: Any) -> Any:
    number = isinstance(value, int) and not isinstance(value, bool) and value >= 1
    if not number and value != "latest":
        raise ValueError("Write latest, or the number of a published version, from 1.")
    return value


class Config(Settings):
    """Which workflow to run, and with what."""

    workflow: Annotated[str, Static, Field(min_length=1)] = Field(
        title="Workflow",
        description="The id of a workflow of this workspace.",
        json_schema_extra=widget("text", fixed=True),
    )
    version: Annotated[int | Literal["latest"], BeforeValidator(_check_version), Static] = Field(
        default="latest",
        title="Version",
        description="The number of a published version; latest is the newest one, else the draft.",
        json_schema_extra=widget("text", fixed=True),
    )
    inputs: dict[str, Any] = Field(
        default_factory=dict,
        title="Inputs",
        description="What it is given, by the names of its inputs.",
        json_schema_extra=widget("key-values"),
    )


async def run(_context: NodeContext, config: Config, _inputs: Mapping[str, Any]) -> RunWorkflow:
    """Ask for the run."""
    version = config.version if isinstance(config.version, int) else None
    return RunWorkflow(workflow_id=config.workflow, version=version, inputs=config.inputs)


KIND = Kind(
    spec=KindSpec(
        kind="flow.workflow",
        version=1,
        title="Workflow",
        summary="Runs another workflow and gives its outputs.",
        family="control",
        icon="workflow",
        config_model=Config,
        output="The outputs of its run, by their names.",
        # It may contain a node that changes something outside, and may come to after any edit.
        effects=Effects.OUTWARD,
    ),
    run=run,
)
