"""Who answers on a port."""

import os
import socket
import threading
from pathlib import Path

import pytest

from gasoline import __version__
from gasoline.surfaces.daemon.port_holder import (
    PortHolder,
    Process,
    ask_version,
    find_holder,
    find_process,
    is_listened_on,
    read_lsof,
    read_netstat,
    read_tasklist,
)
from tests.servers import LOOPBACK, running_server

NETSTAT = """
Aktive Verbindungen

  Proto  Lokale Adresse         Remoteadresse          Status           PID
  TCP    127.0.0.1:78900        0.0.0.0:0              ABHÖREN          1
  TCP    127.0.0.1:50000        127.0.0.1:7890         HERGESTELLT      2
  TCP    127.0.0.1:7890         127.0.0.1:50000        HERGESTELLT      3
  TCP    127.0.0.1:7890         0.0.0.0:0              ABHÖREN          4242
"""


def test_nobody_holds_a_free_port() -> None:
    with socket.create_server((LOOPBACK, 0)) as listening:
        port = listening.getsockname()[1]

    assert (is_listened_on(port), find_holder(port), find_process(port)) == (
        False,
        None,
        Process(),
    )


def test_a_server_of_ours_is_known_by_version_and_process(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        holder = find_holder(server.port)

        assert holder == PortHolder(__version__, server.pid, "python")
        assert str(holder) == f"gasoline {__version__} (pid {server.pid})"


def test_a_server_that_asks_for_a_token_tells_its_version_to_those_who_have_it(
    tmp_path: Path,
) -> None:
    with running_server(tmp_path, "--token", "secret") as server:
        assert ask_version(server.port, {"Authorization": "Bearer secret"}) == __version__
        assert str(find_holder(server.port)) == f"gasoline with a token (pid {server.pid})"


@pytest.mark.parametrize(
    ("said", "version"),
    [
        (b'HTTP/1.1 200 OK\r\n\r\n{"name":"gasoline","version":"5.2.0"}', "5.2.0"),
        (b'HTTP/1.1 200 OK\r\n\r\n{"name":"gasoline"}', "of unknown version"),
        (b'HTTP/1.1 200 OK\r\n\r\n{"name":"other"}', None),
        (b"HTTP/1.1 200 OK\r\n\r\n[]", None),
        (b"HTTP/1.1 200 OK\r\n\r\n<html>", None),
        (b"SSH-2.0-OpenSSH\r\n", None),
        (b"", None),
    ],
)
def test_a_version_is_only_what_a_gasoline_says(said: bytes, version: str | None) -> None:
    def speak() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(10_000)
            connection.sendall(said)

    with socket.create_server((LOOPBACK, 0)) as listening:
        speaker = threading.Thread(target=speak)
        speaker.start()
        answer = ask_version(listening.getsockname()[1])
        speaker.join()

    assert answer == version


def test_another_program_is_named() -> None:
    with socket.create_server((LOOPBACK, 0)) as listening:
        process = find_process(listening.getsockname()[1])

    assert process == Process(os.getpid(), Path("/proc/self/comm").read_text().strip())
    assert str(PortHolder(None, *process)) == f"{process.program} (pid {os.getpid()})"


def test_what_cannot_be_known_is_left_out() -> None:
    assert str(PortHolder()) == "another program"


def test_macos_names_it_by_lsof() -> None:
    assert read_lsof("p4242\ncnode\nf12\n") == Process(4242, "node")
    assert read_lsof("") == Process()


def test_windows_names_it_by_netstat_in_any_language() -> None:
    assert read_netstat(NETSTAT, 7890) == 4242
    assert read_netstat(NETSTAT, 789) is None
    assert read_tasklist('\r\n"node.exe","4242","Console","1","50.000 K"\r\n') == "node.exe"
    assert read_tasklist("INFO: No tasks are running") is None
