"""What load balancers, supervisors and Prometheus ask."""

import hmac

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST
from redis import Redis, RedisError

from backend.monitoring import prometheus


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Say that the process answers."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Say whether requests can be served: database, its tables, Redis."""
    checks = {"database": _database_answers(), "redis": _redis_answers()}
    checks["migrations"] = checks["database"] and _migrations_applied()
    ready = all(checks.values())
    return JsonResponse(
        {"status": "ok" if ready else "unavailable", "checks": checks},
        status=200 if ready else 503,
    )


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Give the figures to whoever has the token, or to an administrator of the installation."""
    if not _may_read_metrics(request):
        detail = "Send `Authorization: Bearer` with HEDDLE_METRICS_TOKEN."
        return JsonResponse(
            {"code": "not_authenticated", "detail": detail},
            status=401,
            headers={"WWW-Authenticate": 'Bearer realm="heddle-metrics"'},
        )
    return HttpResponse(prometheus.render(), content_type=CONTENT_TYPE_LATEST)


def _may_read_metrics(request: HttpRequest) -> bool:
    header = request.headers.get("Authorization")
    if header is not None:
        token = settings.HEDDLE_METRICS_TOKEN
        expected = f"Bearer {token}".encode()
        return bool(token) and hmac.compare_digest(header.encode(), expected)
    return bool(getattr(request.user, "is_admin", False))


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _migrations_applied() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _redis_answers() -> bool:
    try:
        client = Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
        with client as redis:
            return bool(redis.ping())
    except RedisError:
        return False
