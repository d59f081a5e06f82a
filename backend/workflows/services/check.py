"""Reads a document's shape and lists its issues, with what its workspace has in mind."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any
from uuid import UUID

from django.conf import settings

from backend.api.sql import query
from backend.engine.document import Document, Facts, Issue, parse_document
from backend.engine.limits import Limits
from backend.engine.rules.resources import WORKFLOW_KIND
from backend.engine.spec import KindSpec
from backend.engine.upgrade import upgrade_document
from backend.engine.validate import validate
from backend.nodes.registry import KINDS

#: The kind of credential that gives models.
MODEL_ENDPOINT = "openai"


@cache
def specs() -> Mapping[str, KindSpec]:
    """The specs of every kind that this installation knows."""
    return {name: kind.spec for name, kind in KINDS.items()}


def read_document(data: object) -> tuple[dict[str, Any], Document]:
    """Bring a document to the current schema; give it as JSON and as a value.

    Raises:
        DocumentMalformed: It has not the shape of a document.
        DocumentTooLarge: It is larger than the installation accepts.
    """
    document = upgrade_document(data) if isinstance(data, Mapping) else data
    parsed = parse_document(document, document_limits())
    return dict(document), parsed  # type: ignore[call-overload]


def issues_of(document: Document, *, workspace_id: UUID) -> list[Issue]:
    """List what keeps the document from running, and what its author should know."""
    facts = replace(facts_of(workspace_id), workflow_ids=_workflows_in(workspace_id, document))
    return validate(document, specs(), facts, document_limits())


def document_limits() -> Limits:
    """Give how large documents may be here."""
    return Limits(
        document_bytes=settings.HEDDLE_MAX_DOCUMENT_BYTES,
        nodes=settings.HEDDLE_MAX_NODES,
        nesting=settings.HEDDLE_MAX_NESTING,
        map_items=settings.HEDDLE_MAX_MAP_ITEMS,
        loop_rounds=settings.HEDDLE_MAX_LOOP_ROUNDS,
    )


FACTS = "SELECT id, kind, is_default FROM credentials_credential WHERE workspace_id = %s"


def facts_of(workspace_id: UUID) -> Facts:
    """What the workspace has in mind for any document: its credentials."""
    rows = query(FACTS, [workspace_id])
    return Facts(
        credential_ids=frozenset(str(id) for id, _, _ in rows),
        default_credential_kinds=frozenset(kind for _, kind, default in rows if default),
    )


WORKFLOWS = """
SELECT id FROM workflows_workflow
WHERE workspace_id = %s AND deleted_at IS NULL AND id::text = ANY(%s)
"""


def _workflows_in(workspace_id: UUID, document: Document) -> frozenset[str]:
    """Which of the workflows that the document runs are there; others are not looked up."""
    named = [node.config.get("workflow") for node in document.nodes if node.kind == WORKFLOW_KIND]
    asked = [name for name in named if isinstance(name, str)]
    if not asked:
        return frozenset()
    return frozenset(str(id) for (id,) in query(WORKFLOWS, [workspace_id, asked]))
