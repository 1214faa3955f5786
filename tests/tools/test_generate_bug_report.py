"""A bug report that can be pasted into an issue."""

import asyncio
import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from gasoline.ingest.screenshot import read_upload
from gasoline.surfaces.mcp.answering import answer_call
from tests.builders import ingest
from tests.pictures import data_url, encoded, noise_picture, opened, page_data_url
from tests.sessions import Session, login
from tests.tools.asking import ask, call, context_of

NAME = "generate_bug_report"


def report_of(session: Session, **arguments: Any) -> str:
    answer = call(session.into.store, NAME, inline=True, **arguments)
    assert not answer.is_error, answer.text
    return answer.text


def broken() -> Session:
    answer = '{"error":"db down"}'
    session = login().ask(1.5, "/api/export?token=abc12345", status=500, responseBody=answer)
    return session.say(
        2, "TypeError: x is undefined", type="exception", filename="dashboard.js", lineno=142
    )


def photograph(session: Session, picture: str, **fields: Any) -> None:
    upload = read_upload({"dataUrl": picture, "url": session.url, **fields})
    asyncio.run(session.into.take_picture(upload))


def test_a_report_has_every_section_in_order() -> None:
    report = report_of(broken())

    assert report.startswith(
        "## Bug Report: TypeError: x is undefined\n\n**URL**: `http://app/home`"
    )
    assert [line for line in report.splitlines() if line.startswith("### ")] == [
        "### Steps to Reproduce",
        "### Expected Behavior",
        "### Actual Behavior",
        "### Requests",
        "### Environment",
        "### Reproduction Script",
    ]
    assert "**Observed**: 2026-03-01T12:00:02.000Z" in report
    assert "**Severity**: Error (unhandled exception)" in report
    assert "- Gasoline capture session: 2026-03-01" in report
    assert "```javascript\n// Recorded by Gasoline" in report


def test_steps_are_numbered_and_end_with_the_error_and_its_place() -> None:
    steps = re.findall(r"^\d+\. .*", report_of(broken()), re.MULTILINE)

    assert steps == [
        "1. Navigate to `/login`",
        '2. Fill "email"',
        '3. Fill "password"',
        '4. Click "Log in" button (the page goes to `/home`)',
        "5. Error: `TypeError: x is undefined` at `dashboard.js:142`",
    ]


def test_the_server_is_quoted_and_secrets_in_addresses_are_not() -> None:
    report = report_of(broken())

    assert "`POST /api/export` answered 500: `db down`." in report
    assert "| `POST http://app/api/export` | 500 |" in report
    assert "abc12345" not in report


def test_known_noise_is_no_bug_and_counted() -> None:
    session = broken().ask(3, "https://www.google-analytics.com/g/collect", status=503)

    report = report_of(session.say(4, "[HMR] update failed"))

    assert report.startswith("## Bug Report: TypeError: x is undefined")
    assert "google-analytics" not in report.partition("### Reproduction Script")[0]
    assert "- Set aside as known noise: 2" in report


def test_noise_that_is_all_there_is_makes_a_report() -> None:
    report = report_of(login().say(4, "[HMR] update failed"))

    assert report.startswith("## Bug Report: \\[HMR\\] update failed")
    assert "known noise" not in report


def test_what_should_have_happened_is_told_by_the_caller() -> None:
    report = report_of(broken(), expected="A file is *saved*.", title="Export is broken")

    assert "### Expected Behavior\n\nA file is \\*saved\\*.\n" in report
    assert report.startswith("## Bug Report: Export is broken\n")


def test_pictures_are_embedded_at_their_steps() -> None:
    session = Session().click(0, actionId="act_1").say(1, "boom")
    photograph(session, page_data_url(), trigger="action", actionId="act_1")

    report = report_of(session)

    number, picture = re.findall(r"!\[Step (\d)\]\(data:image/png;base64,([^)]+)\)", report)[0]
    assert number == "2"
    assert opened(base64.b64decode(picture)).size[0] == 320
    assert "No screenshots" not in report


def test_missing_pictures_are_said_to_be_missing() -> None:
    assert "_No screenshots: they were off." in report_of(broken())


def test_pictures_that_do_not_fit_are_left_out_and_the_last_ones_stay() -> None:
    session = Session()
    noise = data_url(encoded(noise_picture(320, 30)))
    for number in range(4):
        session.click(number, actionId=f"act_{number}")
        photograph(session, noise, trigger="action", actionId=f"act_{number}")

    report = report_of(session)

    assert len(report) <= 65_536
    assert "left out: the report would be too long" in report
    assert "![Step 5]" in report


@pytest.mark.parametrize(
    "text",
    ["`tick` ``two``", "# no heading", "<script>alert(1)</script>", "@everybody", "[a](http://evil)",
     "![i](data:x)", "two\n\n## lines", "| cell |", "\u202eevil"],
)  # fmt: skip
def test_text_of_the_page_stays_text(text: str) -> None:
    session = Session().click(0, text, text=text).say(1, text)

    report = report_of(session)
    prose = re.sub(r"(`+).+?\1", "", report[: report.index("### Reproduction Script")])

    for meaning in ("<script", "@everybody", "http://evil", "![i]", "\n## lines", "\u202e"):
        assert meaning not in prose


def test_errors_without_actions_are_worth_a_report() -> None:
    report = report_of(Session().say(0, "boom"))

    assert "No user actions were captured." in report
    assert "### Reproduction Script" not in report


def test_nothing_at_all_is_not() -> None:
    assert ask(ingest().store, NAME)["summary"].startswith("No user actions captured")


def test_a_long_report_is_written_to_a_file(tmp_path: Path) -> None:
    session = Session()
    for number in range(50):
        session.click(number, "Button " * 10 + str(number))

    context = context_of(session.into.store, generated=tmp_path)
    answer = json.loads(asyncio.run(answer_call(context, NAME, {})).text)

    written = Path(answer["path"]).read_text(encoding="utf-8")
    assert written.startswith("## Bug Report:")
    assert answer["size_bytes"] == len(written.encode())
    assert answer["first_lines"][0] == written.split("\n")[0]


def test_the_time_of_a_session_without_errors_is_that_of_its_last_action() -> None:
    assert "**Observed**: 2026-03-01T12:00:03.000Z" in report_of(Session().click(0).click(3))


@pytest.mark.parametrize(
    ("user_agent", "browser"),
    [
        ("Mozilla/5.0 (X11) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36", "Chrome 156"),
        (
            "Mozilla/5.0 (X11) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36 Edg/156.0",
            "Edge 156",
        ),
        ("Mozilla/5.0 (X11; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox 140"),
        ("python-httpx/0.28", "not told by the capture"),
    ],
)
def test_the_browser_is_named_as_people_do(user_agent: str, browser: str) -> None:
    session = broken()
    session.into.store.user_agent = user_agent

    assert f"- Browser: {browser}\n" in report_of(session)
