"""Statements on the thread's connection; transitions are sets, which the ORM cannot say."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection

Parameters = Sequence[Any] | Mapping[str, Any]


def query(statement: str, parameters: Parameters = ()) -> list[tuple[Any, ...]]:
    """Execute a statement and give its rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def execute(statement: str, parameters: Parameters = ()) -> int:
    """Execute a statement and tell how many rows it touched."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)
