"""MCP at `/mcp`: the SDK's HTTP transport, and one-shot requests beside it."""

from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.types import ASGIApp

from gasoline.surfaces.http.app import BODY_LIMIT
from gasoline.surfaces.mcp.one_shot import with_one_shot
from gasoline.surfaces.mcp.open_streams import OpenStreams
from gasoline.tools.context import Context


def build_transport(
    server: Server[Any], context: Context, open_streams: OpenStreams
) -> tuple[ASGIApp, StreamableHTTPSessionManager]:
    """The app to mount, and its sessions, which must be running while it serves."""
    # Host and Origin are checked by our own guard, in front of every route.
    sessions = StreamableHTTPSessionManager(app=server, max_request_body_size=BODY_LIMIT)
    transport = open_streams.around(StreamableHTTPASGIApp(sessions))
    return with_one_shot(context, transport), sessions
