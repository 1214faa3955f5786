"""A server for one command alone: a free port, a state folder of its own, gone with it."""

import contextlib
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from gasoline.surfaces.daemon.launch import CannotStartError, last_words

logger = logging.getLogger(__name__)

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
            _tell_of_early_end(process, log)
            # It has written what it recorded, and its folder goes with it: nothing to wait for.
            process.kill()
            process.wait()


def _wait_for_port(port_file: Path, process: subprocess.Popen[bytes], log: Path) -> int:
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        if port_file.exists():
            return int(port_file.read_text())
        if process.poll() is not None or time.monotonic() > deadline:
            raise CannotStartError(
                f"The server did not start: {last_words(log) or 'no reason given'}"
            )
        time.sleep(POLL_S)


def _tell_of_early_end(process: subprocess.Popen[bytes], log: Path) -> None:
    """Its port was known before it was ready, so that it may have failed with nobody waiting."""
    if process.poll() is not None and (why := last_words(log)):
        logger.warning("Gasoline's server ended by itself: %s", why)
