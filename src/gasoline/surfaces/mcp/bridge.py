"""`gasoline mcp`: what an AI tool starts. Standard library only, so that it answers at once.

It pumps JSON lines between stdio and the server, which it starts when none answers. When the server
goes away, open requests get an error, and the next request finds a new server and repeats the
handshake to it.
"""

import json
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from gasoline import __version__
from gasoline.surfaces.daemon.place import (
    DEFAULT_PORT,
    HIGHEST_PORT,
    Place,
    find_place,
    read_note,
)
from gasoline.surfaces.mcp.message import Message, refuse

CONNECT_TIMEOUT_S = 2.0
REPLAY_TIMEOUT_S = 10.0
LAST_ANSWERS_TIMEOUT_S = 30.0
LINE_LIMIT = 10 * 1024 * 1024
HANDSHAKE = ("initialize", "notifications/initialized")
LOST = "the server went away before it answered; ask again to start a new one"

OnMessage = Callable[[Message], None]
OnLost = Callable[["Link"], None]


class Output(Protocol):
    """Where the AI tool reads, unbuffered."""

    def write(self, data: memoryview, /) -> int | None: ...


class Link(Protocol):
    """A way to the server. Sending raises OSError when it is known to be cut."""

    def send(self, message: Message) -> None: ...

    def close(self) -> None: ...


class SocketLink:
    """The server's private socket."""

    def __init__(self, place: Place, on_message: OnMessage, on_lost: OnLost) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.settimeout(CONNECT_TIMEOUT_S)
            self._socket.connect(str(place.socket))
            self._socket.settimeout(None)
        except OSError:
            self._socket.close()
            raise
        threading.Thread(target=self._read, args=(on_message, on_lost), daemon=True).start()

    def send(self, message: Message) -> None:
        self._socket.sendall(message.line)

    def close(self) -> None:
        self._socket.close()

    def _read(self, on_message: OnMessage, on_lost: OnLost) -> None:
        try:
            with self._socket.makefile("rb") as lines:
                for line in lines:
                    on_message(Message(line))
        except OSError:
            pass
        on_lost(self)


