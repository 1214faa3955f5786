"""The server as a process: how it begins, ends, and what a crash leaves."""

import asyncio
import concurrent.futures
import logging
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from gasoline import __version__
from gasoline.ingest import RecordLine, read_record_file
from gasoline.surfaces.daemon import http_server
from gasoline.surfaces.daemon.activity import Activity
from gasoline.surfaces.daemon.http_server import HttpServer
from gasoline.surfaces.daemon.listening import bind
from gasoline.surfaces.daemon.place import Place, ServerNote, read_note
from gasoline.surfaces.daemon.port_holder import is_listened_on
from tests.bridges import running_bridge
from tests.servers import (
    LOOPBACK,
    PATIENCE_S,
    RunningServer,
    environment_of,
    free_port,
    request,
    running_server,
    wait_until,
)


def test_it_leaves_word_that_only_its_user_can_use(tmp_path: Path) -> None:
    with running_server(tmp_path, "--token", "secret") as server:
        place = Place(server.state_folder, server.port)

        assert read_note(place) == ServerNote(server.pid, server.port, __version__, "secret")
        assert stat.S_IMODE(place.socket.stat().st_mode) == 0o600


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with (
        running_server(tmp_path) as server,
        running_bridge(server.port, server.state_folder, "--http") as bridge,
    ):
        bridge.shake_hands()
        server.process.send_signal(number)

        assert server.process.wait(PATIENCE_S) == 0
        assert server.said == [f"Gasoline {__version__} listens on {server.url}"]
        assert [file.name for file in server.state_folder.iterdir()] == [f"{server.port}.lock"]


either_end = pytest.mark.parametrize(
    "end",
    [lambda server: server.handle_exit(signal.SIGINT, None), lambda server: server.stop()],
    ids=["by a signal", "when nobody asks"],
)


@either_end
def test_a_stream_that_ends_before_the_server_is_not_complained_of(
    caplog: pytest.LogCaptureFixture, end: Callable[[HttpServer], None]
) -> None:
    async def stream(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"so far", "more_body": True})
        # As the SDK's streams do, which learn of the end before the server acts on it.
        await told.wait()

    async def read_until_the_end() -> None:
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        writer.write(b"GET / HTTP/1.1\r\nHost: gasoline\r\n\r\n")
        await reader.readuntil(b"so far")
        end(server)
        told.set()
        await reader.read()
        writer.close()

    async def serve_and_read() -> None:
        await asyncio.gather(server.serve(sockets=[listening]), read_until_the_end())

    told = asyncio.Event()
    listening = bind(LOOPBACK, 0)
    server = HttpServer(stream, on_end=lambda: None)
    with caplog.at_level(logging.ERROR, logger="uvicorn.error"):
        asyncio.run(serve_and_read())

    assert caplog.messages == []


@either_end
def test_a_server_that_sleeps_ends_as_soon_as_it_is_told(
    monkeypatch: pytest.MonkeyPatch, end: Callable[[HttpServer], None]
) -> None:
    async def end_while_it_sleeps() -> None:
        async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
            tasks.create_task(server.serve(sockets=[bind(LOOPBACK, 0)]))
            await asleep.wait()
            end(server)

    async def tick(counter: int) -> bool:
        asyncio.get_running_loop().call_soon(asleep.set)
        return await HttpServer.on_tick(server, counter)

    async def nobody(_scope: Scope, _receive: Receive, _send: Send) -> None:
        """Nobody asks."""

    asleep = asyncio.Event()
    server = HttpServer(nobody, on_end=lambda: None)
    monkeypatch.setattr(http_server, "DATE_S", 3600)
    monkeypatch.setattr(server, "on_tick", tick)
    asyncio.run(end_while_it_sleeps())


def test_a_signal_while_it_starts_ends_it_cleanly_too(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "gasoline", "serve", "--port", str(port)]
    with subprocess.Popen(
        command, env=environment_of(tmp_path), stderr=subprocess.PIPE, text=True
    ) as process:
        # It takes its port long before it answers.
        wait_until(lambda: is_listened_on(port), "the port")
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=PATIENCE_S)

    assert (process.returncode, said) == (0, "")
    assert not list(tmp_path.glob("*.json"))


