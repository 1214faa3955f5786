"""Who may ask what, at a real port: every route, every method, every forgery."""

import base64
import os
import socket
from collections.abc import Iterator

import psutil
import pytest

from tests.servers import LOOPBACK, PATIENCE_S, Answer, RunningServer, running_server
from tests.surfaces.http.asking import (
    PAGE_ROUTES,
    ask,
    ask_own,
    every_route,
    is_page_writable,
    known_paths,
    own_host,
    statuses,
)

TOKEN = "s3cret+ö"
FOREIGN_ORIGINS = (
    "https://evil.example",
    "null",
    "http://localhost:1",
    "http://127.0.0.1:1",
    "http://localhost",
    "file://",
    "chrome-extension.evil.example",
    "http://{own}.evil.example",
    "",
)
ADMITTED_ORIGINS = (
    "http://{own}",
    "http://localhost:{port}",
    "http://[::1]:{port}",
    "chrome-extension://abcdefghijklmnop",
    "moz-extension://5b3c-11",
)
FORGED_HOSTS = (
    ("evil.example",),
    ("evil.example:{port}",),
    ("127.0.0.1:1",),
    ("127.0.0.1",),
    ("localhost.evil.example:{port}",),
    ("127.0.0.1.nip.io:{port}",),
    ("0.0.0.0:{port}",),
    ("{own}.evil.example",),
    ("evil.example@{own}",),
    ("",),
    (),
    ("{own}", "evil.example"),
    ("evil.example", "{own}"),
    ("{own}", "{own}"),
)
ORIGIN_REFUSED = {
    "error": "Origin not allowed on this route: a page may only POST what it captured"
}


def fill_in(text: str, server: RunningServer) -> str:
    return text.format(own=f"{LOOPBACK}:{server.port}", port=server.port)


def upgrade(server: RunningServer, path: str, *headers: tuple[str, str]) -> str:
    """The first line a server says to a WebSocket handshake."""
    sent = [
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", base64.b64encode(os.urandom(16)).decode()),
        *headers,
    ]
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent), "", ""]
    with socket.create_connection((LOOPBACK, server.port), timeout=PATIENCE_S) as connection:
        connection.sendall("\r\n".join(lines).encode())
        return connection.makefile("rb").readline().decode().strip()


def cors(answer: Answer) -> dict[str, str]:
    return {
        name: value
        for name, value in answer.headers.items()
        if name.startswith("access-control-") or name == "vary"
    }


@pytest.mark.parametrize("hosts", FORGED_HOSTS, ids=repr)
def test_every_route_refuses_a_forged_host(server: RunningServer, hosts: tuple[str, ...]) -> None:
    headers = [("Host", fill_in(host, server)) for host in hosts]

    answers = {
        (method, path): ask(server, method, path, *headers)
        for method, path in (*every_route(), ("OPTIONS", "/logs"), ("OPTIONS", "/snapshot"))
    }

    assert {asked for asked, answer in answers.items() if answer.status != 403} == set()
    reasons = {answer.json["error"] for asked, answer in answers.items() if asked[0] != "HEAD"}
    call = f"call this server 127.0.0.1:{server.port}, or start it with --allow-host NAME"
    assert reasons == {f"Invalid Host header: {call}"}


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_the_server_answers_to_each_of_its_own_names(server: RunningServer, name: str) -> None:
    answer = ask(server, "GET", "/health", ("Host", f"{name}:{server.port}"))

    assert answer.status == 200


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS, ids=repr)
def test_a_foreign_origin_gets_nowhere_but_where_pages_write(
    server: RunningServer, origin: str
) -> None:
    header = ("Origin", fill_in(origin, server))

    answers = {asked: ask_own(server, *asked, header) for asked in every_route()}

    admitted = {asked for asked, answer in answers.items() if answer.status != 403}
    assert admitted == {("POST", path) for path in PAGE_ROUTES}
    refused = [answer for asked, answer in answers.items() if asked not in admitted]
    assert [answer for answer in refused if cors(answer)] == []
    assert [a for a in refused if a.body and a.json != ORIGIN_REFUSED] == []


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS, ids=repr)
def test_a_page_that_writes_may_read_the_answer(server: RunningServer, origin: str) -> None:
    sent = fill_in(origin, server)

    answers = [ask_own(server, "POST", path, ("Origin", sent), body=b"{}") for path in PAGE_ROUTES]

    expected = {
        "access-control-allow-origin": sent,
        "access-control-allow-credentials": "true",
        "vary": "Origin",
    }
    assert [cors(answer) for answer in answers] == [expected] * len(PAGE_ROUTES)


