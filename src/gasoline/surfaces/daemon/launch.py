"""Starting a server in the background, once, however many bridges want one."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from gasoline import __version__
from gasoline.surfaces.daemon.place import Place, address_of, authorization, read_note
from gasoline.surfaces.daemon.port_holder import (
    PortHolder,
    ask_version,
    find_process,
    is_listened_on,
)

START_TIMEOUT_S = 15.0
POLL_S = 0.01
IDLE_EXIT_S = 30 * 60

# Python complains about a process that is forgotten while it runs; these are meant to outlive us.
_started: list[subprocess.Popen[bytes]] = []


class CannotStartError(Exception):
    """No server could be had; the message says why and what to do."""


def ensure_server(place: Place, flags: Sequence[str] = ()) -> None:
    """Make sure that a server answers on the place's port; the lock lets one starter through."""
    with _locked(place.lock):
        version = _ask_version(place)
        if _can_join(place, version):
            return
        if is_listened_on(place.port, address_of(place)):
            raise CannotStartError(_explain(place, PortHolder(version, *find_process(place.port))))
        _start(place, flags)


def _ask_version(place: Place) -> str | None:
    return ask_version(place.port, authorization(place), host=address_of(place))


def _can_join(place: Place, version: str | None) -> bool:
    """Whether the server speaks as we do: it is of this version, or it left us word."""
    note = read_note(place)
    return version == __version__ or (note is not None and version == note.version)


def _explain(place: Place, holder: PortHolder) -> str:
    if holder.is_gasoline:
        return (
            f"Port {place.port} is served by {holder}, which gasoline {__version__} cannot join. "
            "Stop it or choose another port with --port."
        )
    return (
        f"Port {place.port} is taken by {holder}. "
        "Stop that program or choose another port with --port."
    )


def _start(place: Place, flags: Sequence[str]) -> None:
    command = [
        # -P: a module of the user's project must not stand in for one of ours.
        *(sys.executable, "-P", "-m", "gasoline", "serve"),
        *("--port", str(place.port), "--idle-exit", str(IDLE_EXIT_S)),
        *flags,
    ]
    with place.log.open("wb") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            cwd=place.folder,
            env={**os.environ, "GASOLINE_STATE": str(place.folder)},
            # Its own session: it must outlive the bridge, and not die of the terminal's Ctrl+C.
            start_new_session=True,
            creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),
        )
    _started.append(process)
    deadline = time.monotonic() + START_TIMEOUT_S
    while _ask_version(place) != __version__:
        if process.poll() is not None:
            raise CannotStartError(
                f"The server did not start: {last_words(place.log) or f'see {place.log}'}"
            )
        if time.monotonic() > deadline:
            raise CannotStartError(
                f"The server did not answer within {START_TIMEOUT_S:.0f} s. See {place.log}."
            )
        time.sleep(POLL_S)


def last_words(log: Path) -> str | None:
    """What a server that is gone said at the end, if anything."""
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else None


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock file; the system lets go of it even if we are killed."""
    with path.open("ab") as file:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415  # exists on Windows only

            # It gives up after ten seconds, and a start may take longer.
            while True:
                with contextlib.suppress(OSError):
                    msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                    break
        else:
            import fcntl  # noqa: PLC0415  # missing on Windows

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
