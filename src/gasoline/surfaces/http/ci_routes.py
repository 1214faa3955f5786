"""What test runners ask: a snapshot, a clean slate, where a test starts and ends."""

import re

from starlette.requests import Request
from starlette.responses import Response

from gasoline.ingest import Ingest, RefusedBatch
from gasoline.ingest.boundary import BOUNDARY_ROUTE
from gasoline.ingest.json_text import read_object
from gasoline.records import TestRun
from gasoline.records.time import format_time, format_time_precisely
from gasoline.store import Store
from gasoline.surfaces.http.answers import json_answer, refuse
from gasoline.surfaces.http.app import Routes
from gasoline.surfaces.http.snapshot import parse_since, write_snapshot
from gasoline.surfaces.settings import Settings

_ATTEMPT = re.compile(r"[0-9]{1,9}")


def ci_routes(ingest: Ingest, settings: Settings) -> Routes:
    """The endpoints of Gasoline CI."""
    store = ingest.store
    return {
        "/snapshot": {"GET": lambda request, _body: _snapshot(ingest, request)},
        "/clear": {
            method: lambda request, body: _clear(ingest, settings, request, body)
            for method in ("POST", "DELETE")
        },
        BOUNDARY_ROUTE: {"POST": lambda _request, body: _mark_boundary(ingest, body)},
        "/tests": {"GET": lambda _request, _body: _list_tests(store)},
    }


async def _snapshot(ingest: Ingest, request: Request) -> Response:
    if ingest.explaining and request.query_params.get("explained") == "true":
        # A report comes right after the last error, whose source may still be looked for.
        await ingest.explaining.settle()
    return _write_snapshot(ingest.store, request)


def _write_snapshot(store: Store, request: Request) -> Response:
    since, attempt = request.query_params.get("since"), request.query_params.get("attempt", "")
    since_ms = parse_since(since) if since else None
    if since and since_ms is None:
        return refuse("Invalid since timestamp")
    if attempt and not _ATTEMPT.fullmatch(attempt):
        return refuse("attempt must be a whole number")
    return json_answer(
        write_snapshot(
            store,
            since_ms=since_ms,
            test_id=request.query_params.get("test_id") or None,
            attempt=int(attempt) if attempt else None,
        )
    )


def _clear(ingest: Ingest, settings: Settings, request: Request, body: bytes) -> Response:
    try:
        asked = read_object(body)
    except RefusedBatch:
        # A body that says nothing readable still means: clear.
        asked = {}
    test_id = request.query_params.get("test_id") or asked.get("test_id") or asked.get("testId")
    if not isinstance(test_id, str):
        test_id = None
    removed = ingest.store.clear(test_id=test_id)
    if asked.get("preserve_config") is False:
        settings.reset()
    if ingest.recorder:
        ingest.recorder.note("/clear", {"test_id": test_id}, at_ms=ingest.store.now_ms())
    return json_answer({"cleared": True, "entries_removed": removed["logs"], "removed": removed})


def _mark_boundary(ingest: Ingest, body: bytes) -> Response:
    boundary, marked = ingest.mark(body)
    return json_answer(
        {
            "test_id": boundary.test_id,
            "action": boundary.action,
            "timestamp": format_time_precisely(ingest.store.now_ms()),
            **({"attempt": marked.run.attempt} if marked.run else {}),
            **({"ignored": marked.ignored} if marked.ignored else {}),
        }
    )


def _list_tests(store: Store) -> Response:
    runs = store.test_runs()
    return json_answer(
        {
            "tests": [_describe(run) for run in runs],
            "count": len(runs),
            "active": len(store.active_tests),
            "forgotten": store.archive.forgotten,
        }
    )


def _describe(run: TestRun) -> dict[str, object]:
    running = run.ended_ms is None
    return {
        "test_id": run.test_id,
        "attempt": run.attempt,
        "status": run.status or ("running" if running else "unknown"),
        "active": running,
        "started": format_time(run.started_ms),
        **({} if run.ended_ms is None else {"ended": format_time(run.ended_ms)}),
        **({} if run.duration_ms is None else {"duration_ms": round(run.duration_ms, 1)}),
        **({} if run.message is None else {"message": run.message}),
    }
