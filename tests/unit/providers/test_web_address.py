import pytest

from backend.providers import web_address
from backend.providers.errors import CallFailed


@pytest.mark.parametrize(
    ("written", "called"),
    [
        ("http://example.com", "http://example.com/"),
        ("HTTP://EXAMPLE.com:80/A", "http://example.com/A"),
        ("https://example.com:8443?q=1", "https://example.com:8443/?q=1"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        (
            "http://münchen.de/ä b?q=ü ö#part",
            "http://xn--mnchen-3ya.de/%C3%A4%20b?q=%C3%BC%20%C3%B6",
        ),
        ("http://example.com/a/../b/./c?d=/../", "http://example.com/b/c?d=/../"),
        (" http://example.com/a\n", "http://example.com/a"),
        ("http://example.com/a|b{c}", "http://example.com/a%7Cb%7Bc%7D"),
    ],
)
def test_an_address_is_called_as_it_is_meant(written: str, called: str) -> None:
    assert str(web_address.parse(written)) == called


def test_escapes_stay_as_they_are_written_for_signed_addresses() -> None:
    signed = "http://example.com/a%2Fb%7E?key=AB%2Fcd%2B%3D&x=%7e+y"

    assert str(web_address.parse(signed)) == signed


@pytest.mark.parametrize(
    "written",
    [
        "http://example.com:99999/",
        "http://example.com:port/",
        "http://exam ple.com/",
        "http://example.com\\@127.0.0.1/",
        "http://example.com/\ud800",
        "http://example.com/a\nb",
        "http:///path",
        "http:example.com",
        "https://name@example.com/",
        "ws://example.com/",
    ],
)
def test_what_cannot_be_called_is_refused(written: str) -> None:
    with pytest.raises(CallFailed) as caught:
        web_address.parse(written)

    assert caught.value.code == "url_invalid"


def test_a_query_replaces_what_the_address_names_already() -> None:
    url = web_address.parse("http://example.com/?a=1&b=2&a=3&c")

    extended = web_address.with_query(url, [("a", "ä b"), ("a", "&"), ("d", "")])

    assert str(extended) == "http://example.com/?b=2&c=&a=%C3%A4+b&a=%26&d="


@pytest.mark.parametrize(
    ("target", "leads_to"),
    [
        ("/c", "http://example.com:8080/c"),
        ("c?d", "http://example.com:8080/a/c?d"),
        ("//other.example/c", "http://other.example/c"),
        ("https://other.example", "https://other.example/"),
        ("../ä", "http://example.com:8080/%C3%A4"),
    ],
)
def test_a_redirect_leads_on_from_where_it_was_given(target: str, leads_to: str) -> None:
    url = web_address.parse("http://example.com:8080/a/b?q=1")

    assert str(web_address.follow(url, target)) == leads_to


@pytest.mark.parametrize("target", ["ftp://example.com/", "http://[::1", "javascript:alert(1)"])
def test_a_redirect_out_of_the_web_is_refused(target: str) -> None:
    with pytest.raises(CallFailed) as caught:
        web_address.follow(web_address.parse("http://example.com/"), target)

    assert caught.value.code == "url_invalid"


def test_a_place_is_named_without_its_query() -> None:
    assert web_address.place(web_address.parse("https://example.com:8443/a?key=secret")) == (
        "https://example.com:8443/a"
    )
