"""`gasoline stop`: end a server that runs in the background."""

import os
import signal
import time

import click

from gasoline.surfaces.cli.client import NoServerError, read_health
from gasoline.surfaces.cli.port import port_option
from gasoline.surfaces.cli.status import explain_absence
from gasoline.surfaces.daemon.place import address_of, find_place, read_note, remove_note
from gasoline.surfaces.daemon.port_holder import find_process, is_listened_on

PATIENCE_S = 5.0
POLL_S = 0.02


@click.command()
@port_option
def stop(*, port: int) -> None:
    """Stop the server; only what was recorded is kept."""
    place = find_place(port)
    address = address_of(place)
    if not is_listened_on(port, address):
        print(f"No server on port {port}: nothing to stop.")
        return
    try:
        pid = int(read_health(port)["pid"])
    except NoServerError as error:
        raise click.ClickException(explain_absence(port, error)) from error
    note = read_note(place)
    if pid not in {note.pid if note else None, find_process(port).pid}:
        # A container's server, for instance: here, its number belongs to somebody else.
        raise click.ClickException(
            f"The server on port {port} calls itself pid {pid}, but no process here is it. "
            "Stop it where it runs."
        )
    _end(pid, port, address)
    # Windows ends a process without letting it clean up.
    remove_note(place, pid=pid)
    print(f"Stopped the server on port {port} (pid {pid}).")


def _end(pid: int, port: int, address: str) -> None:
    try:
        os.kill(pid, signal.SIGTERM)
    except OSError as error:
        raise click.ClickException(f"Cannot stop pid {pid}: {error.strerror}.") from error
    deadline = time.monotonic() + PATIENCE_S
    while is_listened_on(port, address):
        if time.monotonic() > deadline:
            raise click.ClickException(
                f"The server (pid {pid}) did not stop within {PATIENCE_S:.0f} s. End it yourself."
            )
        time.sleep(POLL_S)