class Bridge:
    """Between one AI tool and the server, across any number of servers."""

    def __init__(self, output: Output, *, connect: Callable[[OnMessage, OnLost], Link]) -> None:
        self._output = output
        self._output_lock = threading.Lock()
        self._connect = connect
        self._link: Link | None = None
        # Guards the link and what is open on it: links report from threads of their own.
        self._state = threading.Condition()
        self._open: dict[str, Link | None] = {}
        self._being_answered = 0
        self._handshake: dict[str, Message] = {}
        self._replays = 0
        self._replayed = threading.Event()

    def take(self, message: Message) -> None:
        """Pass on one message of the AI tool."""
        if message.method in HANDSHAKE:
            self._handshake[message.method] = message
        if message.method == "notifications/cancelled":
            self._forget(json.dumps(message.params.get("requestId")))
        if self._link is None and not message.expects_answer:
            # It was about something that went away with the last server.
            return
        if message.is_request:
            with self._state:
                self._open[message.key] = None
        try:
            if len(message.line) > LINE_LIMIT:
                raise OSError(f"a message may have {LINE_LIMIT} bytes, this has more")  # noqa: TRY301  # refused as below
            self._pass_to_server(message)
        except OSError as error:
            if message.is_request:
                self._answer(message.key, refuse(message.id, str(error)))
            elif message.expects_answer:
                self._write(refuse(None, str(error)))

    def finish(self) -> None:
        """Let open requests finish, for a tool that closed its output right after asking."""
        with self._state:
            self._state.wait_for(
                lambda: not self._open and not self._being_answered, LAST_ANSWERS_TIMEOUT_S
            )
        if self._link is not None:
            self._link.close()

    def _pass_to_server(self, message: Message) -> None:
        link = self._reach_server(message)
        self._assign(message, link)
        try:
            link.send(message)
        except OSError:
            self._drop(link)
            # It died between two messages: this one deserves a second try on a new server, unless
            # its loss was told first and the tool has its answer.
            if message.expects_answer and self._assign(message, None):
                link = self._reach_server(message)
                self._assign(message, link)
                link.send(message)

    def _reach_server(self, message: Message) -> Link:
        if self._link is not None:
            return self._link
        link = self._link = self._connect(self._pass_on, self._lose)
        if message.method != "initialize" and "initialize" in self._handshake:
            self._repeat_handshake(link)
        return link

    def _repeat_handshake(self, link: Link) -> None:
        hello, confirmation = (self._handshake.get(method) for method in HANDSHAKE)
        assert hello is not None  # noqa: S101  # the caller looked
        self._replays += 1
        self._replayed.clear()
        link.send(hello.with_id(self._replay_id))
        self._replayed.wait(REPLAY_TIMEOUT_S)
        if self._link is not link or not self._replayed.is_set():
            self._drop(link)
            raise OSError("the new server did not answer the handshake; ask again")
        if confirmation is not None:
            link.send(confirmation)

    @property
    def _replay_id(self) -> str:
        return f"gasoline-replay-{self._replays}"

    def _pass_on(self, message: Message) -> None:
        """Pass on one message of the server, unless it answers what the tool never asked."""
        if not message.is_answer:
            self._write(message)
        elif message.id == self._replay_id:
            self._replayed.set()
        else:
            self._answer(message.key, message)

    def _assign(self, message: Message, link: Link | None) -> bool:
        """Say on which link a request is open; False says that it has its answer."""
        with self._state:
            if not message.is_request:
                return True
            if message.key not in self._open:
                return False
            self._open[message.key] = link
            return True

    def _lose(self, link: Link) -> None:
        self._drop(link)
        self._replayed.set()
        with self._state:
            lost = [key for key, owner in self._open.items() if owner is link]
        for key in lost:
            self._answer(key, refuse(json.loads(key), LOST))

    def _drop(self, link: Link) -> None:
        with self._state:
            if self._link is link:
                self._link = None

    def _answer(self, key: str, message: Message) -> None:
        """Write the answer to an open request. The first one counts: there is never a second."""
        with self._state:
            if key not in self._open:
                return
            del self._open[key]
            self._being_answered += 1
        self._write(message)
        with self._state:
            self._being_answered -= 1
            self._state.notify_all()

    def _forget(self, key: str) -> None:
        with self._state:
            self._open.pop(key, None)

    def _write(self, message: Message) -> None:
        rest = memoryview(message.line)
        with self._output_lock:
            try:
                while rest:
                    rest = rest[self._output.write(rest) or 0 :]
            except OSError:
                # The tool closed its end: it will close ours next, and that ends us.
                return


def open_link(
    place: Place,
    on_message: OnMessage,
    on_lost: OnLost,
    *,
    over_http: bool,
    flags: Sequence[str] = (),
) -> Link:
    """Reach the server, starting it first, with these flags, where none answers."""
    if not over_http:
        try:
            link = SocketLink(place, on_message, on_lost)
        except OSError:
            pass
        else:
            _tell_other_version(place)
            return link
    _ensure_server(place, flags)
    _tell_other_version(place)
    if not over_http:
        try:
            return SocketLink(place, on_message, on_lost)
        except OSError:
            # It serves from elsewhere, or somebody cleaned up its socket: there is a second way.
            pass
    from gasoline.surfaces.mcp.http_link import HttpLink  # noqa: PLC0415  # start-up

    return HttpLink(place, on_message, on_lost)


def _ensure_server(place: Place, flags: Sequence[str]) -> None:
    # Imported here: where a server runs already, none of it is needed.
    from gasoline.surfaces.daemon.launch import CannotStartError, ensure_server  # noqa: PLC0415

    try:
        ensure_server(place, flags)
    except CannotStartError as error:
        _tell(str(error))
        raise OSError(str(error)) from error


