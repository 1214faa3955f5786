"""The commands as a user types them."""

import json
import os
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gasoline import __version__
from gasoline.surfaces.cli import commands
from gasoline.surfaces.daemon.place import Place, ServerNote, write_note
from tests.bridges import ColdPlace, cold_place, running_bridge, servers_on
from tests.servers import (
    LOOPBACK,
    PATIENCE_S,
    Finished,
    RunningServer,
    run_gasoline,
    running_server,
)

COMMANDS = list(commands.COMMANDS)
OWN_NAME = Path("/proc/self/comm")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that no test here disturbs."""
    with running_server(tmp_path_factory.mktemp("shared")) as running:
        yield running


@pytest.fixture
def cold(tmp_path: Path) -> Iterator[ColdPlace]:
    with cold_place(tmp_path) as place:
        yield place


def ask(place: RunningServer | ColdPlace, *words: str) -> Finished:
    return run_gasoline(place.state_folder, *words, "--port", str(place.port))


@pytest.fixture
def foreign() -> Iterator[int]:
    """A port on which a program closes every connection without a word."""

    def hang_up() -> None:
        while True:
            try:
                listening.accept()[0].close()
            except OSError:
                return

    with socket.create_server((LOOPBACK, 0)) as listening:
        thread = threading.Thread(target=hang_up)
        thread.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


# Usage


def test_help_lists_every_command(tmp_path: Path) -> None:
    shown = run_gasoline(tmp_path, "--help")

    assert shown.code == 0
    assert re.findall(r"^  (\w+)  ", shown.out, re.MULTILINE) == COMMANDS
    assert COMMANDS[:3] == ["serve", "mcp", "run"]
    assert "..." not in shown.out.partition("Commands:")[2]


# They talk to no server, or to one of their own.
WITHOUT_SERVER = {"demo", "extension"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_a_port(tmp_path: Path, command: str) -> None:
    shown = run_gasoline(tmp_path, command, "--help")

    assert (shown.code, shown.err) == (0, "")
    assert ("--port PORT" in shown.out) is (command not in WITHOUT_SERVER)
    assert max(map(len, shown.out.splitlines())) <= 100


def test_it_says_its_version(tmp_path: Path) -> None:
    assert run_gasoline(tmp_path, "--version") == Finished(0, f"gasoline {__version__}\n", "")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["no-such-command"], "No such command 'no-such-command'"),
        (["--no-such-option"], "No such option"),
        (["status", "--no-such-option"], "No such option"),
        (["status", "surplus"], "Got unexpected extra argument (surplus)"),
        (["serve", "--port", "65536"], "65536 is not in the range"),
        (["status", "--port", "0"], "0 is not in the range"),
        (["mcp", "--port", "99999"], "'99999' is not a number from 1 to 65535"),
        (["mcp", "--no-such-option"], "unrecognized arguments: --no-such-option"),
        (["serve", "--max-logs", "0"], "0 is not in the range"),
    ],
)
def test_wrong_usage_is_refused_with_the_reason(
    tmp_path: Path, words: list[str], complaint: str
) -> None:
    refused = run_gasoline(tmp_path, *words)

    assert (refused.code, refused.out) == (2, "")
    assert complaint in refused.err.replace("\n", " ")


def test_without_a_command_it_serves(tmp_path: Path) -> None:
    served = run_gasoline(tmp_path, "--port", "0", "--idle-exit", "0.1")

    assert served.code == 0
    assert f"Gasoline {__version__} listens on http://127.0.0.1:" in served.err


def test_the_originals_way_to_ask_for_mcp_works(server: RunningServer) -> None:
    question = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'

    answered = run_gasoline(
        server.state_folder, "--port", str(server.port), "--mcp", stdin=question
    )

    assert answered.code == 0
    assert json.loads(answered.out)["id"] == 1


# serve


def test_a_port_that_a_server_of_ours_holds_is_said_so(server: RunningServer) -> None:
    refused = ask(server, "serve")

    assert refused == Finished(
        1,
        "",
        f"Error: Gasoline already runs on port {server.port} (pid {server.pid}). "
        f"Use it, stop it (gasoline stop --port {server.port}), or choose another --port.\n",
    )


def test_a_port_that_another_program_holds_names_it(tmp_path: Path, foreign: int) -> None:
    refused = run_gasoline(tmp_path, "serve", "--port", str(foreign))

    holder = f"{OWN_NAME.read_text().strip()} (pid {os.getpid()})"
    assert refused == Finished(
        1,
        "",
        f"Error: Port {foreign} is taken by {holder}. "
        "Stop that program or choose another --port.\n",
    )


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])  # noqa: S104  # refused is the point
def test_others_are_let_in_only_with_a_token(tmp_path: Path, host: str) -> None:
    refused = run_gasoline(tmp_path, "serve", "--port", "0", "--host", host)

    assert refused == Finished(
        1,
        "",
        f"Error: Listening on {host} lets others in. Add --token SECRET, or leave --host out.\n",
    )


def test_with_a_token_it_listens_wherever_it_is_told(tmp_path: Path) -> None:
    flags = ("--host", "0.0.0.0", "--token", "secret")  # noqa: S104  # guarded by the token
    with running_server(tmp_path, *flags) as server:
        assert server.request("GET", "/health").status == 401
        assert ask(server, "status").code == 0


@pytest.mark.parametrize("host", ["::1", "127.0.0.2"])
def test_a_server_on_another_loopback_address_is_found_and_stopped(
    tmp_path: Path, host: str
) -> None:
    with running_server(tmp_path, "--host", host) as server:
        asked = ask(server, "status")
        stopped = ask(server, "stop")

        assert (asked.code, stopped.code) == (0, 0)
        assert stopped.out == f"Stopped the server on port {server.port} (pid {server.pid}).\n"
        assert server.process.wait(PATIENCE_S) == 0


def test_an_address_of_another_machine_is_one_line(tmp_path: Path) -> None:
    refused = run_gasoline(
        tmp_path, "serve", "--port", "0", "--host", "192.0.2.1", "--token", "secret"
    )

    assert refused.code == 1
    assert refused.err.count("\n") == 1
    assert "Cannot listen on 192.0.2.1:0" in refused.err


def test_a_record_file_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    record = tmp_path / "file/record.jsonl"

    refused = run_gasoline(tmp_path, "serve", "--port", "0", "--record", str(record))

    assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1)
    assert refused.err.startswith(f"Error: Cannot record to {record}: ")


# status


def test_status_says_what_a_server_has_seen(server: RunningServer) -> None:
    shown = ask(server, "status")

    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert lines[0] == (f"server    gasoline {__version__} on port {server.port}, pid {server.pid}")
    assert lines[1].startswith("capture   blind - No browser has sent anything")
    assert lines[2] == ("captured  0 log entries, 0 requests, 0 WebSocket events, 0 user actions")
    assert lines[3] == "memory    0.0 of 24 MB"


def test_status_as_json_is_the_servers_health(server: RunningServer) -> None:
    shown = ask(server, "status", "--json")

    assert json.loads(shown.out)["pid"] == server.pid


def test_status_without_a_server_says_how_to_start_one(cold: ColdPlace) -> None:
    assert ask(cold, "status") == Finished(
        1,
        "",
        f"Error: No server on port {cold.port}. Start one: gasoline serve --port {cold.port}\n",
    )


def test_status_of_another_program_names_it(tmp_path: Path, foreign: int) -> None:
    refused = run_gasoline(tmp_path, "status", "--port", str(foreign))

    assert (refused.code, refused.out) == (1, "")
    assert f"Port {foreign} is held by" in refused.err
    assert f"(pid {os.getpid()})" in refused.err
    assert refused.err.endswith("Stop that program or choose another --port.\n")


# stop


def test_stop_ends_the_server_and_a_second_time_has_nothing_to_do(tmp_path: Path) -> None:
    with running_server(tmp_path, "--token", "secret") as server:
        first = ask(server, "stop")
        second = ask(server, "stop")

        assert first == Finished(
            0, f"Stopped the server on port {server.port} (pid {server.pid}).\n", ""
        )
        assert second == Finished(0, f"No server on port {server.port}: nothing to stop.\n", "")
        assert server.process.wait(5) == 0
        assert list(server.state_folder.iterdir()) == []


def test_stop_leaves_another_program_alone(tmp_path: Path, foreign: int) -> None:
    refused = run_gasoline(tmp_path, "stop", "--port", str(foreign))

    assert (refused.code, refused.out) == (1, "")
    assert f"(pid {os.getpid()})" in refused.err


def test_stop_leaves_a_server_alone_that_it_cannot_reopen(tmp_path: Path) -> None:
    with running_server(tmp_path, "--token", "secret") as server:
        refused = run_gasoline(tmp_path / "elsewhere", "stop", "--port", str(server.port))

        assert refused.code == 1
        assert "asks for a token that this user does not have" in refused.err
        assert server.process.poll() is None


# doctor


def test_doctor_finds_a_healthy_server_healthy_and_changes_nothing(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    with running_server(tmp_path, "--token", "secret", "--record", str(record)) as server:
        headers = {"Authorization": "Bearer secret"}
        before = server.request("GET", "/health", headers=headers).json

        diagnosis = ask(server, "doctor")

        assert (diagnosis.code, diagnosis.err) == (0, "")
        lines = diagnosis.out.splitlines()
        assert [line[:23].split() for line in lines] == [
            ["ok", "server"],
            ["ok", "HTTP", "in"],
            ["ok", "store"],
            ["ok", "MCP", "over", "HTTP"],
            ["ok", "MCP", "bridge"],
            ["blind", "browser"],
        ]
        after = server.request("GET", "/health", headers=headers).json
        del before["circuit"], after["circuit"]
        assert after == before
        assert server.request("GET", "/logs", headers=headers).json["entries"] == []


def test_doctor_starts_a_server_where_none_runs(cold: ColdPlace) -> None:
    diagnosis = ask(cold, "doctor")

    assert diagnosis.code == 0
    assert diagnosis.out.startswith("ok      server         none was running: started one")
    assert len(servers_on(cold.port)) == 1


def test_doctor_names_the_program_that_is_in_the_way(tmp_path: Path, foreign: int) -> None:
    diagnosis = run_gasoline(tmp_path, "doctor", "--port", str(foreign))

    assert (diagnosis.code, diagnosis.err) == (1, "Error: The way breaks at: server.\n")
    assert diagnosis.out.startswith(f"FAILED  server         Port {foreign} is taken by ")
    assert f"(pid {os.getpid()})" in diagnosis.out


def test_doctor_does_not_take_a_token_server_of_others_for_broken(tmp_path: Path) -> None:
    with running_server(tmp_path, "--token", "secret") as server:
        diagnosis = run_gasoline(tmp_path / "elsewhere", "doctor", "--port", str(server.port))

    assert diagnosis.code == 1
    assert "is served by gasoline with a token" in diagnosis.out


def test_a_bridge_and_doctor_can_use_one_server_at_once(server: RunningServer) -> None:
    place = Place(server.state_folder, server.port)
    write_note(place, ServerNote(server.pid, server.port, __version__))
    with running_bridge(server.port, server.state_folder) as bridge:
        bridge.shake_hands()

        assert ask(server, "doctor").code == 0
        assert "result" in bridge.call("get_browser_errors")
