"""A run's events as Server-Sent Events, at the address that also gives them as JSON."""

import json
import time
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from backend.engine.events import Event
from backend.realtime.reading import follow_events
from backend.runs.models import Run
from backend.runs.views import RunEventsView
from backend.workspaces.permissions import principal_of

EVENT_STREAM = "text/event-stream"
#: Proxies close what is silent for long.
HEARTBEAT_S = 15.0


def run_events(request: HttpRequest, run_id: UUID) -> HttpResponseBase:
    """Give the events in the form that the Accept header asks for."""
    wants_stream = EVENT_STREAM in request.headers.get("Accept", "")
    view = RunEventStreamView if wants_stream else RunEventsView
    return view.as_view()(request, run_id=run_id)


class _ErrorsAsJson(BaseContentNegotiation):
    def select_parser(self, request: Request, parsers: Any) -> Any:
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        return JSONRenderer(), JSONRenderer.media_type


class RunEventStreamView(APIView):
    """The stream; it closes after the run's last event."""

    content_negotiation_class = _ErrorsAsJson
    http_method_names = ["get"]
    schema = None

    def get(self, request: Request, run_id: UUID) -> StreamingHttpResponse:
        """Check who asks, then stream."""
        run = get_object_or_404(Run.objects.visible_to(principal_of(request)), id=run_id)
        return StreamingHttpResponse(
            _frames(run.id, after=_cursor(request)),
            content_type=EVENT_STREAM,
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )


def _cursor(request: Request) -> int:
    text = request.headers.get("Last-Event-ID") or request.query_params.get("after") or "0"
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise ParseError("Last-Event-ID and `after` are numbers of events, from 0.")
    return int(text)


async def _frames(run_id: UUID, *, after: int) -> AsyncIterator[str]:
    spoken_at = time.monotonic()
    yield ": open\n\n"
    async for events in follow_events(run_id, after=after):
        if events:
            yield "".join(_frame(event) for event in events)
            spoken_at = time.monotonic()
        elif time.monotonic() - spoken_at > HEARTBEAT_S:
            yield ": still here\n\n"
            spoken_at = time.monotonic()


def _frame(event: Event) -> str:
    data = json.dumps(event.to_json(), ensure_ascii=False, separators=(",", ":"))
    return f"id: {event.seq}\nevent: {event.type}\ndata: {data}\n\n"