def _tell_other_version(place: Place) -> None:
    note = read_note(place)
    if note is not None and note.version != __version__:
        _tell(
            f"joined a server of version {note.version}, this is {__version__}. "
            f"`gasoline stop --port {place.port}` lets the next request start the new one."
        )


def _tell(what: str) -> None:
    print(f"gasoline: {what}", file=sys.stderr, flush=True)  # noqa: T201  # stdout belongs to MCP, this is for the tool's log


class Options(NamedTuple):
    """What the user chose for one bridge."""

    port: int = DEFAULT_PORT
    http: bool = False
    source_maps: tuple[str, ...] = ()
    noise: str | None = None


def read_options(arguments: list[str]) -> Options:
    if not arguments:
        return Options()
    from argparse import ArgumentParser  # noqa: PLC0415  # start-up: few tools pass any

    parser = ArgumentParser(
        prog="gasoline mcp",
        description="Speak MCP on stdin and stdout: what an AI tool starts. "
        "Starts the server when none answers.",
    )
    parser.add_argument(
        "--port",
        type=_read_port,
        default=DEFAULT_PORT,
        help=f"server port (default: {DEFAULT_PORT})",
    )
    parser.add_argument(
        "--http",
        action="store_true",
        help="reach the server over HTTP (default where unix sockets are missing)",
    )
    parser.add_argument(
        "--source-maps",
        metavar="DIR",
        action="append",
        default=[],
        type=_read_folder,
        help="a build folder with source maps, for a server that this starts (repeatable)",
    )
    parser.add_argument(
        "--noise",
        metavar="FILE",
        type=_read_file,
        help="a TOML file of what to set aside as noise, for a server that this starts",
    )
    options = parser.parse_args(arguments)
    return Options(options.port, options.http, tuple(options.source_maps), options.noise)


def _read_folder(text: str) -> str:
    from argparse import ArgumentTypeError  # noqa: PLC0415  # start-up: few tools pass any
    from pathlib import Path  # noqa: PLC0415  # same

    if not Path(text).is_dir():
        raise ArgumentTypeError(f"{text!r} is not a folder")
    # Absolute: the server runs elsewhere.
    return str(Path(text).resolve())


def _read_file(text: str) -> str:
    from argparse import ArgumentTypeError  # noqa: PLC0415  # start-up: few tools pass any
    from pathlib import Path  # noqa: PLC0415  # same

    if not Path(text).is_file():
        raise ArgumentTypeError(f"{text!r} is not a file")
    return str(Path(text).resolve())


def _read_port(text: str) -> int:
    from argparse import ArgumentTypeError  # noqa: PLC0415  # same

    if not text.isdecimal() or not 1 <= int(text) <= HIGHEST_PORT:
        raise ArgumentTypeError(f"{text!r} is not a number from 1 to {HIGHEST_PORT}")
    return int(text)


def main(arguments: list[str]) -> int:
    """Run the bridge until stdin ends."""
    options = read_options(arguments)
    over_http = options.http or not hasattr(socket, "AF_UNIX")

    flags = [word for folder in options.source_maps for word in ("--source-maps", folder)]
    if options.noise:
        flags += ["--noise", options.noise]

    def connect(on_message: OnMessage, on_lost: OnLost) -> Link:
        place = find_place(options.port)
        return open_link(place, on_message, on_lost, over_http=over_http, flags=flags)

    # Unbuffered: at exit, Python would write the rest of a buffer to a tool that has gone.
    with open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as output:
        return pump(sys.stdin.buffer, Bridge(output, connect=connect))


def pump(lines: Iterable[bytes], bridge: Bridge) -> int:
    try:
        for line in lines:
            if line.strip():
                bridge.take(Message(line))
        bridge.finish()
    except KeyboardInterrupt:
        return 0
    return 0
