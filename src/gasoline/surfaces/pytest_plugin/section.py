"""What a failing test shows of the browser: the conclusion, then the few events behind it."""

from collections.abc import Iterator

from gasoline.analysis.diagnosis import Diagnosis, diagnose
from gasoline.analysis.endpoint import path_of
from gasoline.generation.report.summary import describe_capture
from gasoline.generation.untrusted import strip_invisible
from gasoline.surfaces.cli.evidence import read_from_server

LINE_CHARS = 160
EVENTS_SHOWN = 5
REQUESTS_SHOWN = 5


def read_section(port: int, test_id: str) -> str:
    """What the server on a port knows of the newest attempt at a test."""
    return write_section(diagnose(read_from_server(port, test_id=test_id)[-1]))


def write_section(diagnosis: Diagnosis) -> str:
    """The browser's side of one failure, read in ten seconds."""
    return "\n".join(_line(line) for line in _lines(diagnosis))


def _lines(diagnosis: Diagnosis) -> Iterator[str]:
    evidence = diagnosis.evidence
    yield from describe_capture(evidence.capture)
    yield from diagnosis.hints
    for event in diagnosis.events[:EVENTS_SHOWN]:
        noise = f"  (likely noise: {event.noise})" if event.noise else ""
        yield f"  [{event.kind}] {event.title}{event.where}{noise}"
    if len(diagnosis.events) > EVENTS_SHOWN:
        yield f"  ({len(diagnosis.events) - EVENTS_SHOWN} more)"
    if evidence.exchanges:
        yield f"Last of {len(evidence.exchanges)} requests:"
    for exchange in evidence.exchanges[-REQUESTS_SHOWN:]:
        took = "" if exchange.duration is None else f" ({exchange.duration:.0f} ms)"
        waits = "no answer yet" if exchange.pending else "no answer"
        status = exchange.status or exchange.error or waits
        yield f"  {exchange.method} {path_of(exchange.url)} -> {status}{took}"


def _line(text: str) -> str:
    """Page text on one line of its own, with nothing in it that moves the terminal's cursor."""
    indent = text[: len(text) - len(text.lstrip())]
    flat = indent + " ".join(strip_invisible(text).split())
    return flat if len(flat) <= LINE_CHARS else flat[: LINE_CHARS - 3] + "..."
