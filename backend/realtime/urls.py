from django.urls import path

from backend.realtime import sse

urlpatterns = [
    path("runs/<uuid:run_id>/events/", sse.run_events, name="run-events"),
]
