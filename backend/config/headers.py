"""Headers of every answer that bound what a browser may do with it."""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        # The component library and the code editor write style elements while they run.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        # Laying out a graph happens in a worker of the browser.
        "worker-src 'self' blob:",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


class SecurityHeaders:
    """Adds the policies to an answer that does not bring a stricter one of its own."""

    sync_capable = True
    async_capable = True

    def __init__(
        self,
        get_response: Callable[[HttpRequest], HttpResponseBase]
        | Callable[[HttpRequest], Awaitable[HttpResponseBase]],
    ) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(  # noqa: D102 - the class says it
        self, request: HttpRequest
    ) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        answer = self.get_response(request)
        if isinstance(answer, HttpResponseBase):
            return _with_policies(answer)
        return self._later(answer)

    async def _later(self, answer: Awaitable[HttpResponseBase]) -> HttpResponseBase:
        return _with_policies(await answer)


def _with_policies(answer: HttpResponseBase) -> HttpResponseBase:
    answer.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    answer.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
    return answer
