from django.urls import path

from backend.runs import views

ONE = "runs/<uuid:run_id>/"

urlpatterns = [
    path("workflows/<uuid:workflow_id>/runs/", views.RunStartView.as_view(), name="workflow-runs"),
    path("runs/", views.RunListView.as_view(), name="runs"),
    path(ONE, views.RunView.as_view(), name="run"),
    path(f"{ONE}cancel/", views.RunCancelView.as_view(), name="run-cancel"),
    path(f"{ONE}steps/", views.StepListView.as_view(), name="run-steps"),
    path(f"{ONE}steps/<uuid:step_id>/", views.StepView.as_view(), name="run-step"),
    # Answered by the live stream's address, which falls back to this view; named for the schema.
    path(f"{ONE}events/", views.RunEventsView.as_view(), name="run-event-list"),
]
