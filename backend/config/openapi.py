"""The API's description for programs, and a page of it for people."""

from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import IsAuthenticated


class SchemaView(SpectacularAPIView):
    """The OpenAPI document."""

    permission_classes = [IsAuthenticated]


class DocsView(SpectacularSwaggerSplitView):
    """The page; its script is an address of its own, so that no script stands in the page."""

    permission_classes = [IsAuthenticated]
