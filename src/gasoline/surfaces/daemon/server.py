"""The server process: every part made once and joined."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
import uvicorn.server
from msgspec import Struct
from starlette.types import ASGIApp, Receive, Scope, Send

from gasoline import __version__
from gasoline.ingest import Ingest, RateLimit, Recorder
from gasoline.live.questions import Questions
from gasoline.store import Limits, Store
from gasoline.surfaces.daemon.place import (
    DEFAULT_PORT,
    LOOPBACK,
    Place,
    ServerNote,
    find_place,
    remove_note,
    write_note,
)
from gasoline.surfaces.http.app import BODY_LIMIT, App
from gasoline.surfaces.http.ci_routes import ci_routes
from gasoline.surfaces.http.guard import Guard
from gasoline.surfaces.http.ingest_routes import ingest_routes
from gasoline.surfaces.http.joined_writes import JoiningProtocol
from gasoline.surfaces.http.screenshot_routes import screenshot_routes
from gasoline.surfaces.http.status_routes import status_routes
from gasoline.surfaces.settings import Settings
from gasoline.tools.context import Context

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

logger = logging.getLogger(__name__)

IDLE_CHECK_S = 5.0
LAST_ANSWERS_S = 2


class ServerOptions(Struct, frozen=True, kw_only=True):
    """What the user chose for one server."""

    host: str = LOOPBACK
    port: int = DEFAULT_PORT
    token: str | None = None
    allow_hosts: tuple[str, ...] = ()
    record: Path | None = None
    screenshots: Path | None = None
    limits: Limits = Limits()
    idle_exit_s: float | None = None


class Activity:
    """When the server was last of use to anybody."""

    def __init__(self) -> None:
        self._last_s = time.monotonic()
        self._engagements = 0

    def note(self) -> None:
        self._last_s = time.monotonic()

    @contextlib.contextmanager
    def engaged(self) -> Iterator[None]:
        """Somebody is connected, and so the server is of use even if nothing is asked."""
        self._engagements += 1
        try:
            yield
        finally:
            self._engagements -= 1
            self.note()

    @property
    def idle_s(self) -> float:
        return 0.0 if self._engagements else time.monotonic() - self._last_s


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


def bind(host: str, port: int) -> socket.socket:
    """Take the port, or raise OSError. Port 0 takes any free one."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        # At once: until somebody listens, Linux lets a second server bind the same port. Whoever
        # connects from now on waits for the rest of our start.
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening


async def serve(
    options: ServerOptions,
    listening: socket.socket,
    *,
    on_ready: Callable[[], None] = lambda: None,
    extend_mcp: Callable[["Server[Any]"], None] = lambda _server: None,
) -> None:
    """Run until told to stop, or until idle for long enough."""
    # The SDK builds hundreds of pydantic models on import; collecting garbage meanwhile finds none.
    gc.disable()
    from mcp.server.streamable_http_manager import (  # noqa: PLC0415  # see above
        StreamableHTTPASGIApp,
        StreamableHTTPSessionManager,
    )

    from gasoline.surfaces.mcp.one_shot import with_one_shot  # noqa: PLC0415  # imports the SDK
    from gasoline.surfaces.mcp.protocol import build_server  # noqa: PLC0415  # imports the SDK

    gc.enable()
    gc.collect()
    gc.freeze()

    port = listening.getsockname()[1]
    activity = Activity()
    store = Store(options.limits, clock=wall_clock_ms)
    recorder = _open_recorder(options.record)
    ingest = Ingest(store, rate_limit=RateLimit(), recorder=recorder)
    questions, settings = Questions(), Settings()
    context = Context(store, questions)
    mcp = build_server(context)
    extend_mcp(mcp)
    # Host and Origin are checked by our own guard, in front of every route.
    sessions = StreamableHTTPSessionManager(app=mcp, max_request_body_size=BODY_LIMIT)
    transport = with_one_shot(context, StreamableHTTPASGIApp(sessions))
    app = App(
        ingest_routes(ingest)
        | ci_routes(ingest, settings)
        | status_routes(ingest, questions, settings)
        | screenshot_routes(ingest, options.screenshots),
        guard=Guard(port, allow_hosts=options.allow_hosts, token=options.token),
        mounted={"/mcp": _while_engaged(activity, transport)},
        on_request=activity.note,
    )
    with contextlib.ExitStack() as announcement:
        http_server = HttpServer(app, on_end=announcement.close)
        async with sessions.run(), asyncio.TaskGroup() as tasks:
            await _announce(announcement, find_place(port), options, mcp, activity)
            watch = tasks.create_task(_stop_when_idle(http_server, activity, options.idle_exit_s))
            on_ready()
            await http_server.serve(sockets=[listening])
            watch.cancel()
    if recorder:
        recorder.close()


class HttpServer(uvicorn.Server):
    """Ends on a signal like any uvicorn, but lets everything around it be put away."""

    def __init__(self, app: ASGIApp, *, on_end: Callable[[], None]) -> None:
        config = uvicorn.Config(
            app,
            http=JoiningProtocol,
            # Nobody stands between us and the browser: who asks is whom the socket names.
            proxy_headers=False,
            server_header=False,
            log_config=None,
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=LAST_ANSWERS_S,
        )
        super().__init__(config)
        self._on_end = on_end

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        # uvicorn's own raises the signal again at the end, which would kill us on the spot.
        earlier = {
            number: signal.signal(number, self.handle_exit)
            for number in uvicorn.server.HANDLED_SIGNALS
        }
        try:
            yield
        finally:
            for number, handler in earlier.items():
                signal.signal(number, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # First, so that nobody who looks for a server finds one that is about to go.
        self._on_end()
        # Streams that are still open are cut now: nothing to warn of.
        uvicorn.server.logger.setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def _while_engaged(activity: Activity, app: ASGIApp) -> ASGIApp:
    async def engaged_app(scope: Scope, receive: Receive, send: Send) -> None:
        with activity.engaged():
            await app(scope, receive, send)

    return engaged_app


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
    server: uvicorn.Server, activity: Activity, idle_exit_s: float | None
) -> None:
    while idle_exit_s is not None:
        await asyncio.sleep(min(IDLE_CHECK_S, idle_exit_s))
        if activity.idle_s >= idle_exit_s:
            logger.warning("Nobody asked for %.0f minutes: stopping", idle_exit_s / 60)
            server.should_exit = True
            return


async def _announce(
    until_closed: contextlib.ExitStack,
    place: Place,
    options: ServerOptions,
    mcp: "Server[Any]",
    activity: Activity,
) -> None:
    """Open the private socket and leave word of this server, until the stack is closed."""
    pid = os.getpid()
    if hasattr(socket, "AF_UNIX") and hasattr(asyncio, "start_unix_server"):
        from gasoline.surfaces.mcp import local_socket  # noqa: PLC0415  # imports the SDK

        bridges = await local_socket.listen(mcp, place.socket, engaged=activity.engaged)
        until_closed.callback(bridges.close)
    until_closed.callback(remove_note, place, pid=pid)
    write_note(place, ServerNote(pid, place.port, __version__, options.token))
