"""The whole URL map."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path

from backend.config import frontend, openapi
from backend.monitoring import probes

API = "api/v1/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", probes.healthz, name="healthz"),
    path("readyz", probes.readyz, name="readyz"),
    path("metrics", probes.metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("api/schema/", openapi.SchemaView.as_view(), name="schema"),
    path("api/docs/", openapi.DocsView.as_view(url_name="schema"), name="docs"),
    path(API, include("backend.accounts.urls")),
    path(API, include("backend.credentials.urls")),
    path(API, include("backend.workflows.urls")),
    path(API, include("backend.limits.urls")),
    path(API, include("backend.realtime.urls")),
    path(API, include("backend.runs.urls")),
    path(API, include("backend.monitoring.urls")),
    re_path(r"^(?!api/|admin/|static/|assets/|ws/)(?P<page>.*)$", frontend.page, name="page"),
]

handler400 = "backend.config.errors.bad_request"
handler404 = "backend.config.errors.not_found"
handler500 = "backend.config.errors.server_error"
