from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import ParseError
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.api.later import AnswerLater
from backend.api.pages import CursorPage, StableOrdering
from backend.api.serializers import ProblemSerializer
from backend.engine.state import FINAL_RUN
from backend.runs import log, serializers, shown
from backend.runs.ends import run_ended
from backend.runs.models import Run, Step
from backend.runs.read import run_detail, run_rows, step_detail, visible_run
from backend.runs.services.cancel import cancel_run
from backend.runs.services.start import RunRequest, start_run
from backend.workflows.services.runnable import workflow_to_run
from backend.workspaces.permissions import principal_of
from backend.workspaces.principal import Principal, Scope

Found = TypeVar("Found")

MAX_WAIT_S = 60
MAX_EVENTS = 1000
#: One for all requests: a serializer copies its fields whenever it is made.
RUN_START = serializers.RunStartSerializer()


def run_or_404(request: Request, run_id: UUID) -> Run:
    """Find a run in the sender's workspace."""
    return or_404(visible_run(principal_of(request), run_id))


def or_404(found: Found | None) -> Found:
    if found is None:
        raise Http404
    return found


class RunFilter(filters.FilterSet):
    workflow = filters.UUIDFilter(field_name="workflow_id")
    status = filters.MultipleChoiceFilter(
        choices=[(value, value) for value in serializers.RUN_STATUSES], distinct=False
    )

    class Meta:
        model = Run
        fields = ["workflow", "status"]


class RunListView(GenericAPIView[Run]):
    queryset = Run.objects.none()
    filter_backends = [filters.DjangoFilterBackend, StableOrdering]
    filterset_class = RunFilter
    pagination_class = CursorPage
    ordering_fields = ["created_at"]
    ordering = ["-created_at"]
    serializer_class = serializers.RunRowSerializer

    def get_queryset(self) -> QuerySet[Run]:
        return Run.objects.visible_to(principal_of(self.request))

    @extend_schema(operation_id="runs_list", responses=serializers.RunRowSerializer(many=True))
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()).values(*shown.RUN))
        return self.get_paginated_response(run_rows(page or []))


class RunStartView(GenericAPIView[Run]):
    queryset = Run.objects.none()
    pagination_class = CursorPage
    serializer_class = serializers.RunRowSerializer
    unsafe_scope = Scope.RUN

    @extend_schema(
        operation_id="workflow_runs_list", responses=serializers.RunRowSerializer(many=True)
    )
    def get(self, request: Request, workflow_id: UUID) -> Response:
        principal = principal_of(request)
        or_404(workflow_to_run(principal, workflow_id))
        runs = Run.objects.visible_to(principal).filter(workflow_id=workflow_id)
        page = self.paginate_queryset(runs.values(*shown.RUN))
        return self.get_paginated_response(run_rows(page or []))

    @extend_schema(
        operation_id="workflow_runs_start",
        request=serializers.RunStartSerializer,
        parameters=[
            OpenApiParameter(
                "wait",
                float,
                description="Hold the answer until the run ends, at most so many seconds.",
            ),
            OpenApiParameter(
                "Idempotency-Key",
                str,
                OpenApiParameter.HEADER,
                description="The same key with the same body gives the same run again.",
            ),
        ],
        responses={200: serializers.RunSerializer, 201: serializers.RunSerializer},
    )
    def post(self, request: Request, workflow_id: UUID) -> Response:
        principal = principal_of(request)
        workflow = or_404(workflow_to_run(principal, workflow_id))
        body = RUN_START.run_validation(request.data)
        wait = _wait_seconds(request)
        started = start_run(
            principal=principal,
            workflow=workflow,
            request=RunRequest(**body, idempotency_key=_idempotency_key(request)),
            trigger=principal.trigger,
        )
        run_id = started.run.id
        code = status.HTTP_201_CREATED if started.created else status.HTTP_200_OK
        answer = partial(shown_run, principal, run_id)
        if not wait:
            return Response(answer(), status=code)
        ended = partial(run_ended, run_id, seconds=wait)
        return AnswerLater(self, happened=ended, answer=answer, status=code)


