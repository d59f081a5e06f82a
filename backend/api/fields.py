"""A JSON column that keeps the order of keys, as authors wrote them."""

from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg.types.json import Json


class OrderedJSONField(models.JSONField):
    """PostgreSQL's `json` rather than `jsonb`, which would sort keys and rewrite numbers."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        """Name the column's type."""
        return "json"

    def get_db_prep_value(
        self,
        value: Any,
        connection: BaseDatabaseWrapper,
        prepared: bool = False,  # noqa: FBT001, FBT002 - Django passes it by position
    ) -> Any:
        """Wrap a value for psycopg."""
        if value is None or hasattr(value, "as_sql"):
            return value
        return Json(value)

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        """Give what psycopg has read: unlike `jsonb`, it parses `json` by itself."""
        return value
