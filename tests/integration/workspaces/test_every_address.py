"""Walks the whole URL map, so that a new address cannot be forgotten."""

from collections.abc import Iterator

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RegexPattern, RoutePattern
from rest_framework.test import APIClient

from tests.integration.people import ABSENT, Person

METHODS = ("get", "post", "put", "patch", "delete")
#: Open to everybody, by the name of the view and never by the shape of the address.
OPEN = {"healthz", "readyz", "session", "auth-login", "page", "signal"}
#: Says 401 in a form of its own: who is signed in, for the front end.
REFUSED = {401, 403, 405}


def routes(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, str | None]]:
    for entry in resolver.url_patterns:
        path = prefix + written(entry)
        if isinstance(entry, URLResolver):
            yield from routes(entry, path)
        elif isinstance(entry, URLPattern):
            yield path, entry.name


def written(entry: URLPattern | URLResolver) -> str:
    pattern = entry.pattern
    if isinstance(pattern, RoutePattern):
        return str(pattern)
    assert isinstance(pattern, RegexPattern)
    return "" if str(pattern) == "^/" else f"<regex:{pattern}>"


def address(route: str) -> str:
    text = route
    for kind, value in (("uuid", str(ABSENT)), ("int", "1"), ("str", "x"), ("path", "1")):
        while f"<{kind}:" in text:
            start = text.index(f"<{kind}:")
            text = text[:start] + value + text[text.index(">", start) + 1 :]
    return f"/{text}"


def closed_routes() -> list[str]:
    found = routes(get_resolver())
    return sorted(
        {
            address(path)
            for path, name in found
            if name not in OPEN and "<regex:" not in path and not path.startswith("admin/")
        }
    )


@pytest.mark.parametrize("url", closed_routes())
def test_a_stranger_is_refused(stranger: APIClient, db: None, url: str) -> None:
    codes = {
        method: getattr(stranger, method)(url, {}, format="json").status_code for method in METHODS
    }

    assert set(codes.values()) <= REFUSED, codes
    assert codes["get"] != 200


def test_the_open_addresses_are_these_alone() -> None:
    names = {name for _, name in routes(get_resolver())}

    assert names >= OPEN


def test_a_stranger_is_sent_away_from_the_database_pages(stranger: APIClient, db: None) -> None:
    for page in ("", "accounts/user/", "workflows/workflow/", "runs/run/", "auth/group/"):
        answer = stranger.get(f"/admin/{page}")
        assert answer.status_code in {302, 404}
        assert answer.status_code == 404 or "/admin/login/" in answer["Location"]


def test_a_person_without_rights_is_sent_away_too(alice: Person) -> None:
    assert alice.browser.get("/admin/accounts/user/").status_code == 302


def test_an_unknown_address_of_the_api_is_absent(alice: Person) -> None:
    answer = alice.browser.get("/api/v1/nothing/")

    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


def test_every_answer_carries_the_policies(stranger: APIClient, db: None) -> None:
    for url in ("/healthz", "/api/v1/session/", "/api/v1/workflows/", "/", "/api/v1/nothing/"):
        answer = stranger.get(url)
        policy = answer["Content-Security-Policy"]
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Referrer-Policy"] == "same-origin"
        assert "Access-Control-Allow-Origin" not in answer


def test_an_unknown_host_is_refused(stranger: APIClient, db: None) -> None:
    assert stranger.get("/healthz", headers={"Host": "evil.example"}).status_code == 400
