"""Alice owns, Charlie must see nothing of it, Ada administers the installation."""

import django
import pytest

# The addresses of the session's servers are in the environment; models may be imported from here.
django.setup()

from rest_framework.test import APIClient  # noqa: E402

from tests.integration.people import Person, make_person  # noqa: E402


@pytest.fixture
def alice(db: None) -> Person:
    return make_person("alice")


@pytest.fixture
def charlie(db: None) -> Person:
    return make_person("charlie")


@pytest.fixture
def ada(db: None) -> Person:
    return make_person("ada", admin=True)


@pytest.fixture
def stranger() -> APIClient:
    """A client that is not signed in."""
    return APIClient()


@pytest.fixture(autouse=True)
def nothing_left_in_redis(empty_redis: object) -> None:
    """Every test starts with a Redis that no other has written to."""
