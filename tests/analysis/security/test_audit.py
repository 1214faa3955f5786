"""The whole audit: filters, order, limits, and input of every kind."""

import json

import pytest
from hypothesis import given, settings

from gasoline.analysis.security.audit import FINDINGS_PER_CATEGORY, audit
from gasoline.analysis.security.finding import is_staging
from gasoline.analysis.security.traffic import Traffic
from gasoline.records import LogEntry, NetworkBody, WebSocketEvent
from tests.analysis.security.auditing import Session
from tests.redaction.strategies import secret_texts

KEY = "hl9f2c7d41b86e5a03c9d7"


def test_nothing_captured_is_nothing_found() -> None:
    found = audit(Traffic())

    assert (found.findings, found.cut) == ((), 0)
    assert found.scanned.network_requests == found.scanned.unique_endpoints == 0


def test_what_was_looked_at_is_counted() -> None:
    session = Session().call(url="/users/1").call(url="/users/2").call(url="/cart").say("hello")

    scanned = session.audit().scanned

    assert (scanned.network_requests, scanned.console_entries) == (3, 1)
    assert scanned.unique_endpoints == 2


def test_the_worst_comes_first_and_then_the_newest() -> None:
    session = Session().call(url="http://shop.io/a").call(url=f"http://shop.io/b?token={KEY}")

    found = session.audit(severity_min="warning").findings

    assert [(one.severity, one.evidence["seq"]) for one in found] == [
        ("critical", 2),
        ("warning", 2),
        ("warning", 1),
    ]


def test_only_matching_addresses_are_looked_at() -> None:
    session = Session().call(url=f"/a?token={KEY}").call(url=f"/b?token={KEY}")

    (finding,) = session.audit(url_filter="/b").findings

    assert finding.evidence["url"] == "/b?token=***"


@pytest.mark.parametrize(("least", "count"), [("info", 3), ("warning", 2), ("critical", 1)])
def test_less_severe_findings_are_left_out(least: str, count: int) -> None:
    session = Session().call(url=f"http://shop.io/b?token={KEY}").say("for ann@mailpost.no")

    assert len(session.audit(severity_min=least).findings) == count


def test_a_category_has_a_limit_and_what_is_beyond_is_counted() -> None:
    session = Session()
    for number in range(FINDINGS_PER_CATEGORY):
        session.call(url=f"/page-{chr(97 + number)}?token={KEY}")
    at_limit = session.audit()
    session.call(url=f"/one-more?token={KEY}")
    beyond = session.audit()

    assert (len(at_limit.findings), at_limit.cut) == (FINDINGS_PER_CATEGORY, 0)
    assert (len(beyond.findings), beyond.cut) == (FINDINGS_PER_CATEGORY, 1)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://staging.shop.io/a", True),
        ("https://api-dev.shop.io/a", True),
        ("https://shop.io/dev/a", True),
        ("https://shop.io/device/a", False),
        ("https://devices.shop.io/a", False),
        ("http://[bad", False),
    ],
)
def test_staging_is_a_label_or_a_segment(url: str, expected: bool) -> None:  # noqa: FBT001  # a case
    assert is_staging(url) is expected


def test_a_staging_environment_adds_a_note() -> None:
    (finding,) = Session().call(url=f"https://staging.shop.io/a?token={KEY}").audit().findings

    assert "staging environment" in finding.recommendation


@pytest.mark.parametrize(
    "body",
    [
        "",
        "\x00\xff\ufffd" * 100,
        "[Binary: 4096B, magic:0a1b2c3d]",
        '{"a":' * 500 + "1" + "}" * 500,
        "[" * 500,
        '{"token":"a8f7d9e0b1c2d3e4f5","token":"b8f7d9e0b1c2d3e4f5"}',
        json.dumps({f"key{n}": n for n in range(10_000)}),
        '{"password":"hunt',
        "\ud800 password=hunter2x",
    ],
    ids=["empty", "binary", "marker", "deep", "open", "twice", "many", "cut", "surrogate"],
)
@pytest.mark.parametrize("url", ["/a", "http://[bad", "http://a:b:c/", "\x00", "data:,x"])
def test_no_input_breaks_the_audit(body: str, url: str) -> None:
    exchange = NetworkBody(seq=1, url=url, request_body=body, response_body=body)
    entry = LogEntry(seq=2, url=url, message=body, args=[body, {"a": body}])
    event = WebSocketEvent(seq=3, url=url, data=body)

    audit(Traffic((exchange,), (entry,), (event,)), severity_min="info")


@settings(deadline=None, max_examples=200)
@given(url=secret_texts, body=secret_texts)
def test_no_text_breaks_the_audit(url: str, body: str) -> None:
    session = Session().call(url=url or "/", requestBody=body, responseBody=body).say(body)

    session.hear(body).audit()


@pytest.mark.parametrize(
    "repeated",
    [
        "[redacted:jwt:***]",
        "a@b.c ",
        "+1 202 555 0143 ",
        '{"email":"',
        "4242 ",
        "pk_live_a1B2c3D4",
        "@",
    ],
)
def test_a_hostile_megabyte_takes_linear_time(repeated: str) -> None:
    # Quadratic time would be minutes, not a second: no clock is needed to see it.
    text = repeated * (1_000_000 // len(repeated))
    exchange = NetworkBody(seq=1, url=text, response_body=text, has_auth_header=False)

    audit(Traffic((exchange,), (LogEntry(seq=2, message=text),)), severity_min="info")
