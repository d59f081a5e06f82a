"""Immutable graphs: the same text in the same workspace is compiled and stored once."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from backend.engine.compile import compile_plan
from backend.engine.document import Issue
from backend.engine.errors import DomainError
from backend.engine.validate import is_runnable
from backend.workflows.models import Graph
from backend.workflows.services.check import issues_of, read_document, specs


class DocumentNotRunnable(DomainError):
    """The document has errors; it can be kept as a draft, and neither published nor run."""

    code: ClassVar[str] = "invalid_document"

    def __init__(self, issues: list[Issue]) -> None:
        errors = [issue for issue in issues if issue.severity == "error"]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(
            f"The workflow cannot run yet: {errors[0].message}{more}",
            issues=[issue.to_json() for issue in issues],
        )


def digest_of(document: Mapping[str, Any]) -> str:
    """Name a document by its text; the order of keys counts, as it does for its author."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def runnable_graph(*, workspace_id: UUID, document: Mapping[str, Any]) -> Graph:
    """Give the stored graph of a document, compiling it if it is new here.

    Raises:
        DocumentMalformed: It has not the shape of a document.
        DocumentNotRunnable: It has errors; carries every issue.
    """
    data, parsed = read_document(document)
    issues = issues_of(parsed, workspace_id=workspace_id)
    if not is_runnable(issues):
        raise DocumentNotRunnable(issues)
    graph, _ = Graph.objects.get_or_create(
        workspace_id=workspace_id,
        digest=digest_of(data),
        defaults={"document": data, "plan": compile_plan(parsed, specs()).to_json()},
    )
    return graph
