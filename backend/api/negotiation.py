"""Which form an answer takes: there is one, and most requests take any."""

from collections.abc import Iterable
from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

ANY = frozenset({"*/*", "application/json"})


class JSONUnlessRefused(DefaultContentNegotiation):
    """The framework's rules, which need not be gone through when they can end in one way only."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> Any:
        """Give the renderer and the media type."""
        known = list(renderers)
        if len(known) == 1 and request.META.get("HTTP_ACCEPT", "*/*") in ANY:
            return known[0], known[0].media_type
        return super().select_renderer(request, known, format_suffix)
