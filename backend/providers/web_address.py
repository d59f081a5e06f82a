"""Addresses of the web as users write them, made into what is called."""

import re
from functools import lru_cache
from urllib.parse import parse_qsl, quote, urlencode, urljoin

from yarl import URL

from backend.providers.errors import CallFailed

#: What may follow the host as it stands; the rest is escaped. Escapes that are there stay as
#: they are: signed addresses do not survive another spelling.
_SAFE = "!#$%&'()*+,-./:;=?@[]_~"
_PLAIN = re.compile(rf"[A-Za-z0-9{re.escape(_SAFE)}]*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_HOST = re.compile(r"[A-Za-z0-9._~:%-]+")
_AFTER_AUTHORITY = re.compile(r"[^:/?#]+://[^/?#]*([^#]*)")


@lru_cache(maxsize=512)
def parse(text: str) -> URL:
    """Parse an address, refusing what is none of ours to call.

    Raises:
        CallFailed: It is no http or https address, or holds a name and password.
    """
    text = text.strip()
    try:
        _check_printable(text)
        url = URL(text)
        rest = _rest(text, url)
    except ValueError as error:
        raise CallFailed("url_invalid", f"“{text}” is no address of the web: {error}.") from error
    if url.scheme not in {"http", "https"} or not url.raw_host:
        message = f"“{text}” must start with http:// or https:// and name a host."
        raise CallFailed("url_invalid", message)
    if not _HOST.fullmatch(url.raw_host):
        raise CallFailed("url_invalid", f"“{text}” names a host that cannot be one.")
    if url.raw_user is not None or url.raw_password is not None:
        message = "The address holds a name or password; store it as a credential instead."
        raise CallFailed("url_invalid", message)
    return URL(f"{url.scheme}://{url.host_port_subcomponent}{rest or '/'}", encoded=True)


def with_query(url: URL, query: list[tuple[str, str]]) -> URL:
    """Add a query; names that the address has already are replaced."""
    taken = {name for name, _ in query}
    kept = parse_qsl(url.raw_query_string, keep_blank_values=True)
    pairs = [pair for pair in kept if pair[0] not in taken]
    encoded = urlencode([*pairs, *query])
    return URL(f"{url.origin()}{url.raw_path}{'?' if encoded else ''}{encoded}", encoded=True)


def follow(url: URL, target: str) -> URL:
    """Give the address that a redirect leads to.

    Raises:
        CallFailed: It leads to what is no address of the web.
    """
    try:
        joined = urljoin(str(url), target)
    except ValueError as error:
        raise CallFailed("url_invalid", f"“{target}” is no address of the web.") from error
    return parse(joined)


def place(url: URL) -> str:
    """Name an address without its query, which may hold what is nobody's business."""
    return f"{url.origin()}{url.raw_path}"


def _check_printable(text: str) -> None:
    if _CONTROL.search(text):
        raise ValueError("it holds a control character")


def _rest(text: str, url: URL) -> str:
    """Give path and query, escaped where they must be."""
    found = _AFTER_AUTHORITY.match(text)
    rest = found.group(1) if found else ""
    if not _PLAIN.fullmatch(rest):
        rest = quote(rest, safe=_SAFE)
    path, mark, query = rest.partition("?")
    if "/." in path:
        path = url.raw_path  # without the detours of `.` and `..`
    return f"{path or '/'}{mark}{query}"
