"""Whose files may be asked for."""

import pytest

from gasoline.sources.origin import loopback_addresses, origin_of, vouched_origin


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://localhost:5173/a/b?c#d", "http://localhost:5173"),
        ("http://localhost/a", "http://localhost:80"),
        ("https://LOCALHOST/a", "https://localhost:443"),
        ("http://[::1]:3000/", "http://[::1]:3000"),
        ("http://user:word@127.0.0.1:1/", "http://127.0.0.1:1"),
        ("http://localhost:99999999/", None),
        ("http://[broken/", None),
        ("http://", None),
        ("file:///a/b.js", None),
        ("blob:http://a/1", None),
        ("data:text/javascript,1", None),
        ("chrome-extension://abc/x.js", None),
        ("ftp://localhost/a", None),
        ("null", None),
        ("", None),
    ],
)
def test_an_origin_is_scheme_host_and_port(url: str, origin: str | None) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    ("said", "page", "origin"),
    [
        ("http://localhost:1", "http://localhost:2/page", "http://localhost:1"),
        (None, "http://localhost:2/page", "http://localhost:2"),
        ("chrome-extension://abc", "http://localhost:2/page", "http://localhost:2"),
        ("moz-extension://abc", "http://localhost:2/page", "http://localhost:2"),
        ("null", "http://localhost:2/page", None),
        ("http://evil.example", "http://localhost:2/page", "http://evil.example:80"),
    ],
)
def test_what_a_page_says_of_itself_counts_less_than_what_its_browser_says(
    said: str | None, page: str, origin: str | None
) -> None:
    assert vouched_origin(said, page) == origin


@pytest.mark.parametrize(
    ("origin", "addresses"),
    [
        ("http://localhost:1", ["127.0.0.1", "::1"]),
        ("http://shop.localhost:1", ["127.0.0.1", "::1"]),
        ("http://127.0.0.1:1", ["127.0.0.1"]),
        ("http://127.8.9.1:1", ["127.8.9.1"]),
        ("http://[::1]:1", ["::1"]),
        ("http://192.168.0.7:1", []),
        ("http://169.254.169.254:80", []),
        ("http://0.0.0.0:1", []),
        ("http://example.com:80", []),
        ("http://localhost.example.com:80", []),
        ("http://127.0.0.1.example.com:80", []),
        ("http://2130706433:80", []),
    ],
)
def test_only_this_machine_has_addresses(origin: str, addresses: list[str]) -> None:
    assert loopback_addresses(origin) == addresses
