"""What the captured traffic gives away."""

import json

import pytest

from tests.builders import exchange, ingest, log, send_exchanges, send_logs, store
from tests.tools.asking import ask, call

KEY = "Zx8kQ0pLm3Vt9Rw2Yb5Nc7Hd"
LEAK = f"https://shop.io/api?api_key={KEY}"


def test_counts_stand_before_the_evidence_and_agree_with_it() -> None:
    into = ingest()
    send_exchanges(into, exchange(url=LEAK), exchange(url="http://shop.io/b"))
    send_logs(into, log(message="for ann@mailpost.no"))

    answer = ask(into.store, "security_audit", severity_min="info")

    assert list(answer) == ["summary", "capture", "findings"]
    assert answer["summary"] == {
        "conclusion": (
            "1 critical, 1 warning, 1 info in 2 requests and 1 console entries; "
            "worst: API key exposed in URL query parameter."
        ),
        "total": 3,
        "critical": 1,
        "warning": 1,
        "info": 1,
        "scanned": {"network_requests": 2, "console_entries": 1, "unique_endpoints": 2},
    }
    severities = [finding["severity"] for finding in answer["findings"]]
    assert severities == ["critical", "warning", "info"]


def test_a_finding_has_the_specified_fields() -> None:
    into = ingest()
    send_exchanges(into, exchange(url=LEAK))

    (finding,) = ask(into.store, "security_audit")["findings"]

    assert list(finding) == [
        "severity",
        "category",
        "title",
        "description",
        "evidence",
        "recommendation",
        "cwe",
    ]


def test_warnings_are_the_least_unless_asked_otherwise() -> None:
    into = ingest()
    send_logs(into, log(message="for ann@mailpost.no"))

    assert ask(into.store, "security_audit")["summary"]["total"] == 0
    assert ask(into.store, "security_audit", severity_min="info")["summary"]["info"] == 1


def test_only_the_checks_that_were_asked_for_run() -> None:
    into = ingest()
    send_exchanges(into, exchange(url=LEAK.replace("https", "http")))

    found = ask(into.store, "security_audit", checks=["transport"])["findings"]

    assert {finding["category"] for finding in found} == {"transport"}


def test_only_matching_addresses_and_tabs_are_looked_at() -> None:
    into = ingest()
    send_exchanges(into, exchange(url=LEAK, tabId=1), exchange(url=f"/b?token={KEY}", tabId=2))

    by_url = ask(into.store, "security_audit", url_filter="/b")
    by_tab = ask(into.store, "security_audit", tab_id=1)

    assert by_url["summary"]["scanned"]["network_requests"] == 1
    assert [one["evidence"]["param_name"] for one in by_url["findings"]] == ["token"]
    assert [one["evidence"]["param_name"] for one in by_tab["findings"]] == ["api_key"]


@pytest.mark.parametrize(
    "arguments", [{"checks": ["everything"]}, {"severity_min": "fatal"}, {"checks": "transport"}]
)
def test_an_unknown_check_or_severity_is_refused(arguments: dict[str, object]) -> None:
    answer = call(store(), "security_audit", **arguments)

    assert answer.is_error
    assert answer.text.startswith(next(iter(arguments)))


def test_what_does_not_fit_is_counted_and_never_above_fifty_kilobytes() -> None:
    into = ingest()
    for number in range(20):
        page = f"page-{chr(97 + number)}"
        url = f"http://shop.io/{page}/{'long' * 60}?api_key={KEY}"
        body = json.dumps({"email": "ann@mailpost.no"})
        send_exchanges(into, exchange(url=url, responseBody=body, hasAuthHeader=False))

    usual = ask(into.store, "security_audit")
    all_of_it = call(into.store, "security_audit", max_tokens=100_000)

    assert usual["truncated"] is True
    assert usual["summary"]["total"] == len(usual["findings"]) + usual["omitted"] == 80
    assert "max_tokens" in usual["next"]
    assert len(all_of_it.text.encode()) < 50 * 1024


def test_more_than_a_category_holds_says_how_to_narrow() -> None:
    into = ingest()
    for number in range(21):
        send_exchanges(into, exchange(url=f"/page-{chr(97 + number)}?api_key={KEY}"))

    answer = ask(into.store, "security_audit", max_tokens=100_000)

    assert answer["summary"]["total"] == 20
    assert answer["truncated"] is True
    assert answer["next"].startswith("1 more beyond 20")


def test_no_answer_holds_a_secret() -> None:
    into = ingest()
    send_exchanges(into, exchange(url=LEAK, requestBody=KEY, responseBody=f'{{"apiKey":"{KEY}"}}'))
    send_logs(into, log(message=f"apiKey: {KEY}", args=[{"apiKey": KEY}]))

    assert KEY not in call(into.store, "security_audit", severity_min="info").text
