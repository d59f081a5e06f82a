"""The whole URL map."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path

from backend.config import frontend, openapi
from backend.monitoring import probes

#: Asked one after the other: first what programs ask for most.
api: list[URLPattern | URLResolver] = [
    path("", include("backend.realtime.urls")),
    path("", include("backend.runs.urls")),
    path("", include("backend.workflows.urls")),
    path("", include("backend.limits.urls")),
    path("", include("backend.credentials.urls")),
    path("", include("backend.accounts.urls")),
    path("", include("backend.monitoring.urls")),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include(api)),
    path("healthz", probes.healthz, name="healthz"),
    path("readyz", probes.readyz, name="readyz"),
    path("metrics", probes.metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("api/schema/", openapi.SchemaView.as_view(), name="schema"),
    path("api/docs/", openapi.DocsView.as_view(url_name="schema"), name="docs"),
    re_path(r"^(?!api/|admin/|static/|assets/|ws/)(?P<page>.*)$", frontend.page, name="page"),
]

handler400 = "backend.config.errors.bad_request"
handler404 = "backend.config.errors.not_found"
handler500 = "backend.config.errors.server_error"
