"""MCP over a private unix socket: one JSON line a message, one connection a bridge."""

import asyncio
import json
import logging
import os
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from gasoline.surfaces.mcp.bridge import LINE_LIMIT

logger = logging.getLogger(__name__)

OWNER_ONLY = 0o177


async def listen(
    server: Server[Any], path: Path, *, engaged: Callable[[], AbstractContextManager[None]]
) -> asyncio.Server:
    """Serve bridges on a socket that only this user can reach; `engaged` surrounds each of them."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with engaged():
                await _serve_connection(server, reader, writer)
        finally:
            writer.close()

    return await asyncio.start_unix_server(serve, sock=_bind(path), limit=LINE_LIMIT)


def _bind(path: Path) -> socket.socket:
    path.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    # Never reachable for others, not even between binding and a chmod.
    others = os.umask(OWNER_ONLY)
    try:
        listening.bind(str(path))
    finally:
        os.umask(others)
    return listening


async def _serve_connection(
    server: Server[Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    incoming_send, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing_send, outgoing = anyio.create_memory_object_stream[SessionMessage](0)

    async def read_lines() -> None:
        async with incoming_send:
            while line := await _read_line(reader):
                try:
                    message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValidationError:
                    await _write(writer, explain_refusal(line))
                else:
                    await incoming_send.send(SessionMessage(message))

    async def write_lines() -> None:
        async with outgoing:
            async for outgoing_message in outgoing:
                await _write(writer, outgoing_message.message)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read_lines)
        tasks.start_soon(write_lines)
        await server.run(incoming, outgoing_send, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _read_line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readline()
    except ConnectionError:
        return b""
    except ValueError:
        logger.warning("A bridge sent a line over %d bytes: connection closed", LINE_LIMIT)
        return b""


async def _write(writer: asyncio.StreamWriter, message: types.JSONRPCMessage) -> None:
    text = message.model_dump_json(by_alias=True, exclude_unset=True)
    try:
        writer.write(text.encode() + b"\n")
        await writer.drain()
    except ConnectionError:
        # The bridge left; reading will say so too.
        logger.debug("A bridge left before its answer")


def explain_refusal(line: bytes) -> types.JSONRPCError:
    """The protocol's answer to a line that is not a message: the SDK itself is silent."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        error = types.ErrorData(code=types.PARSE_ERROR, message="Parse error: not JSON")
        return types.JSONRPCError(jsonrpc="2.0", id=None, error=error)
    request_id = content.get("id") if isinstance(content, dict) else None
    error = types.ErrorData(
        code=types.INVALID_REQUEST, message="Invalid request: not one JSON-RPC 2.0 message"
    )
    return types.JSONRPCError(
        jsonrpc="2.0", id=request_id if isinstance(request_id, str | int) else None, error=error
    )