def test_two_origins_are_one_too_many(server: RunningServer) -> None:
    own = ("Origin", f"http://{LOOPBACK}:{server.port}")

    answers = [
        ask_own(server, "GET", "/snapshot", *origins)
        for origins in ((own, ("Origin", "null")), (("Origin", "null"), own))
    ]

    assert statuses(answers) == {403}


@pytest.mark.parametrize("origin", ADMITTED_ORIGINS)
def test_our_own_pages_and_extensions_may_ask_everything(
    server: RunningServer, origin: str
) -> None:
    header = ("Origin", fill_in(origin, server))

    answers = {asked: ask_own(server, *asked, header) for asked in every_route()}

    assert {asked for asked, answer in answers.items() if answer.status in {401, 403}} == set()


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_request_from_another_site_without_origin_gets_nowhere(
    server: RunningServer, site: str
) -> None:
    answers = {asked: ask_own(server, *asked, ("Sec-Fetch-Site", site)) for asked in every_route()}

    admitted = {asked for asked, answer in answers.items() if answer.status != 403}
    assert admitted == {("POST", path) for path in PAGE_ROUTES}


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_the_user_s_own_navigation_is_answered(server: RunningServer, site: str) -> None:
    assert ask_own(server, "GET", "/snapshot", ("Sec-Fetch-Site", site)).status == 200


def test_any_page_s_preflight_for_writing_is_granted(server: RunningServer) -> None:
    answers = [
        ask_own(
            server,
            "OPTIONS",
            path,
            ("Origin", "https://app.example"),
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "content-type"),
            ("Access-Control-Request-Private-Network", "true"),
        )
        for path in PAGE_ROUTES
    ]

    assert statuses(answers) == {204}
    assert {answer.body for answer in answers} == {b""}
    assert cors(answers[0]) == {
        "access-control-allow-origin": "https://app.example",
        "access-control-allow-credentials": "true",
        "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
        "access-control-allow-headers": (
            "Content-Type, Authorization, X-Gasoline-Key, X-Gasoline-Test-Id"
        ),
        "access-control-allow-private-network": "true",
        "access-control-max-age": "600",
        "vary": "Origin",
    }


def test_a_foreign_preflight_for_anything_else_is_refused(server: RunningServer) -> None:
    asked = [asked for asked in every_route() if not is_page_writable(*asked)]

    answers = [
        ask_own(
            server,
            "OPTIONS",
            path,
            ("Origin", "https://evil.example"),
            ("Access-Control-Request-Method", method),
        )
        for method, path in asked
    ]

    assert statuses(answers) == {403}
    assert [answer for answer in answers if cors(answer)] == []


def test_options_without_an_origin_is_answered_on_every_route(server: RunningServer) -> None:
    assert statuses(ask_own(server, "OPTIONS", path) for path in known_paths()) == {204}


@pytest.mark.parametrize("hosts", FORGED_HOSTS, ids=repr)
def test_no_websocket_opens_for_a_forged_host(
    server: RunningServer, hosts: tuple[str, ...]
) -> None:
    headers = [("Host", fill_in(host, server)) for host in hosts]

    said = {upgrade(server, path, *headers) for path in ("/live", "/mcp", "/logs", "/nowhere")}

    # The handshake's own rules refuse some of these before the guard sees them.
    assert said <= {"HTTP/1.1 403 Forbidden", "HTTP/1.1 400 Bad Request"}


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS, ids=repr)
def test_no_websocket_opens_for_a_foreign_origin(server: RunningServer, origin: str) -> None:
    headers = (own_host(server), ("Origin", fill_in(origin, server)))

    said = {upgrade(server, path, *headers) for path in ("/live", "/mcp", "/logs", "/nowhere")}

    assert said == {"HTTP/1.1 403 Forbidden"}


