"""The report as data for other programs."""

from typing import Any

import msgspec
from msgspec import Struct

from gasoline.analysis.abnormal import AbnormalEvent, words_of_server
from gasoline.analysis.diagnosis import Diagnosis
from gasoline.generation.report.summary import Outcome, Summary, headline
from gasoline.records.health import CaptureHealth

STACK_LINES = 10


class ReportError(Struct, frozen=True, omit_defaults=True):
    """An error of the page."""

    source: str
    message: str
    at_ms: float
    stack: tuple[str, ...] = ()
    url: str = ""
    noise: str | None = None
    summary: str = ""
    place: str = ""


class ReportNetwork(Struct, frozen=True, omit_defaults=True):
    """A request that failed."""

    method: str
    url: str
    status: int
    at_ms: float
    duration: float | None = None
    request_body: str | None = None
    response_body: str | None = None
    server_said: str | None = None
    error: str | None = None
    noise: str | None = None


class ReportAttempt(Struct, frozen=True, omit_defaults=True):
    """One of several attempts at a test."""

    attempt: int
    status: str
    message: str | None = None
    cause: str | None = None
    hints: tuple[str, ...] = ()


class ReportEntry(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One test. Empty lists are left out."""

    test_id: str
    status: str
    errors: list[ReportError] = []
    network_failures: list[ReportNetwork] = []
    ws_errors: list[ReportError] = []
    duration: str | None = None
    attempts: int = 1
    history: list[ReportAttempt] = []
    flaky: bool = False
    message: str | None = None
    cause: str | None = None
    hints: tuple[str, ...] = ()
    capture: CaptureHealth | None = None


def write_json(summary: Summary) -> str:
    """The whole run as one JSON object."""
    content: dict[str, Any] = {
        "summary": headline(summary),
        "tests": [_entry(outcome) for outcome in summary.outcomes],
        "causes": [
            {"cause": cause, "tests": [outcome.test_id for outcome in outcomes]}
            for cause, outcomes in summary.causes.items()
        ],
        **({"notes": summary.notes} if summary.notes else {}),
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"


def _entry(outcome: Outcome) -> ReportEntry:
    diagnosis, run = outcome.telling, outcome.telling.evidence.run
    requests = [event for event in diagnosis.events if event.exchange]
    sockets = [event for event in diagnosis.events if event.kind == "websocket"]
    errors = [event for event in diagnosis.events if event not in requests + sockets]
    return ReportEntry(
        test_id=outcome.test_id,
        status=outcome.last.status,
        errors=[_error(event) for event in errors],
        network_failures=[failure for event in requests if (failure := _network(event))],
        ws_errors=[_error(event) for event in sockets],
        duration=None if run.duration_ms is None else f"{run.duration_ms / 1000:.1f}s",
        attempts=len(outcome.attempts),
        history=[_attempt(one) for one in outcome.attempts] if len(outcome.attempts) > 1 else [],
        flaky=outcome.flaky,
        message=run.message,
        cause=diagnosis.cause if diagnosis.failed else None,
        hints=diagnosis.hints if diagnosis.failed else (),
        capture=diagnosis.evidence.capture,
    )


def _attempt(diagnosis: Diagnosis) -> ReportAttempt:
    run = diagnosis.evidence.run
    if not diagnosis.failed:
        return ReportAttempt(run.attempt, diagnosis.status)
    return ReportAttempt(
        run.attempt, diagnosis.status, run.message, diagnosis.cause, diagnosis.hints
    )


def _error(event: AbnormalEvent) -> ReportError:
    return ReportError(
        event.kind,
        event.title,
        event.at_ms,
        event.stack[:STACK_LINES],
        event.url,
        event.noise,
        event.context.summary,
        event.where.removeprefix(" in "),
    )


def _network(event: AbnormalEvent) -> ReportNetwork | None:
    exchange = event.exchange
    if exchange is None:
        return None
    return ReportNetwork(
        exchange.method,
        exchange.url,
        exchange.status,
        exchange.at_ms,
        exchange.duration,
        exchange.request_body,
        exchange.response_body,
        words_of_server(exchange),
        "never answered" if exchange.pending else exchange.error,
        event.noise,
    )
