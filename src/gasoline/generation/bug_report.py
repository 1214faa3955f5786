"""A bug report: what was done, what came of it, and how to see it again."""

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from msgspec import Struct

from gasoline.analysis.abnormal import noise_of, words_of_server
from gasoline.analysis.endpoint import path_of
from gasoline.analysis.noise import noise_reason
from gasoline.analysis.session import Session, Step
from gasoline.generation.markdown import code, code_block, plain
from gasoline.generation.script.address import strip_secrets
from gasoline.generation.script.condensing import condense
from gasoline.generation.script.error_context import ErrorContext
from gasoline.generation.script.wording import describe_step
from gasoline.records import LogEntry, NetworkBody
from gasoline.records.health import CaptureHealth
from gasoline.records.time import format_time

# What an issue on the usual trackers may hold.
MOST_CHARS = 65_000
REQUESTS_SHOWN = 10
TITLE_CHARS = 120
NO_PICTURES = (
    "_No screenshots: they were off. `capture_screenshot` with "
    '`auto_screenshot: {"on_action": true}` switches them on._'
)
# The more special first: every browser also claims to be another.
_BROWSERS = {
    "Edg": "Edge",
    "Firefox": "Firefox",
    "HeadlessChrome": "Headless Chrome",
    "Chrome": "Chrome",
    "Version": "Safari",
}
SEVERITIES = {
    "exception": "Error (unhandled exception)",
    "unhandledrejection": "Error (unhandled rejection)",
    "network": "Error (failed request)",
}


class Facts(Struct, frozen=True, kw_only=True):
    """What a report is made of."""

    sessions: tuple[Session, ...]
    error: LogEntry | None
    place: ErrorContext | None
    script: str | None
    capture: CaptureHealth
    observed_ms: float
    expected: str | None = None
    title: str | None = None
    user_agent: str = ""
    thumbnails: Mapping[int, bytes] = {}


def write_bug_report(facts: Facts) -> str:
    """The whole report; pictures as long as there is room, those nearest the error first."""
    kept = _choose_pictures(facts, MOST_CHARS - len(_write(facts, {})))
    return _write(facts, kept)


def _write(facts: Facts, pictures: Mapping[int, str]) -> str:
    parts = [
        f"## Bug Report: {plain(_title(facts), TITLE_CHARS)}",
        "\n".join(_facts_at_a_glance(facts)),
        "### Steps to Reproduce",
        *_write_steps(facts, pictures),
        "### Expected Behavior",
        plain(facts.expected or _usual_expectation(facts), 2000),
        "### Actual Behavior",
        "\n\n".join(_actual(facts)),
    ]
    if requests := list(_write_requests(facts)):
        parts += ["### Requests", "\n".join(requests)]
    parts += ["### Environment", "\n".join(_environment(facts))]
    if facts.script:
        parts += ["### Reproduction Script", code_block(facts.script, "javascript")]
    return "\n\n".join(parts) + "\n"


def _title(facts: Facts) -> str:
    if facts.title:
        return facts.title
    if facts.place:
        return facts.place.message
    failed = _failed(facts)
    if failed:
        return f"{failed[0].method} {path_of(failed[0].url)} answers {failed[0].status}"
    return "what was seen in this session"


def _facts_at_a_glance(facts: Facts) -> Iterator[str]:
    # Two spaces at the end are a line break.
    yield f"**URL**: {code(_last_url(facts))}  "
    yield f"**Observed**: {format_time(facts.observed_ms)}  "
    yield f"**Severity**: {_severity(facts)}"


def _severity(facts: Facts) -> str:
    if facts.error:
        return SEVERITIES.get(facts.error.origin, "Error (console)")
    return "Error (failed request)" if _failed(facts) else "Unknown (no error was captured)"


def _write_steps(facts: Facts, pictures: Mapping[int, str]) -> Iterator[str]:
    number = 0
    for session in facts.sessions:
        if len(facts.sessions) > 1:
            yield f"In tab {plain(str(session.tab_id))}:"
        for step in [session.steps[0], *condense(session.steps[1:])]:
            number += 1
            yield _write_step(number, _say(step, session), step, facts, pictures)
    if not facts.sessions:
        yield "No user actions were captured."
    if facts.place:
        yield f"{number + 1}. Error: {code(facts.place.message)}{_at(facts.place)}"
    if not facts.thumbnails:
        yield NO_PICTURES


def _say(step: Step, session: Session) -> str:
    if step.action is None and not step.reloaded:
        return f"Navigate to {code(path_of(session.start_url))}"
    said = plain(describe_step(step), 200)
    return f"{said} (the page goes to {code(path_of(step.landed))})" if step.landed else said


