"""The server process: every part made once and joined."""

import asyncio
import contextlib
import gc
import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct
from starlette.types import ASGIApp

from gasoline import __version__
from gasoline.ingest import Ingest, RateLimit, Recorder
from gasoline.live.questions import Questions
from gasoline.sources.explainer import Explainer
from gasoline.sources.folders import BuildFolders
from gasoline.sources.sources import Sources
from gasoline.store import Limits, Store
from gasoline.stream.hub import Hub
from gasoline.surfaces.daemon.activity import Activity, while_engaged
from gasoline.surfaces.daemon.http_server import HttpServer
from gasoline.surfaces.daemon.place import (
    DEFAULT_PORT,
    LOOPBACK,
    NEAREST,
    Place,
    ServerNote,
    find_place,
    remove_note,
    write_note,
)
from gasoline.surfaces.http.app import App
from gasoline.surfaces.http.ci_routes import ci_routes
from gasoline.surfaces.http.event_stream import event_stream
from gasoline.surfaces.http.guard import Guard
from gasoline.surfaces.http.ingest_routes import ingest_routes
from gasoline.surfaces.http.live_socket import live_socket
from gasoline.surfaces.http.screenshot_routes import screenshot_routes
from gasoline.surfaces.http.status_routes import status_routes
from gasoline.surfaces.mcp.lazy_packages import import_lazily
from gasoline.surfaces.settings import Settings
from gasoline.tools.context import Context

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

logger = logging.getLogger(__name__)

IDLE_CHECK_S = 5.0
# How long a thread that decodes a map or a picture may keep the event loop from going on.
THREAD_TURN_S = 0.001


class ServerOptions(Struct, frozen=True, kw_only=True):
    """What the user chose for one server."""

    host: str = LOOPBACK
    port: int = DEFAULT_PORT
    token: str | None = None
    allow_hosts: tuple[str, ...] = ()
    record: Path | None = None
    screenshots: Path | None = None
    source_maps: tuple[Path, ...] = ()
    limits: Limits = Limits()
    idle_exit_s: float | None = None
    # A server that only collects starts in half the time.
    speaks_mcp: bool = True


class CannotServeError(Exception):
    """The server cannot do what was asked; the message says why and what to do."""


def fast_runner() -> asyncio.Runner:
    """An event loop runner on uvloop where that exists."""
    try:
        from uvloop import new_event_loop  # noqa: PLC0415  # not on Windows
    except ImportError:
        return asyncio.Runner()
    return asyncio.Runner(loop_factory=new_event_loop)


def wall_clock_ms() -> float:
    return time.time() * 1000


async def serve(
    options: ServerOptions,
    listening: socket.socket,
    *,
    on_ready: Callable[[], None] = lambda: None,
    extend_mcp: Callable[["Server[Any]"], None] = lambda _server: None,
) -> None:
    """Run until told to stop, or until idle for long enough."""
    sys.setswitchinterval(THREAD_TURN_S)
    recorder = _open_recorder(options.record)
    port = listening.getsockname()[1]
    activity = Activity()
    store = Store(options.limits, clock=wall_clock_ms)
    ingest = Ingest(
        store, rate_limit=RateLimit(), recorder=recorder, picture_folder=options.screenshots
    )
    hub = Hub(store)
    questions = Questions()
    settings = Settings(also_reset=(hub.reset, store.contracts.forget))
    place = find_place(port)
    sources = Sources(BuildFolders(options.source_maps), own_port=port)
    explainer = ingest.explaining = Explainer(ingest, sources)
    context = Context(
        store, questions, ingest, settings.overrides, explainer, generated=place.generated, hub=hub
    )
    mcp = _build_mcp(context, hub, extend_mcp) if options.speaks_mcp else None
    app = App(
        ingest_routes(ingest)
        | ci_routes(ingest, settings)
        | status_routes(ingest, questions, settings)
        | screenshot_routes(ingest),
        guard=Guard(
            port,
            bound_to=NEAREST.get(options.host, options.host),
            allow_hosts=options.allow_hosts,
            token=options.token,
        ),
        mounted={
            **({"/mcp": while_engaged(activity, mcp.transport)} if mcp else {}),
            "/events/stream": while_engaged(activity, event_stream(hub)),
        },
        sockets={"/live": live_socket(questions, settings, now_ms=wall_clock_ms)},
        on_request=activity.note,
    )
    with contextlib.ExitStack() as announcement:
        http_server = HttpServer(app, on_end=announcement.close)
        sessions = mcp.sessions.run() if mcp else contextlib.nullcontext()
        async with sessions, asyncio.TaskGroup() as tasks:
            if mcp:
                await _open_to_bridges(announcement, place, mcp.server, activity)
            _announce(announcement, place, options)
            alongside = [
                tasks.create_task(_stop_when_idle(http_server, activity, options.idle_exit_s)),
                tasks.create_task(explainer.run()),
                tasks.create_task(hub.run()),
            ]
            on_ready()
            await http_server.serve(sockets=[listening])
            for task in alongside:
                task.cancel()
    if recorder:
        recorder.close()


