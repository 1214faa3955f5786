"""Real bridges for tests: `gasoline mcp` as an AI tool starts it."""

import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from gasoline.surfaces.daemon.place import Place, read_note
from tests.servers import LOOPBACK, PATIENCE_S, environment_of, wait_until

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Bridge:
    """One `gasoline mcp`, spoken to as an AI tool does."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.received: list[dict[str, Any]] = []
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._errors: list[str] = []
        self._threads = [
            threading.Thread(target=self._collect_errors, daemon=True),
            threading.Thread(target=self._collect_lines, daemon=True),
        ]
        self._threads[0].start()
        self._last_id = 0

    def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def post(self, method: str, params: Any = None) -> int:
        """Send a request without waiting; its id."""
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params or {}}
        self.send(json.dumps(message).encode())
        return self._last_id

    def notify(self, method: str, params: Any = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        self.send(json.dumps(message).encode())

    def receive(self) -> dict[str, Any]:
        """The next message; reading starts with the first call."""
        if not self._threads[1].is_alive() and self._lines.empty():
            self._threads[1].start()
        message: dict[str, Any] = json.loads(self._lines.get(timeout=PATIENCE_S))
        self.received.append(message)
        return message

    def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request; the answer to it, which must be the next message."""
        asked = self.post(method, params)
        answer = self.receive()
        assert answer["id"] == asked, answer
        return answer

    def shake_hands(self) -> dict[str, Any]:
        answer = self.ask("initialize", HELLO)
        self.notify("notifications/initialized")
        self.ask("ping")
        return answer

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    @property
    def errors(self) -> str:
        return "".join(self._errors)

    def wait_for_error(self, text: str) -> None:
        wait_until(lambda: text in self.errors, f"{text!r} on stderr, which says {self.errors!r}")

    def end_input(self) -> int:
        """Close its stdin; its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(PATIENCE_S)

    def _collect_lines(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def _collect_errors(self) -> None:
        assert self.process.stderr is not None
        self._errors.extend(line.decode() for line in self.process.stderr)


@contextmanager
def running_bridge(
    port: int, state_folder: Path, *flags: str, cwd: Path | None = None
) -> Iterator[Bridge]:
    command = [sys.executable, "-P", "-m", "gasoline", "mcp", "--port", str(port), *flags]
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=environment_of(state_folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        bridge = Bridge(process)
        try:
            yield bridge
        finally:
            process.kill()
            for thread in bridge._threads:
                if thread.is_alive():
                    thread.join()


class ColdPlace(NamedTuple):
    """A port where nobody listens yet, and the state folder of whoever will."""

    port: int
    state_folder: Path

    @property
    def place(self) -> Place:
        return Place(self.state_folder, self.port)

    @property
    def server_pid(self) -> int:
        note = read_note(self.place)
        assert note is not None
        return note.pid


@contextmanager
def cold_place(tmp_path: Path) -> Iterator[ColdPlace]:
    """A free port; whatever server a bridge starts there is ended afterwards."""
    with socket.create_server((LOOPBACK, 0)) as listening:
        port: int = listening.getsockname()[1]
    cold = ColdPlace(port, tmp_path / "state")
    try:
        yield cold
    finally:
        for server in servers_on(port):
            kill_server(server.pid, port)


def servers_on(port: int) -> list[psutil.Process]:
    """The server processes for a port, dead ones that nobody buried left out."""
    return [
        process
        for process in psutil.process_iter(["cmdline", "status"])
        if process.info["status"] != psutil.STATUS_ZOMBIE
        and "serve" in (process.info["cmdline"] or [])
        and str(port) in process.info["cmdline"]
    ]


def kill_server(pid: int, port: int) -> None:
    """End a server as a crash would, and wait until its port is free."""
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not servers_on(port), "the killed server to be gone")
