"""One JSON-RPC request per POST, no session: how clients before MCP's HTTP transport asked."""

from typing import Any

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gasoline import __version__
from gasoline.surfaces.http.answers import json_answer, refuse
from gasoline.surfaces.http.app import BODY_LIMIT
from gasoline.surfaces.mcp.answering import UnknownToolError, answer_call
from gasoline.surfaces.mcp.protocol import INSTRUCTIONS, describe, write_content
from gasoline.tools.context import Context
from gasoline.tools.registry import all_tools

PROTOCOL_VERSION = "2024-11-05"
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
ACCEPTED, TOO_LARGE = 202, 413


class RpcError(Exception):
    """A JSON-RPC error to answer with."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def with_one_shot(context: Context, transport: ASGIApp) -> ASGIApp:
    """Serve plain requests here and everything that speaks the transport there."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST" or _speaks_transport(dict(scope["headers"])):
            await transport(scope, receive, send)
            return
        body = await _read(receive)
        too_large = len(body) > BODY_LIMIT
        response = (
            refuse("Request body too large", TOO_LARGE)
            if too_large
            else await _respond(context, body)
        )
        await response(scope, receive, send)

    return app


def _speaks_transport(headers: dict[bytes, bytes]) -> bool:
    return (
        b"mcp-session-id" in headers
        or b"mcp-protocol-version" in headers
        or b"text/event-stream" in headers.get(b"accept", b"")
    )


async def _read(receive: Receive) -> bytes:
    body, more = bytearray(), True
    while more and len(body) <= BODY_LIMIT:
        message: Message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(body)


async def _respond(context: Context, body: bytes) -> ASGIApp:
    request_id: Any = None
    try:
        request = _parse(body)
        request_id = request.get("id")
        if "id" not in request:
            # A notification: nothing to answer.
            return json_answer(b"", ACCEPTED)
        result = await _dispatch(context, request["method"], request.get("params") or {})
    except RpcError as error:
        failure = {"code": error.code, "message": error.message}
        return json_answer({"jsonrpc": "2.0", "id": request_id, "error": failure})
    return json_answer({"jsonrpc": "2.0", "id": request_id, "result": result})


def _parse(body: bytes) -> dict[str, Any]:
    try:
        request = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RpcError(PARSE_ERROR, "Parse error") from error
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        raise RpcError(INVALID_REQUEST, "Expected one JSON-RPC request object with a method")
    return request


async def _dispatch(context: Context, method: str, params: Any) -> Any:
    if not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "params must be an object")
    if method == "initialize":
        return {
            "protocolVersion": PROTOCOL_VERSION,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "gasoline", "version": __version__},
            "instructions": INSTRUCTIONS,
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        tools = [describe(tool) for tool in all_tools().values()]
        return {"tools": [tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]}
    if method == "tools/call":
        return await _call(context, params)
    raise RpcError(METHOD_NOT_FOUND, f"Method not found: {method}")


async def _call(context: Context, params: dict[str, Any]) -> dict[str, Any]:
    name, arguments = params.get("name"), params.get("arguments") or {}
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise RpcError(INVALID_PARAMS, "tools/call needs a name and an object of arguments")
    try:
        answer = await answer_call(context, name, arguments)
    except UnknownToolError as error:
        raise RpcError(INVALID_PARAMS, str(error)) from error
    content = [
        block.model_dump(by_alias=True, exclude_none=True) for block in write_content(answer)
    ]
    return {"content": content, **({"isError": True} if answer.is_error else {})}
