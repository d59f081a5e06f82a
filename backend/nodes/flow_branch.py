"""flow.branch: goes on along the ports whose conditions are true."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints, field_validator

from backend.engine.evaluation import Failure
from backend.engine.expressions import Bare
from backend.engine.spec import DynamicPorts, KindSpec, Port
from backend.nodes.base import Kind, NodeError, Outcome
from backend.nodes.fields import Expression, Settings, Static, widget
from backend.nodes.passing_on import passed_on

_PORT = r"^[A-Za-z_][A-Za-z0-9_]{0,63}$"
#: Ports that edges may name with another meaning.
_RESERVED = frozenset({"in", "error"})

PortName = Annotated[str, StringConstraints(pattern=_PORT), Static]


class Case(Settings):
    """A port and when to take it."""

    port: PortName = Field(
        title="Port",
        description="Its name; edges start from it.",
        json_schema_extra=widget("text", fixed=True),
    )
    when: Expression = Field(
        title="When",
        description="A condition, for example nodes.check.output.status >= 400.",
        json_schema_extra=widget("expression"),
    )


class Config(Settings):
    """The cases, in the order in which they are tried."""

    cases: list[Case] = Field(
        min_length=1,
        title="Cases",
        description="The first case that is true is taken.",
        json_schema_extra=widget("cases"),
    )
    default: PortName | None = Field(
        default="else",
        title="Otherwise",
        description="The port to take when no case is true; empty: nothing goes on.",
        json_schema_extra=widget("text", fixed=True),
    )
    take_all: Annotated[bool, Static] = Field(
        default=False,
        title="Take all that are true",
        description="Every case that is true is taken, not only the first.",
        json_schema_extra=widget("switch", fixed=True),
    )

    @field_validator("cases")
    @classmethod
    def _check_ports(cls, cases: list[Case]) -> list[Case]:
        names = [case.port for case in cases]
        if len(set(names)) < len(names):
            raise ValueError("Two cases have the same port; give each its own name.")
        for name in names:
            _refuse_reserved(name)
        return cases

    @field_validator("default")
    @classmethod
    def _check_default(cls, name: str | None) -> str | None:
        _refuse_reserved(name)
        return name


def _refuse_reserved(name: str | None) -> None:
    if name in _RESERVED:
        raise ValueError(f"“{name}” is the name of another port; choose a different one.")


def evaluate(config: Config, inputs: Mapping[str, Any]) -> Outcome:
    """Choose the ports and pass on what arrived."""
    taken: list[str] = []
    for number, case in enumerate(config.cases):
        if taken and not config.take_all:
            break
        if isinstance(case.when, Failure):
            raise NodeError(case.when.code, f"Case {number + 1} ({case.port}): {case.when.message}")
        if case.when:
            taken.append(case.port)
    if not taken and config.default:
        taken.append(config.default)
    return Outcome(output=passed_on(inputs), ports=tuple(taken))


KIND = Kind(
    spec=KindSpec(
        kind="flow.branch",
        version=1,
        title="Branch",
        summary="Goes on where a condition is true.",
        family="control",
        icon="branch",
        config_model=Config,
        output="What arrived: the output of the node before, or of several by their ids.",
        inline=True,
        deterministic=True,
        out_ports=(Port("else", "Otherwise"),),
        dynamic_ports=DynamicPorts(field="cases", key="port", also="default"),
        needs_inputs=True,
        bare=Bare(expressions=("cases[].when",)),
    ),
    evaluate=evaluate,
)
