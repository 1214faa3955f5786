"""`gasoline attach`: watch a browser that is running, through its debugging port."""

import signal

import click

from gasoline.surfaces.cli.port import port_option
from gasoline.surfaces.daemon.launch import CannotStartError, ensure_server
from gasoline.surfaces.daemon.place import address_of, find_place, find_token

LAST_CHANCE_S = 2.0
LOOK_S = 0.5
URL_CHARS = 120


@click.command()
@click.option(
    "--cdp",
    "address",
    metavar="URL",
    default="http://127.0.0.1:9222",
    show_default=True,
    help="The browser's debugging address: http://host:port, ws://..., or a port.",
)
@click.option("--test-id", help="Keep what is captured under this name.")
@port_option
def attach(*, address: str, test_id: str | None, port: int) -> None:
    """Capture what the pages of a running browser show."""
    # Only this command needs a WebSocket.
    from gasoline.drivers.cdp import (  # noqa: PLC0415
        NoBrowserError,
        Target,
        find_websocket,
        observe,
    )

    place = find_place(port)
    try:
        # First: without a browser nobody needs a server.
        found = find_websocket(address)
        ensure_server(place)
    except (NoBrowserError, CannotStartError) as error:
        raise click.ClickException(str(error)) from error

    def tell(target: Target) -> None:
        name = target.url or target.title or "about:blank"
        click.echo(f"{target.kind:14} {_shorten(name)}")

    try:
        attachment = observe(
            found,
            port=port,
            host=address_of(place),
            test_id=test_id,
            token=find_token(place),
            on_target=tell,
        )
    except NoBrowserError as error:
        raise click.ClickException(str(error)) from error
    # A supervisor's request to end deserves the same goodbye as Ctrl+C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    click.echo(f"Watching for the server on port {port}. Stop: Ctrl+C")
    try:
        # In short waits: on Windows, Ctrl+C does not interrupt a long one.
        while not attachment.ended.wait(LOOK_S):
            pass
        click.echo("The browser has gone.")
    except KeyboardInterrupt:
        attachment.flush()
    attachment.close()
    delivery = attachment.delivery
    delivery.close(LAST_CHANCE_S)
    losses = f", {delivery.lost} lost" if delivery.lost else ""
    click.echo(f"{delivery.delivered} batches delivered{losses}")


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= URL_CHARS else line[: URL_CHARS - 3] + "..."
