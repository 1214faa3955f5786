"""`gasoline mcp`, mostly as real processes, and over HTTP too where both ways must hold."""

import concurrent.futures
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from gasoline import __version__
from gasoline.surfaces.daemon.place import Place, ServerNote, write_note
from gasoline.surfaces.mcp.bridge import LINE_LIMIT, Bridge, Link, OnLost, OnMessage
from gasoline.surfaces.mcp.message import Message, write_message
from tests.bridges import (
    HELLO,
    ColdPlace,
    cold_place,
    kill_server,
    running_bridge,
    servers_on,
)
from tests.servers import (
    LOOPBACK,
    PATIENCE_S,
    RunningServer,
    environment_of,
    request,
    run_gasoline,
    running_server,
)
from tests.sources.site import source_map

SOURCE = Path(__file__).parents[2] / "src"
HEAVY = {"argparse", "asyncio", "hashlib", "http.client", "logging", "subprocess", "tempfile"}
MODULES = """
import sys
from gasoline.surfaces.cli.main import main
main(["mcp", "--port", sys.argv[1]] if sys.argv[1:] else ["mcp"])
print(*sys.modules, file=sys.stderr)
"""

ways = pytest.mark.parametrize("way", [(), ("--http",)], ids=["socket", "http"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that no test here disturbs."""
    with running_server(tmp_path_factory.mktemp("shared")) as running:
        yield running


@pytest.fixture
def cold(tmp_path: Path) -> Iterator[ColdPlace]:
    with cold_place(tmp_path) as place:
        yield place


# What it is made of


def test_it_runs_on_the_standard_library_alone(server: RunningServer) -> None:
    environment = {**environment_of(server.state_folder), "PYTHONPATH": str(SOURCE)}
    hello = write_message({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO})

    # -S leaves out everything that was ever installed.
    command = [sys.executable, "-S", "-m", "gasoline", "mcp", "--port", str(server.port)]
    ran = subprocess.run(
        command, input=hello.line, env=environment, capture_output=True, check=False
    )

    assert (ran.returncode, ran.stderr) == (0, b"")
    assert json.loads(ran.stdout)["result"]["serverInfo"]["name"] == "gasoline"


def test_a_warm_start_loads_nothing_heavy(server: RunningServer) -> None:
    place = Place(server.state_folder, 7890)
    hello = write_message({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO})
    link = place.socket
    link.symlink_to(Place(server.state_folder, server.port).socket)

    ran = subprocess.run(
        [sys.executable, "-c", MODULES],
        input=hello.line,
        env=environment_of(server.state_folder),
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
    )
    link.unlink()

    assert json.loads(ran.stdout)["result"]["serverInfo"]["name"] == "gasoline"
    assert HEAVY & set(ran.stderr.decode().split()) == set()


# Starting, joining and losing servers


@ways
def test_it_starts_a_server_when_none_answers(cold: ColdPlace, way: tuple[str, ...]) -> None:
    with running_bridge(cold.port, cold.state_folder, *way) as bridge:
        answer = bridge.shake_hands()

        assert answer["result"]["serverInfo"] == {"name": "gasoline", "version": __version__}
        assert request(cold.port, "GET", "/health").json["pid"] == cold.server_pid


def test_a_build_folder_goes_on_to_the_server_that_it_starts(
    cold: ColdPlace, tmp_path: Path
) -> None:
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "app.js.map").write_text(source_map(), encoding="utf-8")
    stack = "TypeError\n    at pay (https://shop.example/app.js:1:40)"
    entry = {"level": "error", "type": "exception", "message": "boom", "stack": stack}
    flags = ("--source-maps", "dist")
    with running_bridge(cold.port, cold.state_folder, *flags, cwd=tmp_path) as bridge:
        bridge.shake_hands()
        request(cold.port, "POST", "/logs", {"entries": [entry]})

        answer = bridge.call("get_browser_errors")

        assert "src/pay.ts:3" in answer["result"]["content"][0]["text"]


def test_five_at_once_share_one_server(cold: ColdPlace) -> None:
    def shake_hands(way: tuple[str, ...]) -> str:
        with running_bridge(cold.port, cold.state_folder, *way) as bridge:
            answer = bridge.shake_hands()
            together.wait(PATIENCE_S)
            return str(answer["result"]["serverInfo"]["name"])

    together = threading.Barrier(5)
    mixed: list[tuple[str, ...]] = [(), (), (), ("--http",), ("--http",)]
    with concurrent.futures.ThreadPoolExecutor(5) as tools:
        answers = list(tools.map(shake_hands, mixed))

    assert answers == ["gasoline"] * 5
    assert [process.pid for process in servers_on(cold.port)] == [cold.server_pid]


@ways
def test_after_a_crash_open_requests_get_an_error_and_the_next_one_a_new_server(
    cold: ColdPlace, way: tuple[str, ...]
) -> None:
    with running_bridge(cold.port, cold.state_folder, *way) as bridge:
        bridge.shake_hands()
        first_pid = cold.server_pid
        os.kill(first_pid, signal.SIGSTOP)
        asked = bridge.post("tools/call", {"name": "get_browser_errors"})
        # The bridge refuses this by itself: once it has, the request before it is on its way.
        bridge.call("too_long", padding="x" * LINE_LIMIT)

        kill_server(first_pid, cold.port)

        lost = bridge.receive()
        assert lost["id"] == asked
        assert lost["error"] == {
            "code": -32000,
            "message": "gasoline: the server went away before it answered; "
            "ask again to start a new one",
        }
        assert "No browser errors" in str(bridge.call("get_browser_errors")["result"])
        assert cold.server_pid != first_pid
        # The handshake was repeated, but the tool asked for it once and is answered once.
        assert [message["id"] for message in bridge.received] == [1, 2, 4, 3, 5]


@ways
def test_a_stopped_server_is_replaced_without_an_error(
    cold: ColdPlace, way: tuple[str, ...]
) -> None:
    with running_bridge(cold.port, cold.state_folder, *way) as bridge:
        bridge.shake_hands()

        run_gasoline(cold.state_folder, "stop", "--port", str(cold.port))

        assert "result" in bridge.call("get_browser_errors")


def test_a_project_folder_cannot_stand_in_for_our_modules(cold: ColdPlace, tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise RuntimeError('this is the project, not click')")

    with running_bridge(cold.port, cold.state_folder, cwd=tmp_path) as bridge:
        assert "result" in bridge.shake_hands()


@ways
def test_it_ends_with_its_input_after_the_last_answers(
    server: RunningServer, way: tuple[str, ...]
) -> None:
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": HELLO},
        {"method": "notifications/initialized"},
        *({"id": number, "method": "ping"} for number in range(2, 22)),
    ]
    sent = b"".join(write_message({"jsonrpc": "2.0", **message}).line for message in messages)

    command = [sys.executable, "-m", "gasoline", "mcp", "--port", str(server.port), *way]
    ran = subprocess.run(
        command,
        input=sent,
        env=environment_of(server.state_folder),
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
    )

    answered = sorted(json.loads(line)["id"] for line in ran.stdout.splitlines())
    assert (ran.returncode, ran.stderr, answered) == (0, b"", list(range(1, 22)))


def test_it_ends_quietly_when_nothing_was_said(server: RunningServer) -> None:
    with running_bridge(server.port, server.state_folder) as bridge:
        assert (bridge.end_input(), bridge.errors) == (0, "")


@ways
def test_an_idle_server_stays_while_a_bridge_is_connected(
    tmp_path: Path, way: tuple[str, ...]
) -> None:
    with (
        running_server(tmp_path, "--idle-exit", "0.8") as server,
        running_bridge(server.port, server.state_folder, *way) as bridge,
    ):
        bridge.shake_hands()

        with pytest.raises(subprocess.TimeoutExpired):
            server.process.wait(2)
        bridge.end_input()

        assert server.process.wait(PATIENCE_S) == 0


# Who else may hold the port


class Foreign(BaseHTTPRequestHandler):
    """Answers every GET with what the test says."""

    said = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.said)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class's name
        """Stay quiet."""


@pytest.fixture
def foreign() -> Iterator[HTTPServer]:
    with HTTPServer((LOOPBACK, 0), type("Handler", (Foreign,), {})) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@ways
def test_a_port_held_by_another_program_gets_an_error_that_names_it(
    tmp_path: Path, foreign: HTTPServer, way: tuple[str, ...]
) -> None:
    own_name = Path("/proc/self/comm").read_text().strip()

    with running_bridge(foreign.server_port, tmp_path, *way) as bridge:
        answer = bridge.ask("initialize", HELLO)

        told = (
            f"Port {foreign.server_port} is taken by {own_name} (pid {os.getpid()}). "
            "Stop that program or choose another port with --port."
        )
        assert answer["error"] == {"code": -32000, "message": f"gasoline: {told}"}
        bridge.wait_for_error(told)


def test_the_original_on_the_port_is_told_apart(tmp_path: Path, foreign: HTTPServer) -> None:
    foreign.RequestHandlerClass.said = b'{"name":"gasoline","version":"5.2.0"}'  # type: ignore[attr-defined]  # ours, above

    with running_bridge(foreign.server_port, tmp_path) as bridge:
        answer = bridge.ask("initialize", HELLO)

        assert f"is served by gasoline 5.2.0 (pid {os.getpid()})" in answer["error"]["message"]
        assert f"which gasoline {__version__} cannot join" in answer["error"]["message"]


def test_a_program_that_accepts_and_never_speaks_is_named_too(tmp_path: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as mute:
        port = mute.getsockname()[1]
        with running_bridge(port, tmp_path) as bridge:
            answer = bridge.ask("initialize", HELLO)

    assert f"(pid {os.getpid()})" in answer["error"]["message"]


@ways
def test_a_server_of_another_version_is_joined_and_said_so(
    tmp_path: Path, way: tuple[str, ...]
) -> None:
    with running_server(tmp_path) as server:
        place = Place(server.state_folder, server.port)
        write_note(place, ServerNote(server.pid, server.port, "9.9.9"))

        with running_bridge(server.port, server.state_folder, *way) as bridge:
            assert "result" in bridge.shake_hands()
            bridge.wait_for_error(f"joined a server of version 9.9.9, this is {__version__}")


# What is left over


def test_files_of_a_dead_server_do_not_matter(cold: ColdPlace) -> None:
    cold.state_folder.mkdir()
    write_note(cold.place, ServerNote(2**22, cold.port, __version__, "old token"))
    cold.place.lock.touch()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(cold.place.socket))

    with running_bridge(cold.port, cold.state_folder) as bridge:
        assert "result" in bridge.shake_hands()


def test_a_state_folder_too_deep_for_a_socket_is_no_obstacle(tmp_path: Path) -> None:
    with (
        running_server(tmp_path / ("deep" * 30)) as server,
        running_bridge(server.port, server.state_folder) as bridge,
    ):
        assert "result" in bridge.shake_hands()
        assert not Place(server.state_folder, server.port).socket.is_relative_to(tmp_path)
        assert Place(server.state_folder, server.port).socket.is_socket()


def test_a_state_folder_that_cannot_be_made_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with (
        running_server(tmp_path / "file") as server,
        running_bridge(server.port, server.state_folder) as bridge,
    ):
        assert "result" in bridge.shake_hands()


def test_a_server_whose_socket_was_cleaned_up_is_reached_over_http(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        Place(server.state_folder, server.port).socket.unlink()

        with running_bridge(server.port, server.state_folder) as bridge:
            assert "result" in bridge.shake_hands()
            assert "result" in bridge.call("get_browser_errors")


def test_a_server_with_another_state_folder_is_reached_over_http(
    server: RunningServer, tmp_path: Path
) -> None:
    with running_bridge(server.port, tmp_path / "elsewhere") as bridge:
        assert "result" in bridge.shake_hands()


# What passes through it


@ways
def test_what_is_not_json_gets_the_protocols_error_and_breaks_nothing(
    server: RunningServer, way: tuple[str, ...]
) -> None:
    with running_bridge(server.port, server.state_folder, *way) as bridge:
        bridge.shake_hands()
        answers = []
        for line in (b"no json", b'{"jsonrpc": "2.0", "id": 7, "method": 5}', b"\xff\xfe", b"[]"):
            bridge.send(line)
            answers.append(bridge.receive())

        assert [answer["id"] for answer in answers] == [None, 7, None, None]
        assert [answer["error"]["code"] for answer in answers][::2] == [-32700, -32700]
        assert bridge.ask("ping")["result"] == {}


@ways
def test_a_line_of_five_megabytes_passes(server: RunningServer, way: tuple[str, ...]) -> None:
    with running_bridge(server.port, server.state_folder, *way) as bridge:
        bridge.shake_hands()
        answer = bridge.call("get_browser_errors", no_such="x" * 5_000_000)

    assert answer["result"]["isError"]
    assert answer["result"]["content"][0]["text"].startswith("no_such: ")


@ways
def test_a_line_over_the_limit_is_refused_and_breaks_nothing(
    server: RunningServer, way: tuple[str, ...]
) -> None:
    with running_bridge(server.port, server.state_folder, *way) as bridge:
        bridge.shake_hands()

        refused = bridge.call("get_browser_errors", no_such="x" * LINE_LIMIT)

        assert "may have 10485760 bytes" in refused["error"]["message"]
        assert bridge.ask("ping")["result"] == {}


@ways
def test_many_requests_in_flight_are_each_answered_once(
    server: RunningServer, way: tuple[str, ...]
) -> None:
    with running_bridge(server.port, server.state_folder, *way) as bridge:
        bridge.shake_hands()
        asked = [bridge.post("tools/call", {"name": "get_browser_logs"}) for _ in range(100)]

        answers = [bridge.receive() for _ in asked]

    assert sorted(answer["id"] for answer in answers) == asked
    assert all("result" in answer for answer in answers)


@ways
def test_notifications_are_not_answered(server: RunningServer, way: tuple[str, ...]) -> None:
    with running_bridge(server.port, server.state_folder, *way) as bridge:
        bridge.shake_hands()
        bridge.notify("notifications/no_such_thing")
        bridge.notify("notifications/cancelled", {"requestId": 99})

        assert bridge.ask("ping")["result"] == {}


def test_a_tool_that_stops_reading_blocks_nobody_else(server: RunningServer) -> None:
    with (
        running_bridge(server.port, server.state_folder) as deaf,
        running_bridge(server.port, server.state_folder) as other,
    ):
        # Nothing reads what these are answered: pipes and buffers on the way fill up.
        for _ in range(300):
            deaf.post("tools/list")

        other.shake_hands()

        assert "result" in other.call("get_browser_errors")
        assert server.request("GET", "/health").status == 200


def test_a_tool_that_closed_its_end_leaves_the_bridge_calm(server: RunningServer) -> None:
    with running_bridge(server.port, server.state_folder) as bridge:
        assert bridge.process.stdout is not None
        bridge.process.stdout.close()
        bridge.post("initialize", HELLO)

        assert (bridge.end_input(), bridge.errors) == (0, "")


# One request, one answer: with links that fail on cue


class FakeLink:
    """A link that keeps what is sent, and answers or breaks when the test says so."""

    def __init__(self, on_message: OnMessage, on_lost: OnLost, *, broken: bool = False) -> None:
        self.on_message = on_message
        self.on_lost = on_lost
        self.broken = broken
        self.sent: list[dict[str, Any]] = []

    def send(self, message: Message) -> None:
        if self.broken:
            raise BrokenPipeError("broken on cue")
        self.sent.append(message.content)
        if str(message.id).startswith("gasoline-replay"):
            self.answer(message.id)

    def answer(self, request_id: Any) -> None:
        self.on_message(write_message({"jsonrpc": "2.0", "id": request_id, "result": {}}))

    def close(self) -> None:
        """Nothing to close."""


class Tool:
    """An AI tool in memory: what it read, and the links that its bridge opened."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.links: list[FakeLink] = []
        self.next_is_broken = False
        self.bridge = Bridge(self, connect=self.connect)

    def connect(self, on_message: OnMessage, on_lost: OnLost) -> Link:
        self.links.append(FakeLink(on_message, on_lost, broken=self.next_is_broken))
        return self.links[-1]

    def write(self, data: memoryview) -> int:
        self.lines.append(json.loads(bytes(data)))
        return len(data)

    def ask(self, request_id: Any, method: str = "ping") -> None:
        self.say(id=request_id, method=method)

    def say(self, **content: Any) -> None:
        self.bridge.take(write_message({"jsonrpc": "2.0", **content}))

    @property
    def answers(self) -> list[tuple[Any, str]]:
        return [(line["id"], "error" if "error" in line else "result") for line in self.lines]


def test_a_request_that_cannot_be_sent_is_tried_on_a_new_server() -> None:
    tool = Tool()
    tool.ask(1)
    tool.links[0].broken = True

    tool.ask(2)
    tool.links[0].on_lost(tool.links[0])
    tool.links[1].answer(2)

    assert tool.answers == [(1, "error"), (2, "result")]


def test_the_handshake_is_repeated_in_front_of_the_request() -> None:
    tool = Tool()
    tool.ask(1, "initialize")
    tool.say(method="notifications/initialized")
    tool.links[0].answer(1)
    tool.links[0].on_lost(tool.links[0])

    tool.ask(2)

    sent = [(message.get("id"), message["method"]) for message in tool.links[1].sent]
    assert sent == [
        ("gasoline-replay-1", "initialize"),
        (None, "notifications/initialized"),
        (2, "ping"),
    ]
    assert tool.answers == [(1, "result")]


def test_a_second_handshake_is_the_tools_own() -> None:
    tool = Tool()
    tool.ask(1, "initialize")
    tool.links[0].on_lost(tool.links[0])

    tool.ask(2, "initialize")

    assert [message["id"] for message in tool.links[1].sent] == [2]


def test_an_answer_that_comes_after_the_loss_was_told_is_dropped() -> None:
    tool = Tool()
    tool.ask("a")
    tool.links[0].on_lost(tool.links[0])
    tool.links[0].answer("a")

    assert tool.answers == [("a", "error")]


def test_one_and_the_string_one_are_different_requests() -> None:
    tool = Tool()
    tool.ask(1)
    tool.ask("1")
    tool.links[0].answer("1")

    assert tool.answers == [("1", "result")]


def test_what_expects_no_answer_starts_no_server() -> None:
    tool = Tool()
    tool.say(method="notifications/cancelled", params={"requestId": 1})
    tool.say(id=5, result={})

    assert (tool.links, tool.lines) == ([], [])


def test_a_cancelled_request_is_not_waited_for() -> None:
    tool = Tool()
    tool.ask(1)
    tool.say(method="notifications/cancelled", params={"requestId": 1})

    tool.bridge.finish()

    assert tool.lines == []


def test_two_servers_that_break_at_once_make_one_error() -> None:
    tool = Tool()
    tool.next_is_broken = True
    tool.ask(1)

    assert len(tool.links) == 2
    assert tool.answers == [(1, "error")]


def test_the_server_may_speak_unasked() -> None:
    tool = Tool()
    tool.ask(1)
    question = {"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage"}
    tool.links[0].on_message(write_message(question))

    assert tool.lines == [question]
