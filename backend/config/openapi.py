"""The API's description for programs, and a page of it for people."""

from typing import Any

from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import IsAuthenticated

PROBLEM = "Problem"
PROBLEM_ANSWER = {
    "description": "Refused; `code` is stable, `detail` is for people.",
    "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{PROBLEM}"}}},
}
WORKSPACE_PARAMETER = {
    "in": "header",
    "name": "Heddle-Workspace",
    "schema": {"type": "string", "format": "uuid"},
    "description": "The workspace that is meant; by default the person's first, or the key's.",
}
ISSUE = {
    "type": "object",
    "required": ["code", "message", "node_id", "path", "severity"],
    "properties": {
        "code": {"type": "string"},
        "message": {"type": "string"},
        "node_id": {"type": ["string", "null"]},
        "path": {"type": "string"},
        "severity": {"type": "string", "enum": ["error", "warning"]},
    },
}


PROBLEM_SCHEMA = {
    "type": "object",
    "required": ["code", "detail"],
    "properties": {
        "code": {"type": "string"},
        "detail": {"type": "string"},
        "issues": {"type": "array", "items": {"$ref": "#/components/schemas/Issue"}},
    },
}


class SchemaView(SpectacularAPIView):
    """The OpenAPI document."""

    permission_classes = [IsAuthenticated]


class DocsView(SpectacularSwaggerSplitView):
    """The page; its script is an address of its own, so that no script stands in the page."""

    permission_classes = [IsAuthenticated]


def add_conventions(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Say once for every operation what all of them share: how they refuse, which workspace."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas.setdefault("Issue", ISSUE)
    schemas.setdefault(PROBLEM, PROBLEM_SCHEMA)
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"].setdefault("default", PROBLEM_ANSWER)
            operation.setdefault("parameters", []).append(WORKSPACE_PARAMETER)
    return result