def _write_step(
    number: int, said: str, step: Step, facts: Facts, pictures: Mapping[int, str]
) -> str:
    lines = [f"{number}. {said}"]
    for picture in step.pictures:
        if picture.seq in pictures:
            lines.append(f"   ![Step {number}]({pictures[picture.seq]})")
        elif picture.seq in facts.thumbnails:
            lines.append(f"   _Screenshot {picture.seq} left out: the report would be too long._")
        else:
            lines.append(f"   _Screenshot {picture.seq} is no longer kept._")
    return "\n".join(lines)


def _at(place: ErrorContext) -> str:
    if not place.file:
        return ""
    line = f":{place.line}" if place.line else ""
    return f" at {code(place.file + line)}"


def _usual_expectation(facts: Facts) -> str:
    last = facts.sessions[-1].actions if facts.sessions else []
    where = f" after the last step on {path_of(_last_url(facts))}" if last else ""
    return f"No error{where}. (Say here what should happen instead.)"


def _actual(facts: Facts) -> Iterator[str]:
    if facts.place and facts.error:
        yield f"{_severity(facts)}: {code(facts.place.message)}{_at(facts.place)}."
        if summary := facts.error.ai_context.summary:
            yield plain(summary, 500)
    for exchange in _failed(facts)[:3]:
        words = words_of_server(exchange)
        said = f": {code(words)}" if words else ""
        what = f"{exchange.method} {path_of(exchange.url)}"
        yield f"{code(what)} answered {exchange.status}{said}."
    if not facts.place and not _failed(facts):
        yield "No error was captured."


def _write_requests(facts: Facts) -> Iterator[str]:
    """Those that failed, and those right before the error."""
    telling = _failed(facts)
    if facts.error:
        until = facts.error.at_ms
        asked = [e for s in facts.sessions for e in s.exchanges if not noise_reason(url=e.url)]
        before = [e for e in asked if e.at_ms <= until]
        telling = [*telling, *[e for e in before[-3:] if e not in telling]]
    if not telling:
        return
    yield "| Request | Status | Time |"
    yield "|---|---|---|"
    for exchange in sorted(telling, key=lambda e: e.at_ms)[-REQUESTS_SHOWN:]:
        url = strip_secrets(exchange.url)[0]
        took = f"{exchange.duration:.0f} ms" if exchange.duration is not None else ""
        what = f"{exchange.method} {url}".replace("|", "%7C")
        yield f"| {code(what, 160)} | {exchange.status or 'none'} | {took} |"


def _environment(facts: Facts) -> Iterator[str]:
    yield f"- URL: {code(_last_url(facts))}"
    yield f"- Browser: {plain(_browser(facts.user_agent))}"
    yield f"- Gasoline capture session: {format_time(facts.observed_ms)[:10]}"
    why = f" ({plain(facts.capture.why)})" if facts.capture.why else ""
    yield f"- Capture: {facts.capture.state}{why}"
    if noise := _count_noise(facts):
        yield f"- Set aside as known noise: {noise}"


def _browser(user_agent: str) -> str:
    """Name and version, as people say them; some ways to capture cannot tell."""
    for token, name in _BROWSERS.items():
        if found := re.search(rf"{token}/(\d+)", user_agent):
            return f"{name} {found[1]}"
    return "not told by the capture"


def _failed(facts: Facts) -> list[NetworkBody]:
    return [e for e in _all_failed(facts) if not noise_reason(url=e.url)]


def _all_failed(facts: Facts) -> list[NetworkBody]:
    return [e for session in facts.sessions for e in session.exchanges if e.failed or e.error]


def _count_noise(facts: Facts) -> int:
    """Errors and failed requests that the report leaves out."""
    errors = [e for s in facts.sessions for e in s.errors if noise_of(e) and e != facts.error]
    return len(errors) + len(_all_failed(facts)) - len(_failed(facts))


def _last_url(facts: Facts) -> str:
    urls = [a.url for session in facts.sessions for a in session.actions if a.frame is None]
    if facts.error and urlsplit(facts.error.page_url or facts.error.url).scheme:
        urls.append(facts.error.page_url or facts.error.url)
    return strip_secrets(urls[-1])[0] if urls else "unknown"


def _choose_pictures(facts: Facts, room: int) -> dict[int, str]:
    steps: Sequence[Step] = [step for session in facts.sessions for step in session.steps]
    chosen: dict[int, str] = {}
    # The last steps are the ones that show the bug.
    for picture in [p for step in reversed(steps) for p in step.pictures]:
        if picture.seq not in facts.thumbnails or picture.seq in chosen:
            continue
        data = base64.b64encode(facts.thumbnails[picture.seq]).decode()
        embedded = f"data:image/png;base64,{data}"
        room -= len(embedded) + len("   ![Step 10]()\n")
        if room < 0:
            break
        chosen[picture.seq] = embedded
    return chosen
