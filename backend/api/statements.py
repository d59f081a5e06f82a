"""Statements of the paths that every request takes: written out, and prepared once a connection.

The ORM spends a millisecond or two on building a query, each time anew; these cost a tenth of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString, TypeVar

from django.db import connection
from django.db.models import Model
from psycopg import Cursor

Parameters = Sequence[Any] | Mapping[str, Any]
M = TypeVar("M", bound=Model)


def rows_of(statement: LiteralString, parameters: Parameters) -> list[tuple[Any, ...]]:
    """Execute a statement that is prepared, unless the installation prepares none."""
    connection.ensure_connection()
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        cursor.execute(statement, parameters, prepare=True)
        return cursor.fetchall()


def row_of(statement: LiteralString, parameters: Parameters) -> tuple[Any, ...] | None:
    """Execute a prepared statement and give its first row."""
    rows = rows_of(statement, parameters)
    return rows[0] if rows else None


def instance_of(model: type[M], columns: Mapping[str, Any]) -> M:
    """Make a model's instance of some of its columns; others are read when they are asked for."""
    # Django takes them in the order in which the model declares them.
    names = [f.attname for f in model._meta.concrete_fields if f.attname in columns]  # noqa: SLF001 - public by its documentation
    return model.from_db(connection.alias, names, [columns[name] for name in names])
