from django.urls import path

from backend.runs import steering_views, views

ONE = "runs/<uuid:run_id>/"

urlpatterns = [
    path("workflows/<uuid:workflow_id>/runs/", views.RunStartView.as_view(), name="workflow-runs"),
    path("runs/", views.RunListView.as_view(), name="runs"),
    path(ONE, views.RunView.as_view(), name="run"),
    path(f"{ONE}cancel/", views.RunCancelView.as_view(), name="run-cancel"),
    path(f"{ONE}retry/", steering_views.RunRetryView.as_view(), name="run-retry"),
    path(f"{ONE}pause/", steering_views.RunPauseView.as_view(), name="run-pause"),
    path(f"{ONE}resume/", steering_views.RunResumeView.as_view(), name="run-resume"),
    path(f"{ONE}patches/", steering_views.RunChangesView.as_view(), name="run-patches"),
    path(f"{ONE}steps/", views.StepListView.as_view(), name="run-steps"),
    path(f"{ONE}steps/<uuid:step_id>/", views.StepView.as_view(), name="run-step"),
    path(
        f"{ONE}steps/<uuid:step_id>/items/",
        steering_views.StepItemsView.as_view(),
        name="run-step-items",
    ),
    path(
        f"{ONE}steps/<uuid:step_id>/decide/",
        steering_views.StepDecisionView.as_view(),
        name="run-step-decide",
    ),
    path("signals/<str:token>/", steering_views.SignalView.as_view(), name="signal"),
    # Answered by the live stream's address, which falls back to this view; named for the schema.
    path(f"{ONE}events/", views.RunEventsView.as_view(), name="run-event-list"),
]
