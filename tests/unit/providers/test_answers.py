from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from backend.providers.answers import excerpt, retry_after


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("-3", None),
        ("inf", None),
        ("nan", None),
        ("9" * 400, None),
        ("", None),
        ("soon", None),
        ("Mon, 01 Jan 2024 00:00:00 +99999999999999999999", None),
    ],
)
def test_a_wait_is_read_in_seconds(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}) == seconds


def test_a_wait_may_be_a_date() -> None:
    later = datetime.now(UTC) + timedelta(hours=1)

    wait = retry_after({"retry-after": format_datetime(later, usegmt=True)})

    assert wait is not None
    assert 3500 < wait <= 3600


def test_a_date_that_has_passed_is_no_wait() -> None:
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0


def test_what_came_back_is_shown_on_one_short_line() -> None:
    assert excerpt(" a\n b\t c ") == "a b c"
    assert len(excerpt("x" * 1000)) == 301


def test_a_secret_is_hidden_before_a_text_is_shortened() -> None:
    text = "x" * 295 + "sk-of-the-test"

    assert "sk-" not in excerpt(text, hiding="sk-of-the-test")
