"""How the server is, and what the extension asks it."""

import os
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from gasoline import __version__
from gasoline.analysis.capture_health import judge_capture
from gasoline.ingest import Ingest
from gasoline.ingest.json_text import read_object
from gasoline.live.questions import Questions
from gasoline.records import EnhancedAction, LogEntry, NetworkBody, WebSocketEvent
from gasoline.records.time import format_time
from gasoline.surfaces.http.answers import json_answer, refuse
from gasoline.surfaces.http.app import NOT_FOUND, Routes
from gasoline.surfaces.settings import Settings
from gasoline.tools.get_websocket_status import describe_connections

_ANY_METHOD = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")


def status_routes(ingest: Ingest, questions: Questions, settings: Settings) -> Routes:
    """Health, settings, connections, and the questions that polling clients answer."""
    store = ingest.store

    def show_connections(_request: Request, _body: bytes) -> Response:
        return json_answer(describe_connections(store.connections, now_ms=store.now_ms()))

    def take_answer(_request: Request, body: bytes) -> Response:
        return _take_answer(questions, body)

    return {
        "/": {
            "GET": lambda _request, _body: json_answer(
                {"name": "gasoline", "version": __version__, "health": "/health", "logs": "/logs"}
            )
        },
        "/health": {"GET": lambda _request, _body: json_answer(_health(ingest, settings))},
        # Earlier servers answered any method here.
        "/websocket-status": dict.fromkeys(_ANY_METHOD, show_connections),
        "/settings": {
            "GET": lambda _request, _body: json_answer(
                {"connected": True, "capture_overrides": settings.capture_overrides}
            ),
            "POST": lambda _request, body: _take_heartbeat(ingest, settings, body),
        },
        "/pending-queries": {
            "GET": lambda _request, _body: json_answer({"queries": questions.poll()})
        },
        "/dom-result": {"POST": take_answer},
        "/a11y-result": {"POST": take_answer},
    }


def _health(ingest: Ingest, settings: Settings) -> dict[str, Any]:
    store = ingest.store
    entries, limit = store.count(LogEntry), store.limits.logs.count
    log_file = str(ingest.recorder.path) if ingest.recorder else ""
    return {
        "status": "ok",
        "name": "gasoline",
        "version": __version__,
        "pid": os.getpid(),
        "entries": entries,
        "maxEntries": limit,
        "logFile": log_file,
        "logs": {"entries": entries, "maxEntries": limit, "logFile": log_file},
        "buffers": {
            "websocket_events": store.count(WebSocketEvent),
            "network_bodies": store.count(NetworkBody),
            "actions": store.count(EnhancedAction),
            "connections": len(store.connections.open),
        },
        "circuit": {
            "open": False,
            "current_rate": ingest.rate_limit.current(now_ms=store.now_ms()),
            "memory_bytes": store.size_bytes,
            "reason": "",
        },
        "memory": {"bytes": store.size_bytes, "limit": store.limits.memory_bytes},
        "capture": judge_capture(store.capture_facts()),
        "senders": len(store.senders),
        "tests": {"active": len(store.active_tests)},
        **({"extension": settings.extension} if settings.extension else {}),
        **(
            {"record_error": ingest.recorder.error}
            if ingest.recorder and ingest.recorder.error
            else {}
        ),
    }


def _take_heartbeat(ingest: Ingest, settings: Settings, body: bytes) -> Response:
    now_ms = ingest.store.now_ms()
    settings.note_heartbeat(read_object(body).get("session_id"), now_ms=now_ms)
    return json_answer({"status": "ok", "timestamp": format_time(now_ms)})


def _take_answer(questions: Questions, body: bytes) -> Response:
    sent = read_object(body)
    question_id = sent.get("id")
    if not isinstance(question_id, str):
        return refuse("id is required")
    if not questions.answer(question_id, sent.get("result")):
        return refuse("Nobody waits for this answer any more", NOT_FOUND)
    return json_answer({"received": 1})
