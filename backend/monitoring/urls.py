from django.urls import path

from backend.monitoring import views

urlpatterns = [path("monitoring/", views.MonitoringView.as_view(), name="monitoring")]
