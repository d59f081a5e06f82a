"""How PostgreSQL and Redis are: whether they answer, how fast, and how large they have grown."""

import time
from typing import Any

from django.core.cache import cache
from django.db import DatabaseError, connection
from redis import RedisError

from backend.runs.dispatch import client

SIZE_KEY = "monitoring:database-size"
#: Summing the sizes of all files of a large database is no work for every second.
SIZE_KEPT_S = 60


def postgres() -> dict[str, Any]:
    """Ask the database."""
    started = time.perf_counter()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('server_version')")
            (version,) = cursor.fetchone()
            latency = time.perf_counter() - started
            size = _database_size()
    except DatabaseError:
        return {"ok": False, "latency_ms": None, "version": None, "size_bytes": None}
    return {"ok": True, "latency_ms": _ms(latency), "version": version, "size_bytes": size}


def redis() -> dict[str, Any]:
    """Ask Redis."""
    started = time.perf_counter()
    try:
        client().ping()
        latency = time.perf_counter() - started
        server, memory = client().info("server"), client().info("memory")
    except RedisError:
        return {"ok": False, "latency_ms": None, "version": None, "memory_bytes": None}
    return {
        "ok": True,
        "latency_ms": _ms(latency),
        "version": server["redis_version"],
        "memory_bytes": memory["used_memory"],
    }


def _database_size() -> int:
    try:
        size: int | None = cache.get(SIZE_KEY)
    except RedisError:
        size = None
    if size is None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            (size,) = cursor.fetchone()
        _keep(size)
    return size


def _keep(size: int) -> None:
    try:
        cache.set(SIZE_KEY, size, SIZE_KEPT_S)
    except RedisError:
        return


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)
