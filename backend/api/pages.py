"""Lists come in pages: `{results, next, previous}`, moved through by `cursor` and `limit`."""

from typing import Any

from rest_framework.filters import OrderingFilter
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request


class CursorPage(CursorPagination):
    """A page found by where the last one ended, so that new rows shift nothing."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "limit"
    ordering: str | tuple[str, ...] = ("-created_at", "-id")

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe a page; `next` and `previous` are always there."""
        address = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["results", "next", "previous"],
            "properties": {"next": address, "previous": address, "results": schema},
        }


class StableOrdering(OrderingFilter):
    """`?ordering=` among the view's `ordering_fields`; the key breaks ties, so no pages overlap."""

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        """List the columns to sort by."""
        chosen = tuple(super().get_ordering(request, queryset, view) or ())
        backwards = bool(chosen) and chosen[0].startswith("-")
        return (*chosen, "-id" if backwards else "id")
