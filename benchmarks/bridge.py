"""How long an AI tool waits for the bridge it starts."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
from mcp_messages import HELLO
from servers import free_port, gasoline_server, state_environment
from table import Row, report
from timing import median_ms

from gasoline.surfaces.daemon.place import find_place, read_note

WARM_TIMES = 20
COLD_TIMES = 5
STOP_TIMEOUT_S = 10


def measure(*, warm_times: int = WARM_TIMES, cold_times: int = COLD_TIMES) -> list[Row]:
    """From starting `gasoline mcp` to its answer to `initialize`."""
    with gasoline_server() as server:
        warm_ms = median_ms(lambda: _greet(server.port, server.environment), times=warm_times)
    with tempfile.TemporaryDirectory() as folder:
        port, environment = free_port(), state_environment(Path(folder))
        cold_ms = median_ms(
            lambda: _greet(port, environment),
            times=cold_times,
            before=lambda: _stop_server(port, environment),
        )
        _stop_server(port, environment)
    return [
        Row(what="bridge, server running, p50", measured=warm_ms, unit="ms", budget=100),
        Row(what="bridge that starts the server, p50", measured=cold_ms, unit="ms", budget=1600),
    ]


def _greet(port: int, environment: dict[str, str]) -> None:
    command = [str(Path(sys.executable).with_name("gasoline")), "mcp", "--port", str(port)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(HELLO + b"\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        process.kill()
    assert b"serverInfo" in answer, answer


def _stop_server(port: int, environment: dict[str, str]) -> None:
    note = read_note(find_place(port, environment))
    if note is None or not psutil.pid_exists(note.pid):
        return
    process = psutil.Process(note.pid)
    os.kill(note.pid, signal.SIGTERM)
    process.wait(STOP_TIMEOUT_S)


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--warm", type=int, default=WARM_TIMES, help="starts (default: 20)")
    parser.add_argument("--cold", type=int, default=COLD_TIMES, help="starts (default: 5)")
    options = parser.parse_args()
    report(measure(warm_times=options.warm, cold_times=options.cold))


if __name__ == "__main__":
    main()
