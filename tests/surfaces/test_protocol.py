"""What an MCP client sees: the official SDK's, and clients from before MCP's HTTP transport."""

import asyncio
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters

from gasoline import __version__
from gasoline.tools.registry import all_tools
from tests.servers import RunningServer, environment_of, running_server

TOKENS_PER_LIST = 5000
BYTES_PER_TOKEN = 4
METHOD_NOT_FOUND, INVALID_PARAMS, PARSE_ERROR, INVALID_REQUEST = -32601, -32602, -32700, -32600


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("shared")) as running:
        entry = {"level": "error", "message": "Boom", "url": "http://localhost/"}
        running.request("POST", "/logs", {"entries": [entry]})
        yield running


def stdio(server: RunningServer, *flags: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "gasoline", "mcp", "--port", str(server.port), *flags],
        env=environment_of(server.state_folder),
    )


DOORS = {
    "bridge": stdio,
    "bridge over HTTP": lambda server: stdio(server, "--http"),
    "HTTP": lambda server: f"{server.url}/mcp",
}

doors = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
modes = pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])


@doors
@modes
def test_the_official_client_lists_and_calls_tools(
    server: RunningServer, door: Any, mode: Any
) -> None:
    async def talk() -> tuple[list[str], Any]:
        async with Client(door(server), mode=mode) as client:
            listed = await client.list_tools()
            called = await client.call_tool("get_browser_errors", {})
            return [tool.name for tool in listed.tools], called

    names, called = asyncio.run(talk())

    assert names == list(all_tools())
    assert not called.is_error
    assert "Boom" in called.content[0].text


@doors
def test_wrong_arguments_get_an_error_that_names_parameter_and_rule(
    server: RunningServer, door: Any
) -> None:
    async def talk() -> list[Any]:
        async with Client(door(server)) as client:
            return [
                await client.call_tool("get_browser_logs", {"limit": 0}),
                await client.call_tool("get_browser_logs", {"limit": "many"}),
                await client.call_tool("get_browser_logs", {"limits": 1}),
                await client.call_tool("diff_sessions", {"action": "go"}),
            ]

    answers = asyncio.run(talk())

    texts = [answer.content[0].text for answer in answers]
    assert [answer.is_error for answer in answers] == [True] * 4
    assert texts[0] == "limit: Expected `int` >= 1. See the parameters of get_browser_logs."
    assert texts[1] == "limit: Expected `int`, got `str`. See the parameters of get_browser_logs."
    assert texts[2].startswith("limits: get_browser_logs has no such parameter. It takes: ")
    assert texts[3].endswith("Choose from: capture, compare, delete, list.")


@doors
def test_an_unknown_tool_is_the_protocols_error(server: RunningServer, door: Any) -> None:
    async def talk() -> Any:
        async with Client(door(server)) as client:
            with pytest.raises(MCPError) as refused:
                await client.call_tool("no_such_tool", {})
            return refused.value.error

    error = asyncio.run(talk())

    assert (error.code, error.message) == (INVALID_PARAMS, "Unknown tool: no_such_tool")


def test_the_tool_list_fits_its_budget(server: RunningServer) -> None:
    answer = post(server, method="tools/list", id=1)

    size = len(json.dumps(answer["result"], separators=(",", ":")).encode())
    assert size / BYTES_PER_TOKEN < TOKENS_PER_LIST


def test_tools_say_whether_they_change_anything(server: RunningServer) -> None:
    tools = post(server, method="tools/list", id=1)["result"]["tools"]

    changing = [tool["name"] for tool in tools if not tool["annotations"]["readOnlyHint"]]
    assert "clear_browser_logs" in changing
    assert "get_browser_errors" not in changing


def test_the_handshake_says_who_we_are_and_how_to_begin(server: RunningServer) -> None:
    async def talk() -> Any:
        async with Client(stdio(server), mode="legacy") as client:
            return client.server_info, client.instructions

    told, instructions = asyncio.run(talk())

    assert (told.name, told.version) == ("gasoline", __version__)
    assert "get_browser_errors" in instructions


# One request per POST, as earlier clients sent it


def post(server: RunningServer, **request: Any) -> Any:
    answer = server.request("POST", "/mcp", {"jsonrpc": "2.0", **request})
    assert answer.status == 200
    return answer.json


def test_a_plain_post_needs_no_handshake(server: RunningServer) -> None:
    answer = post(
        server, id="a", method="tools/call", params={"name": "get_browser_errors", "arguments": {}}
    )

    assert answer["id"] == "a"
    assert "Boom" in answer["result"]["content"][0]["text"]
    assert "isError" not in answer["result"]


def test_a_plain_handshake_answers_the_originals_version(server: RunningServer) -> None:
    result = post(server, id=1, method="initialize", params={})["result"]

    assert result["protocolVersion"] == "2024-11-05"
    assert result["capabilities"] == {"tools": {}}
    assert result["serverInfo"] == {"name": "gasoline", "version": __version__}


@pytest.mark.parametrize(
    ("request_sent", "code"),
    [
        ({"id": 1, "method": "no/such"}, METHOD_NOT_FOUND),
        ({"id": 1, "method": "tools/call", "params": {"name": "no_such"}}, INVALID_PARAMS),
        ({"id": 1, "method": "tools/call", "params": {"name": 5}}, INVALID_PARAMS),
        ({"id": 1, "method": "tools/call", "params": []}, INVALID_PARAMS),
        ({"id": 1, "method": "tools/call", "params": [1]}, INVALID_PARAMS),
        ({"id": 1, "method": 5}, INVALID_REQUEST),
        ({"id": 1}, INVALID_REQUEST),
    ],
)
def test_a_plain_request_that_is_wrong_gets_the_protocols_error(
    server: RunningServer, request_sent: dict[str, Any], code: int
) -> None:
    answer = post(server, **request_sent)

    assert (answer["jsonrpc"], answer["error"]["code"]) == ("2.0", code)


@pytest.mark.parametrize("body", [b"", b"no json", b"\xff", b"[" * 100_000, b'{"id":1'])
def test_a_plain_body_that_is_not_json_is_a_parse_error(server: RunningServer, body: bytes) -> None:
    answer = server.request("POST", "/mcp", body)

    assert answer.status == 200
    assert (answer.json["id"], answer.json["error"]["code"]) == (None, PARSE_ERROR)


def test_plain_notifications_are_not_answered(server: RunningServer) -> None:
    notification = {"jsonrpc": "2.0", "method": "notifications/initialized"}

    answer = server.request("POST", "/mcp", notification)

    assert (answer.status, answer.body) == (202, b"")


def test_a_body_over_the_limit_is_refused(server: RunningServer) -> None:
    too_large = b" " * (5 * 1024 * 1024 + 1)
    speaks_transport = {"Accept": "application/json, text/event-stream"}

    plain = server.request("POST", "/mcp", too_large)
    transport = server.request("POST", "/mcp", too_large, speaks_transport)

    assert (plain.status, transport.status) == (413, 413)


def test_page_text_in_answers_hides_nothing(server: RunningServer) -> None:
    entry = {"level": "error", "message": "in\u202evi\u200bsi\u0007ble", "url": "http://x/"}
    server.request("POST", "/logs", {"entries": [entry]})

    answer = post(server, id=1, method="tools/call", params={"name": "get_browser_errors"})

    text = answer["result"]["content"][0]["text"]
    assert "invisible" in text
    assert "\\u0007" not in text
