"""The report for a person at a terminal: read in ten seconds."""

from collections.abc import Iterator

from gasoline.generation.report.summary import (
    Outcome,
    Summary,
    describe_capture,
    headline,
    history,
    short_id,
)
from gasoline.generation.untrusted import strip_invisible

LINE_CHARS = 160
EVENTS_SHOWN = 5
ALSO_SHOWN = 10


def write_text(summary: Summary) -> str:
    """Headline, then each cause with the tests that failed of it."""
    return "\n".join(_lines(summary)) + "\n"


def _lines(summary: Summary) -> Iterator[str]:
    yield headline(summary)
    yield from (f"note: {_line(note)}" for note in summary.notes)
    for outcomes in summary.causes.values():
        yield ""
        yield from _failure_lines(outcomes)
    flaky = [outcome for outcome in summary.outcomes if outcome.flaky]
    if flaky:
        yield ""
        yield "Flaky (failed, then passed):"
        yield from (
            f"  {_line(short_id(outcome.test_id))}: {_line(history(outcome))}" for outcome in flaky
        )


def _failure_lines(outcomes: list[Outcome]) -> Iterator[str]:
    first, *others = outcomes
    diagnosis = first.telling
    yield f"FAILED  {_line(short_id(first.test_id))}"
    if len(first.attempts) > 1:
        yield f"  {_line(history(first))}"
    yield from (f"  {_line(hint)}" for hint in diagnosis.hints)
    for event in diagnosis.events[:EVENTS_SHOWN]:
        noise = f"  [likely noise: {event.noise}]" if event.noise else ""
        yield f"    [{event.kind}] {_line(event.title + event.where)}{noise}"
    if len(diagnosis.events) > EVENTS_SHOWN:
        yield f"    ({len(diagnosis.events) - EVENTS_SHOWN} more)"
    yield from (f"  {_line(line)}" for line in describe_capture(diagnosis.evidence.capture))
    if others:
        yield f"  Same cause in {len(others)} more:"
        yield from (f"    {_line(short_id(outcome.test_id))}" for outcome in others[:ALSO_SHOWN])
        if len(others) > ALSO_SHOWN:
            yield f"    ({len(others) - ALSO_SHOWN} more)"


def _line(text: str) -> str:
    flat = " ".join(strip_invisible(text).split())
    return flat if len(flat) <= LINE_CHARS else flat[: LINE_CHARS - 3] + "..."
