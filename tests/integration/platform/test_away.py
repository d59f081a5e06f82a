import pytest
from django.db import OperationalError

from backend.config.errors import handle_error


@pytest.mark.django_db
def test_a_database_that_does_not_answer_is_a_503_that_says_when_to_come_back() -> None:
    answer = handle_error(OperationalError("couldn't get a connection after 10.00 sec"), {})

    assert answer is not None
    assert (answer.status_code, answer.data["code"]) == (503, "database_unavailable")
    assert answer.headers["Retry-After"] == "3"
