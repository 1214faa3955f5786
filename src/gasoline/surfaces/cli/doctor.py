"""`gasoline doctor`: a real round trip, naming the hop that fails."""

import contextlib
import json
import secrets
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import click

from gasoline import __version__
from gasoline.ingest.ingest import DOCTOR
from gasoline.surfaces.cli.client import NoServerError, read_health, request
from gasoline.surfaces.cli.port import port_option
from gasoline.surfaces.daemon.launch import CannotStartError, ensure_server
from gasoline.surfaces.daemon.place import find_place

BRIDGE_TIMEOUT_S = 30.0


class BrokenHopError(Exception):
    """A hop fails; the message says how, and what to do."""


class RoundTrip:
    """A probe sent through every hop to the answer of an AI tool."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.probe = f"{DOCTOR}-{secrets.token_hex(6)}"
        self._delivered = False

    def reach_server(self) -> str:
        try:
            health = read_health(self.port)
        except NoServerError:
            return f"{_start_server(self.port)}, version {__version__}"
        if health["version"] != __version__:
            raise BrokenHopError(
                f"the server is version {health['version']}, this command {__version__}. "
                f"Restart it: gasoline stop --port {self.port}"
            )
        return f"version {health['version']}, pid {health['pid']}"

    def deliver(self) -> str:
        entry = {"level": "info", "type": "doctor", "message": self.probe, "test_id": self.probe}
        batch = {"entries": [entry], "sender": DOCTOR}
        self._delivered = True
        status, receipt = request(self.port, "POST", "/logs", batch)
        if status != 200 or receipt.get("received") != 1:  # noqa: PLR2004  # HTTP's own number
            raise BrokenHopError(f"POST /logs answered {status}: {receipt}")
        return "one log entry accepted"

    def find_in_store(self) -> str:
        status, snapshot = request(self.port, "GET", f"/snapshot?test_id={self.probe}")
        found = [entry["message"] for entry in snapshot.get("logs", [])]
        if found != [self.probe]:
            raise BrokenHopError(f"GET /snapshot answered {status} without the entry just sent")
        return "kept and tagged"

    def ask_over_http(self) -> str:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": self._question}
        status, answer = request(self.port, "POST", "/mcp", call)
        self._look_for_probe(answer, f"POST /mcp answered {status}")
        return "get_browser_logs found it"

    def ask_over_bridge(self) -> str:
        lines: list[dict[str, Any]] = [
            {"id": 1, "method": "initialize", "params": _handshake()},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": self._question},
        ]
        sent = "".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines)
        command = [sys.executable, "-P", "-m", "gasoline", "mcp", "--port", str(self.port)]
        try:
            bridge = subprocess.run(  # noqa: PLW1510  # its exit code is not the point, its answer is
                command, input=sent, capture_output=True, text=True, timeout=BRIDGE_TIMEOUT_S
            )
        except subprocess.TimeoutExpired as error:
            raise BrokenHopError(f"no answer within {BRIDGE_TIMEOUT_S:.0f} s") from error
        answers = [json.loads(line) for line in bridge.stdout.splitlines()]
        answer = next((answer for answer in answers if answer.get("id") == 2), None)  # noqa: PLR2004  # the id above
        self._look_for_probe(answer, bridge.stderr.strip() or "no answer")
        return "what your AI tool starts found it"

    def clean_up(self) -> None:
        """Leave nothing behind, wherever the way broke."""
        if self._delivered:
            with contextlib.suppress(NoServerError):
                request(self.port, "POST", f"/clear?test_id={self.probe}")

    @property
    def _question(self) -> dict[str, Any]:
        return {"name": "get_browser_logs", "arguments": {"test_id": self.probe}}

    def _look_for_probe(self, answer: Any, otherwise: str) -> None:
        try:
            text = answer["result"]["content"][0]["text"]
            found = json.loads(text)["logs"][0]["message"] == self.probe
        except (KeyError, IndexError, TypeError, ValueError):
            found = False
        if not found:
            raise BrokenHopError(f"{otherwise}; got {str(answer)[:200]}")


@click.command()
@port_option
def doctor(*, port: int) -> None:
    """Send a probe through every hop and say where it got lost."""
    trip = RoundTrip(port)
    hops: list[tuple[str, Callable[[], str]]] = [
        ("server", trip.reach_server),
        ("HTTP in", trip.deliver),
        ("store", trip.find_in_store),
        ("MCP over HTTP", trip.ask_over_http),
        ("MCP bridge", trip.ask_over_bridge),
    ]
    try:
        for name, pass_hop in hops:
            _pass(name, pass_hop)
    finally:
        trip.clean_up()
    _report_capture(port)


def _pass(name: str, pass_hop: Callable[[], str]) -> None:
    try:
        print(f"ok      {name:<15}{pass_hop()}", flush=True)
    except (BrokenHopError, NoServerError) as error:
        print(f"FAILED  {name:<15}{error}", flush=True)
        raise click.ClickException(f"The way breaks at: {name}.") from error


def _report_capture(port: int) -> None:
    capture = read_health(port)["capture"]
    reasons = [f"- {capture[key]}" for key in ("why", "next") if capture.get(key)]
    print(f"{capture['state']:<8}{'browser':<15}{' '.join(reasons) or 'events are arriving'}")


def _start_server(port: int) -> str:
    try:
        ensure_server(find_place(port))
    except CannotStartError as error:
        raise BrokenHopError(str(error)) from error
    return "none was running: started one"


def _handshake() -> dict[str, Any]:
    return {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "gasoline doctor", "version": __version__},
    }
