"""Servers to measure, each in a process of its own, on a free port, with a state of its own."""

import contextlib
import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

START_TIMEOUT_S = 20.0
POLL_S = 0.02
LIMIT = Path(__file__).with_name("limit.py")


class Running(Struct, frozen=True):
    """A server that answers."""

    port: int
    pid: int
    state: Path

    @property
    def environment(self) -> dict[str, str]:
        return state_environment(self.state)


def state_environment(state: Path) -> dict[str, str]:
    """The environment in which commands find the servers of one state folder."""
    return {**os.environ, "GASOLINE_STATE": str(state)}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def gasoline_server(*options: str) -> Iterator[Running]:
    """`gasoline serve`, as a user starts it."""
    port = free_port()
    command = [sys.executable, "-m", "gasoline", "serve", "--port", str(port), *options]
    with _run(command, port) as running:
        yield running


@contextlib.contextmanager
def limit_server() -> Iterator[Running]:
    """The bare handler that others are measured against."""
    port = free_port()
    with _run([sys.executable, str(LIMIT), str(port)], port) as running:
        yield running


@contextlib.contextmanager
def peer_server(binary: Path) -> Iterator[Running]:
    """The original's binary. It leaves a daemon behind, which only its own --stop ends."""
    port = free_port()
    with tempfile.TemporaryDirectory() as state:
        place = ["--port", str(port), "--state-dir", state]
        try:
            with _run([str(binary), *place, "--parallel"], port) as running:
                yield running
        finally:
            subprocess.run([str(binary), "--stop", *place], capture_output=True, check=False)


@contextlib.contextmanager
def _run(command: Sequence[str], port: int) -> Iterator[Running]:
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder)
        with subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=state_environment(state),
        ) as process:
            try:
                _await_answer(process, port)
                yield Running(port, process.pid, state)
            finally:
                _stop(process)


def _await_answer(process: subprocess.Popen[bytes], port: int) -> None:
    """Wait for an answer, whatever it is: a server may listen long before it serves."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while process.poll() is None and time.monotonic() < deadline:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_TIMEOUT_S)
        try:
            connection.request("GET", "/")
            connection.getresponse()
        except OSError:
            time.sleep(POLL_S)
        else:
            return
        finally:
            connection.close()
    raise RuntimeError(f"No server on port {port}. Run it by hand to see why: {process.args!r}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
