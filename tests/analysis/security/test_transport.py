"""Requests that anyone on the way can read or change."""

import pytest

from gasoline.analysis.security.transport import resource_type
from tests.analysis.security.auditing import Session


def test_plain_http_beyond_this_machine_is_a_warning() -> None:
    (finding,) = Session().call(url="http://shop.io/api").find("transport")

    assert (finding.severity, finding.title) == ("warning", "API call over unencrypted HTTP")
    assert finding.cwe == "CWE-319"


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.io/api",
        "http://localhost:3000/api",
        "http://127.0.0.1/api",
        "http://[::1]:8080/api",
        "http://shop.localhost/api",
        "/api",
        "http://",
        "http://[bad",
        "",
    ],
)
def test_local_and_encrypted_requests_are_fine(url: str) -> None:
    assert Session().call(url=url, pageUrl="https://shop.io/").find("transport") == []


@pytest.mark.parametrize(
    ("content_type", "severity", "kind"),
    [
        ("application/javascript", "critical", "script"),
        ("text/javascript; charset=utf-8", "critical", "script"),
        ("image/png", "warning", "image"),
        ("text/css", "warning", "style"),
        ("font/woff2", "warning", "font"),
    ],
)
def test_mixed_content_is_rated_by_what_is_loaded(
    content_type: str, severity: str, kind: str
) -> None:
    page = "https://shop.io/dashboard"
    session = Session().call(url="http://cdn.io/x", pageUrl=page, contentType=content_type)

    mixed = [one for one in session.find("transport") if one.title.startswith("Mixed")]

    assert [one.severity for one in mixed] == [severity]
    assert mixed[0].evidence == {
        "page_url": page,
        "resource_url": "http://cdn.io/x",
        "resource_type": kind,
        "seq": 1,
    }


def test_a_plain_page_has_no_mixed_content() -> None:
    found = Session().call(url="http://cdn.io/x", pageUrl="http://shop.io/").find("transport")

    assert [one.title for one in found] == ["API call over unencrypted HTTP"]


def test_a_plain_websocket_is_a_warning_unless_it_is_local() -> None:
    session = Session().hear("{}", url="ws://shop.io/live").hear("{}", url="ws://localhost/live")

    (finding,) = session.find("transport")

    assert finding.severity == "warning"
    assert finding.evidence["url"] == "ws://shop.io/live"


def test_what_is_neither_script_style_nor_media_is_fetched() -> None:
    assert resource_type("application/json") == "fetch"