class Mcp(NamedTuple):
    """What answers AI tools: the protocol, and its way over HTTP."""

    server: "Server[Any]"
    transport: ASGIApp
    sessions: "StreamableHTTPSessionManager"


def _build_mcp(context: Context, hub: Hub, extend: Callable[["Server[Any]"], None]) -> Mcp:
    import_lazily("mcp", "mcp.server")
    with _no_garbage_collected():
        from gasoline.surfaces.mcp import http_transport, protocol  # noqa: PLC0415  # the SDK
        from gasoline.surfaces.mcp.open_streams import OpenStreams  # noqa: PLC0415  # the same

    open_streams = OpenStreams(on_open=hub.wake, on_end=hub.forget)
    server = protocol.build_server(context, open_streams)
    extend(server)
    return Mcp(server, *http_transport.build_transport(server, context, open_streams))


@contextlib.contextmanager
def _no_garbage_collected() -> Iterator[None]:
    """The SDK builds hundreds of pydantic models on import; collecting meanwhile finds nothing."""
    gc.disable()
    yield
    gc.enable()
    gc.collect()
    gc.freeze()


def _open_recorder(path: Path | None) -> Recorder | None:
    if path is None:
        return None
    try:
        return Recorder(path)
    except OSError as error:
        raise CannotServeError(
            f"Cannot record to {path}: {error.strerror}. Name a file in a folder you can write to."
        ) from error


async def _stop_when_idle(
    server: HttpServer, activity: Activity, idle_exit_s: float | None
) -> None:
    while idle_exit_s is not None:
        await asyncio.sleep(min(IDLE_CHECK_S, idle_exit_s))
        if activity.idle_s >= idle_exit_s:
            logger.warning("Nobody asked for %.0f minutes: stopping", idle_exit_s / 60)
            server.stop()
            return


async def _open_to_bridges(
    until_closed: contextlib.ExitStack, place: Place, mcp: "Server[Any]", activity: Activity
) -> None:
    """Open the private socket, where there are such, until the stack is closed."""
    if hasattr(socket, "AF_UNIX") and hasattr(asyncio, "start_unix_server"):
        from gasoline.surfaces.mcp import local_socket  # noqa: PLC0415  # imports the SDK

        bridges = await local_socket.listen(mcp, place.socket, engaged=activity.engaged)
        until_closed.callback(bridges.close)


def _announce(until_closed: contextlib.ExitStack, place: Place, options: ServerOptions) -> None:
    """Leave word of this server, until the stack is closed."""
    pid = os.getpid()
    until_closed.callback(remove_note, place, pid=pid)
    write_note(place, ServerNote(pid, place.port, __version__, options.token, options.host))
