"""`gasoline serve`: the server in the foreground."""

import contextlib
import ipaddress
import logging
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from gasoline import __version__
from gasoline.store import Limits, RingLimit
from gasoline.store.limits import MIB
from gasoline.surfaces.cli.noise import noise_option
from gasoline.surfaces.cli.source_maps import source_maps_option
from gasoline.surfaces.daemon.listening import bind
from gasoline.surfaces.daemon.place import (
    DEFAULT_PORT,
    HIGHEST_PORT,
    LOOPBACK,
    NEAREST,
)

# Each ring's flag, the limit it sets, and what it counts.
RING_FLAGS = (
    ("--max-logs", "logs", "log entries"),
    ("--max-websocket-events", "websocket_events", "WebSocket events"),
    ("--max-network-bodies", "network_bodies", "requests with bodies"),
    ("--max-actions", "enhanced_actions", "user actions"),
    ("--max-screenshots", "screenshots", "screenshots"),
)


def _ring_options(command: click.Command) -> click.Command:
    defaults = Limits()
    for flag, name, counted in RING_FLAGS:
        ring: RingLimit = getattr(defaults, name)
        # The original called its log limit --max-entries.
        flags = [flag, "--max-entries"] if name == "logs" else [flag]
        command.params.append(
            click.Option(
                [*flags, f"max_{name}"],
                metavar="N",
                type=click.IntRange(1),
                default=ring.count,
                show_default=True,
                help=f"How many {counted} to keep.",
            )
        )
    return command


@_ring_options
@click.command()
@click.option(
    "--port",
    metavar="PORT",
    type=click.IntRange(0, HIGHEST_PORT),
    default=DEFAULT_PORT,
    show_default=True,
    help="Port to listen on; 0 takes a free one.",
)
@click.option(
    "--host", metavar="ADDRESS", default=LOOPBACK, show_default=True, help="Address to listen on."
)
@click.option(
    "--token",
    "--api-key",
    metavar="SECRET",
    envvar="GASOLINE_TOKEN",
    show_envvar=True,
    help="Answer only requests that carry this token.",
)
@click.option(
    "--allow-host",
    metavar="NAME",
    multiple=True,
    help="Answer to this host name too. May be given several times.",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append everything that is accepted to this file, as JSON lines.",
)
@click.option(
    "--screenshots",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also write screenshots into this folder.",
)
@source_maps_option
@noise_option
@click.option(
    "--memory",
    metavar="MB",
    type=click.IntRange(1, 4096),
    default=Limits().memory_bytes // MIB,
    show_default=True,
    help="Megabytes of captured data to keep, all kinds together.",
)
@click.option("--no-mcp", is_flag=True, hidden=True)
@click.option("--idle-exit", type=click.FloatRange(min=0.1), hidden=True)
@click.option("--listening", type=int, metavar="HANDLE", hidden=True)
@click.option(
    "--server", is_flag=True, hidden=True, help="What the original needed; this serves anyway."
)
def serve(
    *,
    port: int,
    host: str,
    token: str | None,
    allow_host: tuple[str, ...],
    record: Path | None,
    screenshots: Path | None,
    source_maps: tuple[Path, ...],
    memory: int,
    no_mcp: bool,
    idle_exit: float | None,
    listening: int | None,
    server: bool,
    **ring_counts: int,
) -> None:
    """Collect what browsers send and answer AI tools, until Ctrl+C."""
    del server
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="gasoline: %(message)s")
    if not _is_loopback(host) and not token:
        raise click.ClickException(
            f"Listening on {host} lets others in. Add --token SECRET, or leave --host out."
        )
    with _until_told_to_stop():
        # Whoever starts us may have taken a port already, and told others of it.
        door = socket.socket(fileno=listening) if listening is not None else _open(host, port)
        port = door.getsockname()[1]
        # Imported only now: this takes a while, and whoever knows the port need not wait for it.
        from gasoline.surfaces.daemon import server as daemon  # noqa: PLC0415

        options = daemon.ServerOptions(
            host=host,
            port=port,
            token=token,
            allow_hosts=allow_host,
            record=record,
            screenshots=screenshots,
            source_maps=source_maps,
            limits=_read_limits(memory, ring_counts),
            speaks_mcp=not no_mcp,
            idle_exit_s=idle_exit,
        )
        try:
            with daemon.fast_runner() as runner:
                runner.run(
                    daemon.serve(options, door, on_ready=lambda: _announce(host, port, record))
                )
        except daemon.CannotServeError as error:
            raise click.ClickException(str(error)) from error


def _open(host: str, port: int) -> socket.socket:
    try:
        return bind(host, port)
    except OSError as error:
        raise click.ClickException(_explain_bind_failure(host, port, error)) from error


@contextlib.contextmanager
def _until_told_to_stop() -> Iterator[None]:
    """Being told to stop is no failure, not even before uvicorn listens for it."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        yield


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _read_limits(memory: int, ring_counts: dict[str, int]) -> Limits:
    defaults = Limits()
    rings = {
        name: msgspec.structs.replace(getattr(defaults, name), count=ring_counts[f"max_{name}"])
        for _flag, name, _counted in RING_FLAGS
    }
    return msgspec.structs.replace(defaults, memory_bytes=memory * MIB, **rings)


def _explain_bind_failure(host: str, port: int, error: OSError) -> str:
    from gasoline.surfaces.daemon.port_holder import find_holder  # noqa: PLC0415  # failure only

    holder = find_holder(port, NEAREST.get(host, host))
    if holder is None:
        return f"Cannot listen on {host}:{port}: {error.strerror or error}."
    if holder.version == __version__:
        return (
            f"Gasoline already runs on port {port} (pid {holder.pid}). "
            f"Use it, stop it (gasoline stop --port {port}), or choose another --port."
        )
    return f"Port {port} is taken by {holder}. Stop that program or choose another --port."


def _announce(host: str, port: int, record: Path | None) -> None:
    name = f"[{host}]" if ":" in host else host
    lines = [f"Gasoline {__version__} listens on http://{name}:{port}"]
    if record:
        lines.append(f"Recording to {record}")
    if sys.stderr.isatty():
        lines += [
            "Connect your AI tool:  gasoline install",
            "Check the way here:    gasoline doctor",
            "Stop:                  Ctrl+C",
        ]
    print("\n".join(lines), file=sys.stderr, flush=True)
