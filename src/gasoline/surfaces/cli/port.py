"""The one option that every command talking to a server has."""

from collections.abc import Callable
from typing import Any

import click

from gasoline.surfaces.daemon.place import DEFAULT_PORT, HIGHEST_PORT

port_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--port",
    metavar="PORT",
    type=click.IntRange(1, HIGHEST_PORT),
    default=DEFAULT_PORT,
    show_default=True,
    help="Server port.",
)
