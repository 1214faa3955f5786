"""Where a report gets its evidence: a running server, or record files of servers that are gone."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec

from gasoline.analysis.capture_health import judge_capture
from gasoline.analysis.status_words import UNTOLD
from gasoline.records import (
    EnhancedAction,
    LogEntry,
    NetworkBody,
    PerformanceSnapshot,
    Record,
    TestRun,
    WebSocketEvent,
    read_record,
)
from gasoline.records.console import CAPTURE_NOTE
from gasoline.records.evidence import Evidence
from gasoline.records.health import CaptureHealth
from gasoline.records.time import parse_time_ms
from gasoline.surfaces.cli.client import NoServerError, read_tests, request

R = TypeVar("R", bound=Record)

WHOLE_SESSION = "(whole session)"


def read_from_server(
    port: int, *, test_id: str | None = None, since: str | None = None
) -> list[Evidence]:
    """Ask a server for each attempt it knows; without any test, for everything it has."""
    runs = [run for run in list_runs(port) if test_id in {None, run.test_id}]
    if not runs:
        query = {"test_id": test_id} if test_id else {}
        return [_ask_snapshot(port, _unmarked(test_id), {**query, "since": since})]
    return [
        _ask_snapshot(
            port, run, {"test_id": run.test_id, "attempt": str(run.attempt), "since": since}
        )
        for run in runs
        if _is_since(run, since)
    ]


def _unmarked(test_id: str | None) -> TestRun:
    """Nobody marked tests, or not this one: what was captured is one run of its own."""
    return TestRun(test_id=test_id or WHOLE_SESSION, attempt=1, started_ms=0.0)


def _is_since(run: TestRun, since: str | None) -> bool:
    since_ms = parse_time_ms(since)
    return since_ms is None or run.ended_ms is None or run.ended_ms > since_ms


def read_session_from_server(port: int) -> Evidence:
    """Ask a server for everything that it has, whichever tests it belongs to."""
    return _ask_snapshot(port, _unmarked(None), {})


def read_session_from_files(paths: Sequence[Path]) -> tuple[Evidence, list[str]]:
    """Replay record files as one session; the notes say what in them could not be read."""
    # Imported here: asking a server needs neither the store nor its regular expressions.
    from gasoline.ingest.replay import replay  # noqa: PLC0415

    store, notes = replay(paths)
    records = [kept.read(kind) for kind, kept in store.everything()]
    evidence = Evidence(
        run=_unmarked(None),
        logs=_of_kind(records, LogEntry),
        exchanges=_of_kind(records, NetworkBody),
        websocket_events=_of_kind(records, WebSocketEvent),
        actions=_of_kind(records, EnhancedAction),
        capture=judge_capture(store.capture_facts()),
    )
    return evidence, notes


def read_from_files(
    paths: Sequence[Path], *, test_id: str | None = None, since: str | None = None
) -> tuple[list[Evidence], list[str]]:
    """Replay record files; the notes say what in them could not be read."""
    # Imported here: asking a server needs neither the store nor its regular expressions.
    from gasoline.ingest.replay import replay  # noqa: PLC0415

    store, notes = replay(paths)
    since_ms = parse_time_ms(since) if since else None
    runs = [run for run in store.test_runs() if test_id in {None, run.test_id}]
    unmarked = None if runs else _unmarked(test_id)

    def evidence_of(run: TestRun) -> Evidence:
        records = [
            kept.read(kind)
            for kind, kept in (
                store.evidence(run.test_id, None if run is unmarked else run.attempt)
                if run.test_id != WHOLE_SESSION
                else store.everything()
            )
        ]
        chosen = [record for record in records if since_ms is None or record.at_ms > since_ms]
        asked = None if run.test_id == WHOLE_SESSION else run.test_id
        facts = store.capture_facts(test_id=asked)
        admitted = tuple(log for log in _of_kind(records, LogEntry) if log.type == CAPTURE_NOTE)
        return Evidence(
            run=run,
            logs=_of_kind(chosen, LogEntry),
            exchanges=_of_kind(chosen, NetworkBody),
            websocket_events=_of_kind(chosen, WebSocketEvent),
            actions=_of_kind(chosen, EnhancedAction),
            loads=_of_kind(chosen, PerformanceSnapshot),
            capture=judge_capture(msgspec.structs.replace(facts, admitted=admitted)),
        )

    chosen_runs = [unmarked] if unmarked else [run for run in runs if _is_since(run, since)]
    return [evidence_of(run) for run in chosen_runs], notes


def _of_kind(records: Sequence[Record], kind: type[R]) -> tuple[R, ...]:
    return tuple(record for record in records if isinstance(record, kind))


def list_runs(port: int) -> list[TestRun]:
    """Every attempt that a server knows of."""
    return [
        TestRun(
            test_id=test["test_id"],
            attempt=test["attempt"],
            started_ms=parse_time_ms(test.get("started")) or 0.0,
            ended_ms=parse_time_ms(test.get("ended")),
            status=None if test["status"] in UNTOLD else test["status"],
            duration_ms=test.get("duration_ms"),
            message=test.get("message"),
        )
        for test in read_tests(port)
    ]


def _ask_snapshot(port: int, run: TestRun, query: dict[str, str | None]) -> Evidence:
    query = {**query, "explained": "true"}
    asked = urlencode({key: value for key, value in query.items() if value})
    status, snapshot = request(port, "GET", f"/snapshot?{asked}")
    if not isinstance(snapshot, dict) or "logs" not in snapshot:
        reason = snapshot.get("error") if isinstance(snapshot, dict) else status
        raise NoServerError(f"GET /snapshot answered {status}: {reason}")
    return Evidence(
        run=run,
        logs=tuple(_read_all(snapshot, "logs", LogEntry)),
        exchanges=tuple(_read_all(snapshot, "network_bodies", NetworkBody)),
        websocket_events=tuple(_read_all(snapshot, "websocket_events", WebSocketEvent)),
        actions=tuple(_read_all(snapshot, "enhanced_actions", EnhancedAction)),
        loads=tuple(_read_all(snapshot, "performance", PerformanceSnapshot)),
        capture=msgspec.convert(snapshot.get("capture"), CaptureHealth | None),
    )


def _read_all(snapshot: dict[str, Any], name: str, kind: type[R]) -> Iterator[R]:
    for sent in snapshot.get(name, []):
        record = read_record(kind, msgspec.json.encode(sent))
        yield msgspec.structs.replace(record, at_ms=record.said_ms or 0.0)
