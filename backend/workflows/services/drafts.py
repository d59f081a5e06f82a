"""Drafts: made, saved against a revision, renamed, deleted and brought back."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone

from backend.engine.document import Document
from backend.engine.errors import DomainError
from backend.workflows.models import Workflow, WorkflowVersion
from backend.workflows.services.check import issues_of, read_document
from backend.workflows.services.graphs import digest_of
from backend.workspaces.principal import Principal

MAX_NAME = 200


class VersionUnknown(DomainError):
    """The workflow has no version of that number."""

    code: ClassVar[str] = "unknown_version"
    status: ClassVar[int] = 404


class RevisionConflict(DomainError):
    """Somebody else saved the draft since the sender read it; carries both sides."""

    code: ClassVar[str] = "revision_conflict"
    status: ClassVar[int] = 409

    def __init__(self, *, mine: dict[str, Any], theirs: dict[str, Any]) -> None:
        super().__init__(
            f"The draft was saved as revision {theirs['revision']} since you opened revision "
            f"{mine['revision']}. Keep yours or take theirs.",
            extra={"mine": mine, "theirs": theirs},
        )


def create_workflow(*, principal: Principal, document: object) -> Workflow:
    """Make a workflow from a document; it may have issues."""
    data, parsed = read_document(document)
    return Workflow.objects.create(
        workspace_id=principal.workspace_id,
        created_by_id=principal.user_id,
        updated_by_id=principal.user_id,
        **_draft_fields(data, parsed, workspace_id=principal.workspace_id),
    )


def save_draft(
    *, principal: Principal, workflow: Workflow, document: object, revision: int
) -> Workflow:
    """Save a draft that was made from `revision`.

    Raises:
        RevisionConflict: The draft is not at that revision any more.
    """
    data, parsed = read_document(document)
    fields = _draft_fields(data, parsed, workspace_id=principal.workspace_id)
    fields["draft_changed"] = _differs_from_latest(workflow, data)
    fields["updated_by_id"] = principal.user_id
    saved = Workflow.objects.replace_draft(
        id=workflow.id, expected_revision=revision, fields=fields
    )
    workflow.refresh_from_db()
    if not saved:
        raise RevisionConflict(
            mine={"revision": revision, "document": data}, theirs=_current_side(workflow)
        )
    return workflow


def rename_workflow(*, principal: Principal, workflow: Workflow, name: str) -> Workflow:
    """Give the workflow another name, in its document too."""
    document = {**workflow.document, "name": name}
    return save_draft(
        principal=principal, workflow=workflow, document=document, revision=workflow.revision
    )


def duplicate_workflow(*, principal: Principal, workflow: Workflow) -> Workflow:
    """Make a new workflow from the draft of another."""
    suffix = " (copy)"
    name = workflow.name[: MAX_NAME - len(suffix)] + suffix
    return create_workflow(principal=principal, document={**workflow.document, "name": name})


def delete_workflow(workflow: Workflow) -> None:
    """Take the workflow out of sight; its runs stay, and it can be restored."""
    Workflow.objects.filter(id=workflow.id, deleted_at=None).update(deleted_at=timezone.now())


def restore_workflow(workflow: Workflow) -> None:
    """Bring a deleted workflow back."""
    Workflow.objects.filter(id=workflow.id).update(deleted_at=None)
    workflow.refresh_from_db()


def document_at(workflow: Workflow, version: str) -> dict[str, Any]:
    """Give the document of a version by its number, or of the draft.

    Raises:
        VersionUnknown: There is no such version.
    """
    if version == "draft":
        return dict(workflow.document)
    found = None
    if version.isascii() and version.isdigit() and len(version) < 10:
        found = workflow.versions.select_related("graph").filter(number=int(version)).first()
    if found is None:
        raise VersionUnknown(f"There is no version {version[:20]!r}; name a number or `draft`.")
    return dict(found.graph.document)


def _draft_fields(data: dict[str, Any], parsed: Document, *, workspace_id: UUID) -> dict[str, Any]:
    issues = issues_of(parsed, workspace_id=workspace_id)
    return {
        "name": parsed.name,
        "description": parsed.description,
        "document": data,
        "issues": [issue.to_json() for issue in issues],
        "node_count": len(parsed.nodes),
        # What keeps it from running; a warning may have gone by the time the list is read.
        "issue_count": sum(issue.severity == "error" for issue in issues),
    }


def _differs_from_latest(workflow: Workflow, document: Mapping[str, Any]) -> bool:
    published = (
        WorkflowVersion.objects.filter(workflow_id=workflow.id)
        .order_by("-number")
        .values_list("graph__digest", flat=True)
        .first()
    )
    return published != digest_of(document)


def _current_side(workflow: Workflow) -> dict[str, Any]:
    person = workflow.updated_by
    return {
        "revision": workflow.revision,
        "document": workflow.document,
        "updated_at": workflow.updated_at,
        "updated_by": person and {"id": person.id, "name": person.display_name},
    }