def test_a_websocket_nobody_serves_is_not_found(server: RunningServer) -> None:
    assert upgrade(server, "/nowhere", own_host(server)) == "HTTP/1.1 404 Not Found"


def test_the_server_listens_on_loopback_only(server: RunningServer) -> None:
    listening = [
        connection.laddr.ip
        for connection in psutil.Process(server.pid).net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    ]

    assert listening == [LOOPBACK]


@pytest.fixture(scope="module")
def renamed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("renamed"), "--allow-host", "Gasoline.test") as it:
        yield it


@pytest.mark.parametrize("host", ["gasoline.test", "gasoline.test:{port}", "{own}"])
def test_an_allowed_host_is_admitted_with_its_origin(renamed: RunningServer, host: str) -> None:
    name = fill_in(host, renamed)

    answer = ask(renamed, "GET", "/health", ("Host", name), ("Origin", f"http://{name}"))

    assert answer.status == 200


@pytest.mark.parametrize("host", ["evil.gasoline.test", "gasoline.test.evil", "gasoline.test:1"])
def test_allowing_a_host_allows_no_other(renamed: RunningServer, host: str) -> None:
    assert ask(renamed, "GET", "/health", ("Host", host)).status == 403


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("locked"), "--token", TOKEN) as it:
        yield it


@pytest.mark.parametrize(
    "headers",
    [
        (),
        (("Authorization", "Bearer wrong"),),
        (("Authorization", f"Basic {TOKEN}"),),
        (("Authorization", TOKEN),),
        (("X-Gasoline-Key", ""),),
        (("X-Gasoline-Key", TOKEN[:-1]),),
    ],
    ids=repr,
)
def test_without_the_token_every_route_is_closed(
    locked: RunningServer, headers: tuple[tuple[str, str], ...]
) -> None:
    sent = [(name, value.encode().decode("latin-1")) for name, value in headers]

    answers = {asked: ask_own(locked, *asked, *sent) for asked in every_route()}

    assert {asked for asked, answer in answers.items() if answer.status != 401} == set()
    assert answers["GET", "/snapshot"].json == {"error": "unauthorized"}


@pytest.mark.parametrize(
    ("header", "query"),
    [
        (("Authorization", f"Bearer {TOKEN}"), ""),
        (("authorization", f"bearer  {TOKEN}"), ""),
        (("X-Gasoline-Key", TOKEN), ""),
        (("X-Other", ""), "?token=s3cret%2B%C3%B6"),
        (("X-Other", ""), "?test_id=a&token=wrong&token=s3cret%2B%C3%B6"),
    ],
)
def test_the_token_opens_every_route_in_each_of_its_forms(
    locked: RunningServer, header: tuple[str, str], query: str
) -> None:
    sent = (header[0], header[1].encode().decode("latin-1"))

    answers = {
        (method, path): ask_own(locked, method, path + query, sent)
        for method, path in every_route()
    }

    assert {asked for asked, answer in answers.items() if answer.status in {401, 403}} == set()


def test_a_preflight_needs_no_token_for_it_cannot_carry_one(locked: RunningServer) -> None:
    headers = (("Origin", "https://app.example"), ("Access-Control-Request-Method", "POST"))

    assert ask_own(locked, "OPTIONS", "/logs", *headers).status == 204


def test_a_page_can_read_that_it_is_unauthorized(locked: RunningServer) -> None:
    answer = ask_own(locked, "POST", "/logs", ("Origin", "https://app.example"))

    assert answer.status == 401
    assert cors(answer)["access-control-allow-origin"] == "https://app.example"


def test_the_token_lets_no_foreign_origin_in(locked: RunningServer) -> None:
    headers = (("Origin", "https://evil.example"),)

    assert ask_own(locked, "GET", "/snapshot?token=s3cret%2B%C3%B6", *headers).status == 403


def test_no_websocket_opens_without_the_token(locked: RunningServer) -> None:
    assert upgrade(locked, "/live", own_host(locked)) == "HTTP/1.1 401 Unauthorized"
