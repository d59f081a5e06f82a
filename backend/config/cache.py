"""What the cache keeps in Redis is JSON, never pickled objects."""

import json
from typing import Any


class JsonSerializer:
    """Django's contract for a cache serializer; whole numbers stay readable for INCR."""

    def dumps(self, obj: Any) -> bytes | int:
        """Write a value."""
        if type(obj) is int:
            return obj
        return json.dumps(obj).encode()

    def loads(self, data: bytes) -> Any:
        """Read a value."""
        return json.loads(data)
