from django.urls import path

from backend.limits import views

urlpatterns = [
    path("limits/", views.LimitListView.as_view(), name="limits"),
    path(
        "limits/installation/", views.InstallationLimitsView.as_view(), name="limits-installation"
    ),
    path("limits/<uuid:limit_id>/", views.LimitView.as_view(), name="limit"),
]
