"""What an AI tool says to an MCP server."""

import json
from collections.abc import Mapping

PROTOCOL_VERSION = "2025-06-18"


def request(method: str, params: Mapping[str, object]) -> bytes:
    return _write({"id": 1, "method": method, "params": params})


def notification(method: str) -> bytes:
    return _write({"method": method})


def _write(message: dict[str, object]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode()


HELLO = request(
    "initialize",
    {
        "protocolVersion": PROTOCOL_VERSION,
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
)
INITIALIZED = notification("notifications/initialized")
ASK_FOR_ERRORS = request("tools/call", {"name": "get_browser_errors", "arguments": {}})
