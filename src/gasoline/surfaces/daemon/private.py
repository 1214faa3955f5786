"""A server for one command alone: a free port, a state folder of its own, gone with it."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from gasoline.surfaces.daemon.launch import CannotStartError

START_TIMEOUT_S = 20.0
POLL_S = 0.01


@contextlib.contextmanager
def private_server(*flags: str) -> Iterator[int]:
    """Serve on a free port while the block runs; yields the port.

    The server takes connections at once and answers once it is ready: nobody waits for its start.
    """
    with tempfile.TemporaryDirectory(prefix="gasoline-") as folder:
        log, port_file = Path(folder) / "server.log", Path(folder) / "port"
        with log.open("wb") as said:
            process = subprocess.Popen(
                [
                    *(sys.executable, "-P", "-m", "gasoline", "serve"),
                    *("--port", "0", "--port-file", str(port_file), *flags),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                env={**os.environ, "GASOLINE_STATE": folder},
                # The terminal's Ctrl+C is for the tests; the report still needs the server.
                start_new_session=True,
            )
        try:
            yield _wait_for_port(port_file, process, log)
        finally:
            # It has written what it recorded, and its folder goes with it: nothing to wait for.
            process.kill()
            process.wait()


def _wait_for_port(port_file: Path, process: subprocess.Popen[bytes], log: Path) -> int:
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        if port_file.exists():
            return int(port_file.read_text())
        if process.poll() is not None or time.monotonic() > deadline:
            said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise CannotStartError(
                f"The server did not start: {said[-1] if said else 'no reason given'}"
            )
        time.sleep(POLL_S)
