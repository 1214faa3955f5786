"""Asking a real server over HTTP what a well-behaved client would not."""

import http.client
from collections.abc import Iterable
from typing import Any

from gasoline.live.questions import Questions
from gasoline.surfaces.http.routes import all_routes
from gasoline.surfaces.settings import Settings
from tests.builders import ingest
from tests.servers import LOOPBACK, PATIENCE_S, Answer, RunningServer

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
PAGE_ROUTES = (
    "/logs",
    "/websocket-events",
    "/network-bodies",
    "/enhanced-actions",
    "/performance-snapshot",
    "/performance-snapshots",
    "/dom-snapshots",
    "/batches",
)


def known_paths() -> list[str]:
    """Every path there is, from the code itself, and one there is not."""
    return [*all_routes(ingest(), Questions(), Settings()), "/mcp", "/live", "/no-such-route"]


def every_route() -> list[tuple[str, str]]:
    return [(method, path) for path in known_paths() for method in METHODS]


def is_page_writable(method: str, path: str) -> bool:
    return method == "POST" and path in PAGE_ROUTES


def ask(
    server: RunningServer,
    method: str,
    path: str,
    *headers: tuple[str, str],
    body: bytes = b"",
) -> Answer:
    """Send exactly these headers, in this order; not even Host is added."""
    connection = http.client.HTTPConnection(LOOPBACK, server.port, timeout=PATIENCE_S)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in (*headers, ("Content-Length", str(len(body)))):
            connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        named = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, named, response.read())
    finally:
        connection.close()


def own_host(server: RunningServer) -> tuple[str, str]:
    return ("Host", f"{LOOPBACK}:{server.port}")


def ask_own(
    server: RunningServer, method: str, path: str, *headers: tuple[str, str], body: bytes = b""
) -> Answer:
    """The same by the server's own name."""
    return ask(server, method, path, own_host(server), *headers, body=body)


def statuses(answers: Iterable[Answer]) -> set[int]:
    return {answer.status for answer in answers}


def post(server: RunningServer, path: str, content: Any) -> Any:
    """Deliver something that must be taken, and return what the server said."""
    answer = server.request("POST", path, content)
    assert answer.status == 200, answer
    return answer.json


def post_logs(server: RunningServer, *entries: dict[str, Any], **envelope: Any) -> Any:
    return post(server, "/logs", {"entries": list(entries), **envelope})


def mark(server: RunningServer, test_id: str, action: str, **more: Any) -> Any:
    return post(server, "/test-boundary", {"test_id": test_id, "action": action, **more})


def snapshot(server: RunningServer, **query: str | int) -> Any:
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    answer = server.request("GET", f"/snapshot?{asked}")
    assert answer.status == 200, answer
    return answer.json


def messages(server: RunningServer, **query: str | int) -> list[str]:
    return [entry["message"] for entry in snapshot(server, **query)["logs"]]
