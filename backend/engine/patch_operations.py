"""The operations of a patch: their shape, and how a malformed one is refused."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from backend.engine.document import Edge, Issue, Node, NodeId, issue_of, refuse_unstorable
from backend.engine.errors import DomainError
from backend.engine.limits import DEFAULT_LIMITS, Limits


class PatchMalformed(DomainError):
    """The operations have not the shape of a patch, or cannot be carried out."""

    code: ClassVar[str] = "malformed_patch"

    @classmethod
    def of(cls, issues: Sequence[Issue]) -> "PatchMalformed":
        """Make it of what was found."""
        return cls(
            f"The patch cannot be carried out: {issues[0].message}",
            issues=[issue.to_json() for issue in issues],
        )


class _Operation(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class AddNode(_Operation):
    """Put a new node into the graph."""

    op: Literal["add_node"]
    node: Node


class ReplaceNode(_Operation):
    """Put another node in the place of one with the same id; its edges stay."""

    op: Literal["replace_node"]
    node: Node


class RemoveNode(_Operation):
    """Take a node out, with its edges and with what it holds."""

    op: Literal["remove_node"]
    id: NodeId


class AddEdge(_Operation):
    """Connect two nodes."""

    op: Literal["add_edge"]
    edge: Edge


class RemoveEdge(_Operation):
    """Take an edge out."""

    op: Literal["remove_edge"]
    edge: Edge


Operation = AddNode | ReplaceNode | RemoveNode | AddEdge | RemoveEdge

_MODELS: Mapping[str, type[_Operation]] = {
    "add_node": AddNode,
    "replace_node": ReplaceNode,
    "remove_node": RemoveNode,
    "add_edge": AddEdge,
    "remove_edge": RemoveEdge,
}


def parse_operations(data: object, limits: Limits = DEFAULT_LIMITS) -> list[Operation]:
    """Read a patch from its JSON value, a list of operations.

    Raises:
        PatchMalformed: It has not the shape of a patch; carries every problem found.
        DocumentMalformed: It holds what no JSON can hold.
        DocumentTooLarge: It is larger than a whole document may be.
    """
    if not isinstance(data, Sequence) or isinstance(data, str | bytes):
        raise PatchMalformed(
            "A patch is a list of operations.",
            issues=[Issue("malformed", "Send a list of objects with op.").to_json()],
        )
    whole = {"operations": list(data)}
    refuse_unstorable(whole, limits, what="patch")
    operations: list[Operation] = []
    issues: list[Issue] = []
    for place, item in enumerate(data):
        try:
            operations.append(_parse(item))
        except ValidationError as error:
            issues += [_placed(one, place, whole) for one in error.errors(include_url=False)]
        except ValueError as error:
            issues.append(Issue("malformed", str(error), None, f"operations[{place}].op"))
    if issues:
        raise PatchMalformed.of(issues)
    return operations


def _parse(item: object) -> Operation:
    name = item.get("op") if isinstance(item, Mapping) else None
    model = _MODELS.get(name) if isinstance(name, str) else None
    if model is None:
        raise ValueError(f"An operation is an object whose op is one of {', '.join(_MODELS)}.")
    return cast("Operation", model.model_validate(item))


def _placed(problem: Any, place: int, whole: Mapping[str, Any]) -> Issue:
    return issue_of({**problem, "loc": ("operations", place, *problem["loc"])}, whole)
