from django.urls import path

from backend.workflows import exchange_views, views

ONE = "workflows/<uuid:workflow_id>/"

urlpatterns = [
    path("node-kinds/", views.NodeKindListView.as_view(), name="node-kinds"),
    path("workflows/", views.WorkflowListView.as_view(), name="workflows"),
    path("workflows/validate/", views.ValidateView.as_view(), name="workflows-validate"),
    path("workflows/import/", exchange_views.WorkflowImportView.as_view(), name="workflows-import"),
    path(ONE, views.WorkflowView.as_view(), name="workflow"),
    path(f"{ONE}restore/", views.WorkflowRestoreView.as_view(), name="workflow-restore"),
    path(f"{ONE}duplicate/", views.WorkflowDuplicateView.as_view(), name="workflow-duplicate"),
    path(f"{ONE}publish/", views.WorkflowPublishView.as_view(), name="workflow-publish"),
    path(f"{ONE}versions/", views.WorkflowVersionListView.as_view(), name="workflow-versions"),
    path(
        f"{ONE}versions/<int:number>/",
        views.WorkflowVersionView.as_view(),
        name="workflow-version",
    ),
    path(f"{ONE}diff/", views.WorkflowDiffView.as_view(), name="workflow-diff"),
    path(f"{ONE}export/", exchange_views.WorkflowExportView.as_view(), name="workflow-export"),
]
