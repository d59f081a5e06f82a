"""What an HTTP answer says about itself, for messages and retries."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_MAX_EXCERPT = 300
#: Not what Python takes for a number beside: signs, `inf`, `nan`, exponents.
_SECONDS = re.compile(r"\d{1,9}(\.\d{1,9})?", re.ASCII)


def excerpt(text: str, *, hiding: str = "") -> str:
    """Shorten what came back, for a message; a secret is hidden first, lest a piece be left."""
    if hiding:
        text = text.replace(hiding, "***")
    line = " ".join(text.split())
    return line if len(line) <= _MAX_EXCERPT else line[:_MAX_EXCERPT] + "…"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how long a server wants to be left alone, in seconds; header names are lower-case."""
    value = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(value):
        return float(value)
    try:
        at = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - datetime.now(UTC)).total_seconds())
