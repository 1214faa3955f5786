"""Real servers for tests: a process, a port and a state folder of their own, and ready."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

LOOPBACK = "127.0.0.1"
PATIENCE_S = 20.0
POLL_S = 0.01
LISTENS = re.compile(r"listens on http://\S+:(\d+)$")


class Answer(NamedTuple):
    """What a server said to one request."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class RunningServer:
    """A `gasoline serve` of its own."""

    def __init__(self, process: subprocess.Popen[str], port: int, state_folder: Path) -> None:
        self.process = process
        self.port = port
        self.state_folder = state_folder
        self.said: list[str] = []

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    def request(
        self, method: str, path: str, content: Any = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        return request(self.port, method, path, content, headers)

    def stop(self) -> int:
        """End it as a user would, and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)

    def kill(self) -> None:
        """End it as a crash would."""
        self.process.kill()
        self.process.wait(PATIENCE_S)


@contextmanager
def running_server(tmp_path: Path, *flags: str) -> Iterator[RunningServer]:
    """Serve on a free port, or on the `--port` among the flags, with its state in tmp_path."""
    state_folder = tmp_path / "state"
    command = [sys.executable, "-m", "gasoline", "serve", "--port", "0", *flags]
    with subprocess.Popen(
        command,
        env=environment_of(state_folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        said: list[str] = []
        for line in process.stderr:
            said.append(line.rstrip("\n"))
            if found := LISTENS.search(said[-1]):
                break
        else:
            raise AssertionError(f"the server ended before it listened: {said}")
        server = RunningServer(process, int(found[1]), state_folder)
        server.said = said
        # A full pipe would stop the server: keep reading, for tests that ask what it said.
        listener = threading.Thread(target=_collect, args=(process, said), daemon=True)
        listener.start()
        try:
            yield server
        finally:
            # A test that is about the end calls for it; the others need not wait for a clean one.
            process.kill()
            listener.join()


def _collect(process: subprocess.Popen[str], said: list[str]) -> None:
    assert process.stderr is not None
    said.extend(line.rstrip("\n") for line in process.stderr)


def environment_of(state_folder: Path) -> dict[str, str]:
    """The environment of a command that keeps its state in a folder of its own."""
    return {**os.environ, "GASOLINE_STATE": str(state_folder)}


class Finished(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


def run_gasoline(state_folder: Path, *arguments: str, stdin: str = "") -> Finished:
    """Run one command of `gasoline` to its end."""
    finished = subprocess.run(
        [sys.executable, "-m", "gasoline", *arguments],
        env=environment_of(state_folder),
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    return Finished(finished.returncode, finished.stdout, finished.stderr)


def request(
    port: int,
    method: str,
    path: str,
    content: Any = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """One request on a connection of its own; content other than bytes is sent as JSON."""
    body = content if content is None or isinstance(content, bytes) else json.dumps(content)
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=PATIENCE_S)
    try:
        connection.request(method, path, body, dict(headers or {}))
        response = connection.getresponse()
        named = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, named, response.read())
    finally:
        connection.close()


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Look again until something outside this process is so; for what sends no event."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"waited {PATIENCE_S:.0f} s for: {what}"
        time.sleep(POLL_S)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server((LOOPBACK, 0)) as listening:
        return int(listening.getsockname()[1])