def test_it_says_nothing_on_stdout(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gasoline", "serve", "--port", "0", "--idle-exit", "0.1"]

    ran = subprocess.run(
        command,
        env=environment_of(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )

    assert (ran.returncode, ran.stdout) == (0, "")
    assert "gasoline: Nobody asked for" in ran.stderr


def test_two_servers_cannot_share_a_port() -> None:
    with bind(LOOPBACK, 0) as first, pytest.raises(OSError, match="in use"):
        bind(LOOPBACK, first.getsockname()[1])


def test_it_is_idle_only_while_nobody_is_connected() -> None:
    activity = Activity()

    with activity.engaged(), activity.engaged():
        assert activity.idle_s == 0.0

    assert activity.idle_s > 0.0


# A crash under load


def test_a_crash_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    with running_server(tmp_path, "--record", str(record)) as server:
        with concurrent.futures.ThreadPoolExecutor(4) as senders:
            loads = [senders.submit(post_until_refused, server, name) for name in "abcd"]
            wait_until(lambda: record.stat().st_size > 50_000, "some load")
            server.kill()
        acknowledged = {message for load in loads for message in load.result()}
        port = server.port

    recorded = messages_in(record)
    assert len(acknowledged) > 50
    assert acknowledged <= recorded

    # As if the crash had hit in the middle of a line.
    with record.open("ab") as file:
        file.write(b'{"at":1,"route":"/logs","entries":[{"mess')
    with running_server(tmp_path, "--port", str(port), "--record", str(record)) as server:
        post(server.port, "after the crash")

    assert messages_in(record) == recorded | {"after the crash"}
    notes = [line for line in read_record_file(record) if isinstance(line, str)]
    assert len(notes) == 1
    assert notes[0].endswith("cut off or not a record, skipped")


def post_until_refused(server: RunningServer, name: str) -> list[str]:
    """Send one batch after another; the messages of those that were acknowledged."""
    acknowledged: list[str] = []
    while True:
        message = f"{name}{len(acknowledged)}"
        try:
            post(server.port, message)
        except (OSError, ValueError, AssertionError):
            return acknowledged
        acknowledged.append(message)


def post(port: int, message: str) -> None:
    entry = {"level": "info", "message": message, "padding": "x" * 200}
    assert request(port, "POST", "/logs", {"entries": [entry]}).json["received"] == 1


def messages_in(record: Path) -> set[str]:
    return {
        entry["message"]
        for line in read_record_file(record)
        if isinstance(line, RecordLine)
        for entry in line.content["entries"]
    }


# Everywhere by construction


def test_the_process_needs_no_unix(tmp_path: Path) -> None:
    """Without unix sockets, uvloop, users and pread it still serves, and the bridge reaches it."""
    without_unix = tmp_path / "sitecustomize.py"
    without_unix.write_text(
        "import asyncio, os, socket, sys\n"
        "if 'mcp' in sys.orig_argv: del socket.AF_UNIX\n"
        "del asyncio.start_unix_server\n"
        "del os.pread, os.getuid\n"
        "sys.modules['uvloop'] = None\n"
    )
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    environment = {**environment_of(tmp_path / "state"), "PYTHONPATH": paths}
    with socket.create_server((LOOPBACK, 0)) as listening:
        port = str(listening.getsockname()[1])
    record = tmp_path / "record.jsonl"
    server = [sys.executable, "-m", "gasoline", "serve", "--port", port, "--record", str(record)]
    doctor = [sys.executable, "-m", "gasoline", "doctor", "--port", port]
    with subprocess.Popen(server, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "listens on" in process.stderr.readline()
        ran = subprocess.run(
            doctor, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S
        )
        process.send_signal(signal.SIGTERM)

    assert ran.stdout.count("ok ") == 5, ran.stdout
    assert process.returncode == 0
