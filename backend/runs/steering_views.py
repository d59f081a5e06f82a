from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.api.pages import CursorPage
from backend.api.serializers import ProblemSerializer
from backend.runs import serializers, steering_serializers
from backend.runs.models import GraphChange, ItemScope, Step
from backend.runs.patching import Author
from backend.runs.read import step_detail
from backend.runs.services.change import change_graph
from backend.runs.services.retry import retry_run
from backend.runs.services.signals import send_signal
from backend.runs.services.steer import decide_step, pause_run, resume_run
from backend.runs.views import run_or_404, shown_run
from backend.workspaces.permissions import principal_of
from backend.workspaces.principal import Scope


def _run(request: Request, run_id: UUID) -> Response:
    return Response(shown_run(principal_of(request), run_id))


def _who(request: Request) -> str:
    return getattr(request.user, "display_name", "") or "A person"


class RunRetryView(APIView):
    unsafe_scope = Scope.RUN

    @extend_schema(
        operation_id="runs_retry",
        request=None,
        responses={200: serializers.RunSerializer, 409: ProblemSerializer},
        description="Go on with a run that failed or was cancelled, from what succeeded.",
    )
    def post(self, request: Request, run_id: UUID) -> Response:
        run = run_or_404(request, run_id)
        retry_run(run.id, workspace_id=run.workspace_id)
        return _run(request, run_id)


class RunPauseView(APIView):
    unsafe_scope = Scope.RUN

    @extend_schema(
        operation_id="runs_pause",
        request=None,
        responses={200: serializers.RunSerializer, 409: ProblemSerializer},
        description="Let nothing new start. What runs goes on to its end.",
    )
    def post(self, request: Request, run_id: UUID) -> Response:
        pause_run(run_or_404(request, run_id).id, reason=f"Paused by {_who(request)}.")
        return _run(request, run_id)


class RunResumeView(APIView):
    unsafe_scope = Scope.RUN

    @extend_schema(
        operation_id="runs_resume",
        request=steering_serializers.ResumeSerializer,
        responses={200: serializers.RunSerializer, 409: ProblemSerializer},
        description="Go on with a paused run, with a larger budget if one is given.",
    )
    def post(self, request: Request, run_id: UUID) -> Response:
        run = run_or_404(request, run_id)
        body = steering_serializers.ResumeSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        resume_run(run.id, budget=body.validated_data.get("budget"))
        return _run(request, run_id)


class ChangePage(CursorPage):
    ordering = ("number",)


class RunChangesView(GenericAPIView[GraphChange]):
    queryset = GraphChange.objects.none()
    pagination_class = ChangePage
    serializer_class = steering_serializers.ChangeSerializer
    unsafe_scope = Scope.RUN

    @extend_schema(
        operation_id="runs_patches_list",
        responses=steering_serializers.ChangeSerializer(many=True),
        description="The changes of the run's graph, in their order.",
    )
    def get(self, request: Request, run_id: UUID) -> Response:
        run = run_or_404(request, run_id)
        changes = GraphChange.objects.filter(run=run).select_related("created_by")
        page = self.paginate_queryset(changes) or []
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    @extend_schema(
        operation_id="runs_patch",
        request=steering_serializers.ChangeRequestSerializer,
        responses={200: serializers.RunSerializer, 409: ProblemSerializer},
        description="Change the graph of a run under way: what has not started.",
    )
    def post(self, request: Request, run_id: UUID) -> Response:
        run = run_or_404(request, run_id)
        body = steering_serializers.ChangeRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        change_graph(
            run.id,
            body.validated_data["operations"],
            base=body.validated_data["base"],
            author=Author(user_id=principal_of(request).user_id, note=body.validated_data["note"]),
        )
        return _run(request, run_id)


class StepDecisionView(APIView):
    unsafe_scope = Scope.RUN

    @extend_schema(
        operation_id="runs_steps_decide",
        request=steering_serializers.DecisionSerializer,
        responses={200: serializers.StepSerializer, 409: ProblemSerializer},
        description="Let a held step run again, skip it, or count it as failed.",
    )
    def post(self, request: Request, run_id: UUID, step_id: UUID) -> Response:
        run = run_or_404(request, run_id)
        step = get_object_or_404(Step.objects.filter(run=run), id=step_id)
        body = steering_serializers.DecisionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        decide_step(step, decision=body.validated_data["decision"], by=_who(request))
        return Response(step_detail(run, step_id))


class ItemFilter(filters.FilterSet):
    status = filters.MultipleChoiceFilter(
        choices=[(value, value) for value in serializers.STEP_STATUSES], distinct=False
    )

    class Meta:
        model = ItemScope
        fields = ["status"]


class ItemPage(CursorPage):
    page_size = 100
    max_page_size = 1000
    ordering = ("index",)


class StepItemsView(GenericAPIView[ItemScope]):
    queryset = ItemScope.objects.none()
    filter_backends = [filters.DjangoFilterBackend]
    filterset_class = ItemFilter
    pagination_class = ItemPage
    serializer_class = steering_serializers.ItemSerializer

    def get_queryset(self) -> QuerySet[ItemScope]:
        run = run_or_404(self.request, self.kwargs["run_id"])
        step = get_object_or_404(Step.objects.filter(run=run), id=self.kwargs["step_id"])
        return ItemScope.objects.filter(run=run, container_scope=step.scope, container_no=step.no)

    @extend_schema(
        operation_id="runs_steps_items_list",
        responses=steering_serializers.ItemSerializer(many=True),
        description="The items of a map, or the rounds of a loop, in their order.",
    )
    def get(self, request: Request, run_id: UUID, step_id: UUID) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


class SignalView(APIView):
    """Whoever knows the address may send the signal: the address is the proof."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="signals_send",
        auth=[],
        request={"application/json": {}},
        responses={202: None, 404: ProblemSerializer, 409: ProblemSerializer},
        description="Send what a waiting step waits for; the body becomes its output.",
    )
    def post(self, request: Request, token: str) -> Response:
        send_signal(token, request.data)
        return Response(status=status.HTTP_202_ACCEPTED)
