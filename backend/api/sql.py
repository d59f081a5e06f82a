"""Statements on the thread's connection: transitions, which are sets, and what every request asks.

The ORM cannot say the former, and spends a millisecond or two on building the latter, each time
anew. Values are bound by the server, so that a connection plans a statement once: psycopg prepares
what it has sent a few times. Where the type of a value cannot be told, the statement casts it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model
from psycopg import Cursor

Parameters = Sequence[Any] | Mapping[str, Any]
M = TypeVar("M", bound=Model)


def query(statement: str, parameters: Parameters = ()) -> list[tuple[Any, ...]]:
    """Execute a statement and give its rows."""
    with _cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def row_of(statement: str, parameters: Parameters = ()) -> tuple[Any, ...] | None:
    """Execute a statement and give its first row."""
    rows = query(statement, parameters)
    return rows[0] if rows else None


def execute(statement: str, parameters: Parameters = ()) -> int:
    """Execute a statement and tell how many rows it touched."""
    with _cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)


def instance_of(model: type[M], columns: Mapping[str, Any]) -> M:
    """Make a model's instance of some of its columns; others are read when they are asked for."""
    # Django takes them in the order in which the model declares them.
    names = [f.attname for f in model._meta.concrete_fields if f.attname in columns]  # noqa: SLF001 - public by its documentation
    return model.from_db(connection.alias, names, [columns[name] for name in names])


@contextmanager
def _cursor() -> Iterator[Any]:
    """A cursor of psycopg's own: Django's writes the values into the statement."""
    connection.ensure_connection()
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        given: Any = cursor
        # Tests count statements.
        yield connection.make_debug_cursor(given) if connection.queries_logged else given