class RunView(APIView):
    @extend_schema(operation_id="runs_retrieve", responses=serializers.RunSerializer)
    def get(self, request: Request, run_id: UUID) -> Response:
        return Response(shown_run(principal_of(request), run_id))


class RunCancelView(APIView):
    unsafe_scope = Scope.RUN

    @extend_schema(
        operation_id="runs_cancel",
        request=None,
        responses={200: serializers.RunSerializer, 409: ProblemSerializer},
    )
    def post(self, request: Request, run_id: UUID) -> Response:
        run = run_or_404(request, run_id)
        cancel_run(run.id, reason=f"Cancelled by {_name(request)}.")
        return Response(shown_run(principal_of(request), run_id))


class StepFilter(filters.FilterSet):
    status = filters.MultipleChoiceFilter(
        choices=[(value, value) for value in serializers.STEP_STATUSES], distinct=False
    )
    node = filters.CharFilter()
    scope = filters.NumberFilter()

    class Meta:
        model = Step
        fields = ["status", "node", "scope"]


class StepPage(CursorPage):
    page_size = 200
    max_page_size = 1000
    ordering = ("scope", "no")


class StepListView(GenericAPIView[Step]):
    queryset = Step.objects.none()
    filter_backends = [filters.DjangoFilterBackend]
    filterset_class = StepFilter
    pagination_class = StepPage
    serializer_class = serializers.StepRowSerializer

    def get_queryset(self) -> QuerySet[Step]:
        run = run_or_404(self.request, self.kwargs["run_id"])
        return Step.objects.filter(run_id=run.id)

    @extend_schema(
        operation_id="runs_steps_list", responses=serializers.StepRowSerializer(many=True)
    )
    def get(self, request: Request, run_id: UUID) -> Response:
        steps = self.filter_queryset(self.get_queryset()).values(*shown.STEP, "no")
        page = self.paginate_queryset(steps) or []
        return self.get_paginated_response([shown.step_row(step) for step in page])


class StepView(APIView):
    @extend_schema(operation_id="runs_steps_retrieve", responses=serializers.StepSerializer)
    def get(self, request: Request, run_id: UUID, step_id: UUID) -> Response:
        run = run_or_404(request, run_id)
        return Response(or_404(step_detail(run, step_id)))


class RunEventsView(APIView):
    @extend_schema(
        operation_id="runs_events_list",
        parameters=[
            OpenApiParameter("after", int, description="Only events behind this number."),
            OpenApiParameter("limit", int, description=f"At most so many, up to {MAX_EVENTS}."),
        ],
        responses=serializers.RunEventPageSerializer,
        description=(
            "The run's log. With `Accept: text/event-stream` it is followed live as Server-Sent "
            "Events, whose ids are the sequence numbers, until the run's last event."
        ),
    )
    def get(self, request: Request, run_id: UUID) -> Response:
        run = run_or_404(request, run_id)
        after = _number(request, "after", default=0, largest=2**53)
        limit = _number(request, "limit", default=MAX_EVENTS, largest=MAX_EVENTS)
        events = log.read(run.id, after=after, limit=max(1, limit))
        last = events[-1].seq if events else min(after, run.event_seq)
        page: dict[str, Any] = {
            "results": [event.to_json() for event in events],
            "next": last if last < run.event_seq else None,
            "ended": run.status in FINAL_RUN,
        }
        return Response(page)


def shown_run(principal: Principal, run_id: UUID) -> dict[str, Any]:
    return or_404(run_detail(principal, run_id))


def _wait_seconds(request: Request) -> float:
    text = request.query_params.get("wait", "0")
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= MAX_WAIT_S:
        raise ParseError(f"`wait` is a number of seconds from 0 to {MAX_WAIT_S}.")
    return seconds


def _idempotency_key(request: Request) -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not 1 <= len(key) <= 200 or not key.isprintable():
        raise ParseError("An Idempotency-Key has 1 to 200 printable characters.")
    return key


def _number(request: Request, name: str, *, default: int, largest: int) -> int:
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= largest):
        raise ParseError(f"`{name}` is a whole number from 0 to {largest}.")
    return int(text)


def _name(request: Request) -> str:
    return getattr(request.user, "display_name", "") or "a person"
