"""Primary keys: UUIDs of version 7, ordered by the time they were made."""

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """Make a key."""
    return uuid7()
