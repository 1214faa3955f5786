"""A failure for an AI agent: everything it needs, within 500 tokens."""

from collections.abc import Iterator
from itertools import islice

from gasoline.analysis.abnormal import AbnormalEvent
from gasoline.analysis.diagnosis import Diagnosis
from gasoline.analysis.endpoint import path_of
from gasoline.generation.report.summary import (
    Outcome,
    Summary,
    describe_capture,
    headline,
    history,
    short_id,
)
from gasoline.generation.untrusted import strip_invisible
from gasoline.records import NetworkBody

CHARS_PER_TOKEN = 4
FAILURE_TOKENS = 500
ERRORS_SHOWN = 5
FRAMES_SHOWN = 2
TIMELINE_SHOWN = 8
# What is given up, step by step, when a failure does not fit.
SHRINKING = (
    (ERRORS_SHOWN, FRAMES_SHOWN, TIMELINE_SHOWN, 200),
    (4, 2, 6, 140),
    (3, 1, 4, 100),
    (2, 1, 3, 70),
    (1, 0, 2, 50),
)


def write_ai_context(summary: Summary) -> str:
    """One section for each cause; further tests of the same cause are named under it."""
    flaky = [outcome for outcome in summary.outcomes if outcome.flaky]
    if not (summary.failures or flaky or summary.notes):
        return f"{headline(summary)}.\n"
    is_alone = len(summary.failures) == 1 and not summary.notes and not flaky
    parts = [] if is_alone else [f"# {headline(summary)}"]
    parts += [f"> {_line(note, 200)}" for note in summary.notes]
    for outcomes in summary.causes.values():
        first, *others = outcomes
        parts.append(_write_failure(first))
        if others:
            named = [f"- {_line(short_id(outcome.test_id), 120)}" for outcome in others]
            parts.append("\n".join([f"### Same cause in {len(others)} more", *named]))
    parts += [_write_flaky(outcome) for outcome in flaky]
    return "\n\n".join(parts) + "\n"


def _write_flaky(outcome: Outcome) -> str:
    lines = [
        f"## Flaky Test: {_line(short_id(outcome.test_id), 120)}",
        _line(history(outcome), 300),
    ]
    return "\n".join([*lines, *(f"- {_line(hint, 200)}" for hint in outcome.telling.hints)])


def _write_failure(outcome: Outcome) -> str:
    for errors, frames, timeline, chars in SHRINKING:
        text = "\n".join(_lines(outcome, errors, frames, timeline, chars))
        if len(text) <= FAILURE_TOKENS * CHARS_PER_TOKEN:
            break
    return text[: FAILURE_TOKENS * CHARS_PER_TOKEN]


def _lines(outcome: Outcome, errors: int, frames: int, timeline: int, chars: int) -> Iterator[str]:
    diagnosis = outcome.telling
    run = diagnosis.evidence.run
    yield f"## Test Failure: {_line(short_id(outcome.test_id), 120)}"
    if run.message:
        yield f"Test said: {_line(run.message, chars)}"
    yield f"### Browser Errors ({len(diagnosis.events)})"
    for number, event in enumerate(diagnosis.events[:errors], start=1):
        yield from _event_lines(number, event, frames, chars)
    if len(diagnosis.events) > errors:
        yield f"({len(diagnosis.events) - errors} more)"
    yield from _timeline_lines(diagnosis, timeline)
    yield "### Diagnosis Hints"
    yield from (f"- {_line(hint, chars + 60)}" for hint in diagnosis.hints)
    for answer in islice((clue.exchange for clue in diagnosis.clues if clue.exchange), 1):
        yield f"  {path_of(answer.url)} answered: {_line(answer.response_body or '', chars)}"
    lines = describe_capture(diagnosis.evidence.capture)
    yield from (f"- {_line(line, chars)}" for line in lines)


def _event_lines(number: int, event: AbnormalEvent, frames: int, chars: int) -> Iterator[str]:
    yield f"{number}. [{event.kind}] {_line(event.title + event.where, chars)}"
    if event.noise:
        yield f"   [likely noise: {event.noise}]"
        return
    yield from (f"   {_line(frame, chars)}" for frame in event.stack[:frames])
    yield from (f"   {line}" for line in _code_lines(event, frames, chars))
    if event.exchange and event.exchange.request_body:
        yield f"   Request: {_line(event.exchange.request_body, chars)}"
    if event.exchange and event.exchange.response_body:
        yield f"   Response: {_line(event.exchange.response_body, chars)}"


def _code_lines(event: AbnormalEvent, around: int, chars: int) -> Iterator[str]:
    """The line that threw, marked, and its neighbours while there is room."""
    place = event.context.place
    if place is None:
        return
    for line in place.snippet:
        if abs(line.line - place.line) < around:
            mark = ">" if line.is_error else " "
            yield f"{mark} {line.line} | {_line(line.text, chars)}"


def _timeline_lines(diagnosis: Diagnosis, shown: int) -> Iterator[str]:
    exchanges = sorted(diagnosis.evidence.exchanges, key=lambda exchange: exchange.at_ms)
    if not exchanges:
        return
    window = _around(exchanges, diagnosis.primary, shown)
    started = exchanges[0].at_ms
    yield "### Network Timeline"
    for exchange in window:
        is_failure = diagnosis.primary is not None and exchange is diagnosis.primary.exchange
        yield _timeline_line(exchange, started, is_failure=is_failure)
    if len(exchanges) > len(window):
        yield f"({len(exchanges) - len(window)} more)"


def _around(
    exchanges: list[NetworkBody], primary: AbnormalEvent | None, shown: int
) -> list[NetworkBody]:
    """The requests up to the failure and one after it; without a failure the last ones."""
    if primary is None:
        return exchanges[-shown:]
    before = [exchange for exchange in exchanges if exchange.at_ms <= primary.at_ms]
    end = min(len(before) + 1, len(exchanges))
    return exchanges[max(0, end - shown) : end]


def _timeline_line(exchange: NetworkBody, started: float, *, is_failure: bool) -> str:
    took = f"{exchange.duration:.0f}ms" if exchange.duration is not None else "?"
    mark = " ← FAILURE" if is_failure else ""
    where = f"{exchange.method} {_line(path_of(exchange.url), 70)}"
    outcome = "no answer yet" if exchange.pending else exchange.status
    return f"{exchange.at_ms - started:5.0f}ms: {where} → {outcome} ({took}){mark}"


def _line(text: str, chars: int) -> str:
    """Untrusted text on one line, unable to open a heading, a list or a fence of its own."""
    flat = " ".join(strip_invisible(text).split()).replace("`", "'")
    return flat if len(flat) <= chars else flat[: max(1, chars - 3)] + "..."
