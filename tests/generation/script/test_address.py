"""Addresses in scripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.generation.script.address import on_origin, strip_secrets, url_pattern


@pytest.mark.parametrize(
    "name",
    [
        "token",
        "access_token",
        "auth",
        "key",
        "api_key",
        "secret",
        "password",
        "session",
        "sig",
        "code",
    ],
)
def test_parameters_that_grant_access_are_left_out(name: str) -> None:
    assert strip_secrets(f"http://app/x?{name}=abc&page=2#top") == ("http://app/x?page=2#top", True)


@pytest.mark.parametrize("url", ["http://app/x?promo_code=a&keyword=b", "/x", "http://[", ""])
def test_other_addresses_stay_as_they_are(url: str) -> None:
    assert strip_secrets(url) == (url, False)


def test_a_redacted_value_is_left_out_whatever_its_name() -> None:
    url = "http://app/x?q=[redacted:jwt:eyJhbG...abc]"

    assert strip_secrets(url) == ("http://app/x", True)


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("http://app/a.b/c?x=1", r"\/a\.b\/c(?:[?#]|$)"),
        ("http://app", r"\/(?:[?#]|$)"),
        ("http://app/x#/inbox", r"\/x(?:\?[^#]*)?#\/inbox$"),
        ("/orders/HL-7", r"\/orders\/[^/?#]+(?:[?#]|$)"),
    ],
)
def test_patterns_hold_the_path_only(url: str, pattern: str) -> None:
    assert url_pattern(url, minted={"HL-7"}) == pattern


def test_only_addresses_with_an_origin_move() -> None:
    assert on_origin("http://a:1/x?y", "http://b/") == "http://b/x?y"
    assert on_origin("/x", "http://b") == "/x"


@given(st.text())
def test_no_text_breaks_them(text: str) -> None:
    strip_secrets(text)
    url_pattern(text)
    on_origin(text, "http://b")
