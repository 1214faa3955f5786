"""An audit for people."""

from gasoline.generation.security.text import write_text
from tests.analysis.security.auditing import Session


def test_a_finding_is_a_paragraph_with_what_was_seen_and_what_to_do() -> None:
    session = Session().call(url="http://shop.io/api")

    assert write_text(session.audit()) == (
        "Security audit: 1 warning in 1 requests and 0 console entries; "
        "worst: API call over unencrypted HTTP.\n"
        "\n"
        "WARNING  API call over unencrypted HTTP (CWE-319)\n"
        "  GET http://shop.io/api can be read and changed on its way.\n"
        "  Seen: method GET, url http://shop.io/api, status 200, seq 1\n"
        "  Do:   Use https:// for every call, and redirect http:// on the server.\n"
    )


def test_page_text_cannot_steer_a_terminal_or_break_a_line() -> None:
    text = write_text(Session().call(url="http://shop.io/a\x1b[31m\u202e\nb").audit())

    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "a[31m b" in text
