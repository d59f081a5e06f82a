"""The built front end: every page's address gives the same file, and the browser does the rest."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

NOT_BUILT = (
    "The front end has not been built. Run bin/up without --no-browser-build; "
    "the API answers at /api/docs/."
)


@require_safe
@never_cache
def page(request: HttpRequest, page: str = "") -> HttpResponse:
    """Give the page; its files are served before any view is asked."""
    try:
        html = (settings.FRONTEND_DIST / "index.html").read_bytes()
    except FileNotFoundError:
        return HttpResponse(NOT_BUILT, content_type="text/plain; charset=utf-8", status=503)
    return HttpResponse(html, content_type="text/html; charset=utf-8")
