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
from gasoline.surfaces.daemon.listening import bind
from gasoline.surfaces.daemon.place import LOOPBACK
from gasoline.surfaces.daemon.port_holder import is_listened_on

logger = logging.getLogger(__name__)

START_TIMEOUT_S = 20.0
POLL_S = 0.01
END_S = 1.0
# A process of Windows has no sockets of another's.
CAN_INHERIT = os.name == "posix"


@contextlib.contextmanager
def private_server(*flags: str) -> Iterator[int]:
    """Serve on a free port while the block runs; yields the port.

    The server takes connections at once and answers once it is ready: nobody waits for its start.
    """
    with tempfile.TemporaryDirectory(prefix="gasoline-") as folder:
        log = Path(folder) / "server.log"
        port, process = _spawn(flags, Path(folder), log)
        try:
            if not CAN_INHERIT:
                _wait_until_listening(port, process, log)
            yield port
        finally:
            _tell_of_early_end(process, port, log)
            # It has written what it recorded, and its folder goes with it: nothing to wait for.
            process.kill()
            process.wait()


def _spawn(
    flags: tuple[str, ...], folder: Path, log: Path
) -> tuple[int, "subprocess.Popen[bytes]"]:
    # Ours only until it is the server's: nobody must connect to a server that is gone.
    with log.open("wb") as said, bind(LOOPBACK, 0) as listening:
        port, handle = listening.getsockname()[1], listening.fileno()
        if not CAN_INHERIT:
            listening.close()
        place = ("--listening", str(handle)) if CAN_INHERIT else ("--port", str(port))
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "gasoline", "serve", *place, *flags],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**os.environ, "GASOLINE_STATE": str(folder)},
            # The terminal's Ctrl+C is for the tests; the report still needs the server.
            start_new_session=True,
            pass_fds=[handle] if CAN_INHERIT else [],
        )
    return port, process


def _wait_until_listening(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not is_listened_on(port):
        if process.poll() is not None or time.monotonic() > deadline:
            raise CannotStartError(
                f"The server did not start: {last_words(log) or 'no reason given'}"
            )
        time.sleep(POLL_S)


def _tell_of_early_end(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Its port was known before it was ready, so that it may have failed with nobody waiting."""
    if not is_listened_on(port):
        # A process lets go of its port a moment before it has ended.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_S)
    if process.poll() is not None and (why := last_words(log)):
        logger.warning("Gasoline's server ended by itself: %s", why)
