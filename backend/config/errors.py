"""The one place where refusals become HTTP: `{"code", "detail", "issues"?}`."""

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from backend.engine.errors import DomainError

logger = logging.getLogger(__name__)


def handle_error(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Turn an exception of a REST view into its answer; `None` leaves a bug to the server."""
    answer = _answer_to(error)
    if answer is not None:
        set_rollback()
    return answer


def _answer_to(error: Exception) -> Response | None:
    match error:
        case DomainError():
            return _refusal(error)
        case RequestDataTooBig():
            return _plain("too_large", _too_large(), status=413)
        case Http404():
            return _plain("not_found", "There is no such thing here.", status=404)
        case PermissionDenied():
            return _plain("permission_denied", "You may not do this.", status=403)
        case OperationalError():
            return _database_away(error)
        case exceptions.ValidationError():
            return _invalid(error)
        case exceptions.APIException():
            return _from_framework(error)
        case _:
            return None


def _database_away(error: OperationalError) -> Response:
    # No connection became free, or the server is away: it is the same for who asks.
    logger.warning("database_unreachable", extra={"error": str(error).strip()})
    return Response(
        {
            "code": "database_unavailable",
            "detail": "The database is busy or away. Repeat the request in a few seconds.",
        },
        status=status.HTTP_503_SERVICE_UNAVAILABLE,
        headers={"Retry-After": "3"},
    )


def _refusal(error: DomainError) -> Response:
    body: dict[str, Any] = {"code": error.code, "detail": error.detail}
    if error.issues is not None:
        body["issues"] = list(error.issues)
    wait = error.retry_after_s
    headers = {} if wait is None else {"Retry-After": str(wait)}
    return Response({**body, **error.extra}, status=error.status, headers=headers)


def _too_large() -> str:
    return f"The request is larger than {settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024**2} MiB."


def _plain(code: str, detail: str, *, status: int) -> Response:
    return Response({"code": code, "detail": detail}, status=status)


def _invalid(error: exceptions.ValidationError) -> Response:
    issues = list(_field_issues(error.detail, path=""))
    first = issues[0] if issues else {"path": "", "message": "The request is not valid."}
    detail = f"{first['path']}: {first['message']}" if first["path"] else first["message"]
    return Response(
        {"code": "invalid", "detail": detail, "issues": issues},
        status=status.HTTP_400_BAD_REQUEST,
    )


def _field_issues(detail: Any, *, path: str) -> Iterator[dict[str, Any]]:
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            nested = path if key == "non_field_errors" else f"{path}.{key}".lstrip(".")
            yield from _field_issues(value, path=nested)
    elif isinstance(detail, list):
        for index, value in enumerate(detail):
            nested = f"{path}[{index}]" if isinstance(value, Mapping) else path
            yield from _field_issues(value, path=nested)
    else:
        yield {
            "code": getattr(detail, "code", "invalid"),
            "message": str(detail),
            "node_id": None,
            "path": path,
            "severity": "error",
        }


def _from_framework(error: exceptions.APIException) -> Response:
    headers = {}
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait))
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    code = error.detail.code if isinstance(error.detail, exceptions.ErrorDetail) else "refused"
    return Response(
        {"code": code, "detail": str(error.detail)}, status=error.status_code, headers=headers
    )


def csrf_failed(request: HttpRequest, reason: str = "") -> JsonResponse:
    """Answer a request whose CSRF token is missing or wrong."""
    detail = "The CSRF token is missing or wrong. Load the page again and repeat."
    return JsonResponse({"code": "csrf_failed", "detail": detail}, status=403)


def bad_request(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer what no view could read."""
    if isinstance(exception, RequestDataTooBig):
        return JsonResponse({"code": "too_large", "detail": _too_large()}, status=413)
    return JsonResponse({"code": "bad_request", "detail": "The request is malformed."}, status=400)


def not_found(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer an address that leads nowhere."""
    return JsonResponse({"code": "not_found", "detail": "There is no such address."}, status=404)


def server_error(request: HttpRequest) -> JsonResponse:
    """Answer a bug without telling anything of the inside."""
    detail = "The server met a fault of its own and stopped. Its log has the details."
    return JsonResponse({"code": "internal", "detail": detail}, status=500)
