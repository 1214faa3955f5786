"""The bridge over HTTP, where it differs from the socket; the rest is in test_bridge."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gasoline.surfaces.daemon.place import Place, ServerNote, write_note
from gasoline.surfaces.mcp.http_link import HttpLink, _header_value
from gasoline.surfaces.mcp.message import Message, write_message
from tests.bridges import HELLO, running_bridge
from tests.servers import running_server, wait_until

MODERN = {
    "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
}


@pytest.mark.parametrize("flags", [("--token", "secret"), ("--host", "::1")], ids=" ".join)
def test_what_the_server_s_note_says_opens_the_way(tmp_path: Path, flags: tuple[str, str]) -> None:
    with (
        running_server(tmp_path, *flags) as server,
        running_bridge(server.port, server.state_folder, "--http") as bridge,
    ):
        bridge.shake_hands()

        assert "result" in bridge.call("get_browser_errors")


def test_a_server_that_refuses_gets_every_request_an_error(tmp_path: Path) -> None:
    with running_server(tmp_path, "--token", "secret") as server:
        place = Place(server.state_folder, server.port)
        received: list[dict[str, Any]] = []
        lost: list[HttpLink] = []
        write_note(place, ServerNote(server.pid, server.port, "0", "wrong"))
        link = HttpLink(place, lambda message: received.append(message.content), lost.append)

        link.send(write_message({"jsonrpc": "2.0", "id": 1, "method": "initialize"}))
        link.send(write_message({"jsonrpc": "2.0", "method": "notifications/initialized"}))

    error = {"code": -32000, "message": "gasoline: the server answered HTTP 401"}
    assert received == [{"jsonrpc": "2.0", "id": 1, "error": error}]
    assert lost == []


def test_a_session_ends_with_its_bridge(tmp_path: Path) -> None:
    with running_server(tmp_path, "--idle-exit", "0.2") as server:
        with running_bridge(server.port, server.state_folder, "--http") as bridge:
            bridge.shake_hands()
            with pytest.raises(subprocess.TimeoutExpired):
                server.process.wait(0.5)
            assert bridge.end_input() == 0

        assert server.process.wait(10) == 0


def test_an_unknown_session_is_a_lost_server(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        received: list[Message] = []
        lost: list[HttpLink] = []
        link = HttpLink(Place(server.state_folder, server.port), received.append, lost.append)
        link.send(
            write_message({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO})
        )
        link._session["Mcp-Session-Id"] = "of another server"

        link.send(write_message({"jsonrpc": "2.0", "id": 2, "method": "ping"}))
        wait_until(lambda: bool(lost), "the link to say that its server is gone")

    assert [message.id for message in received] == [1]
    assert lost[0] is link


def test_clients_without_handshake_are_served(tmp_path: Path) -> None:
    with (
        running_server(tmp_path) as server,
        running_bridge(server.port, server.state_folder, "--http") as bridge,
    ):
        call = {"name": "get_browser_errors", "arguments": {}, **MODERN}

        answer = bridge.ask("tools/call", call)
        unknown = bridge.ask("tools/call", {**call, "name": "größer"})
        no_method = bridge.ask("no/such", MODERN)

    assert "No browser errors" in json.dumps(answer["result"])
    assert unknown["error"] == {"code": -32602, "message": "Unknown tool: größer"}
    assert no_method["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("get_logs", "get_logs"),
        ("größer", "=?base64?Z3LDtsOfZXI=?="),
        ("a\r\nb", "=?base64?YQ0KYg==?="),
        (" a", "=?base64?IGE=?="),
        ("=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
    ],
)
def test_a_name_survives_its_header(text: str, value: str) -> None:
    assert _header_value(text) == value
