"""Changes of a graph while its run goes on: what a patch makes, and what forbids it."""

from collections.abc import Iterator, Mapping, Sequence, Set

from backend.engine.document import Document, Facts, Issue
from backend.engine.limits import DEFAULT_LIMITS, Limits
from backend.engine.patch_draft import Draft
from backend.engine.patch_operations import Operation, PatchMalformed, parse_operations
from backend.engine.patch_started import alterations
from backend.engine.spec import KindSpec
from backend.engine.validate import validate


def apply_operations(document: Document, operations: Sequence[Operation]) -> Document:
    """Carry operations out, one after the other.

    Raises:
        PatchMalformed: One of them names what is not there, or adds what is.
    """
    draft = Draft.of(document)
    found = [draft.carry_out(one, _place(number)) for number, one in enumerate(operations)]
    if issues := [issue for issue in found if issue]:
        raise PatchMalformed.of(issues)
    return draft.document()


def check_patch(
    document: Document,
    operations: Sequence[Operation],
    *,
    started: Set[str],
    specs: Mapping[str, KindSpec],
    facts: Facts | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> list[Issue]:
    """List what forbids a patch, and what its author should know.

    Nothing that `started` may be altered, and what comes out must be a document that can run.
    """
    draft = Draft.of(document)
    issues: list[Issue] = []
    for number, operation in enumerate(operations):
        issues += alterations(draft, operation, _place(number), started)
        if issue := draft.carry_out(operation, _place(number)):
            issues.append(issue)
    if issues:
        return issues
    return [*_too_large(draft, limits), *validate(draft.document(), specs, facts, limits)]


def _too_large(draft: Draft, limits: Limits) -> Iterator[Issue]:
    for what, count, most in (
        ("nodes", len(draft.nodes), limits.nodes),
        ("edges", len(draft.edges), limits.edges),
    ):
        if count > most:
            yield Issue(
                "limit_exceeded",
                f"The graph would have {count} {what}; at most {most} are allowed "
                "(HEDDLE_MAX_NODES). Remove what is no longer needed, or run a workflow instead.",
                None,
                what,
            )
    size = len(draft.document().model_dump_json(by_alias=True).encode())
    if size > limits.document_bytes:
        yield Issue(
            "limit_exceeded",
            f"The graph would have {size} bytes; at most {limits.document_bytes} are allowed "
            "(HEDDLE_MAX_DOCUMENT_BYTES). Move large texts out of it.",
        )


def _place(number: int) -> str:
    return f"operations[{number}]"


__all__ = ["Operation", "PatchMalformed", "apply_operations", "check_patch", "parse_operations"]
