"""The one option of every command that judges what the browser saw."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click


def _use(_context: click.Context, _option: click.Parameter, path: Path | None) -> None:
    if path is None:
        return
    # Imported here: few have such a file.
    from gasoline.surfaces.noise_file import NoiseFileError, use_noise_file  # noqa: PLC0415

    try:
        use_noise_file(path)
    except NoiseFileError as error:
        raise click.BadParameter(str(error)) from error


noise_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--noise",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    envvar="GASOLINE_NOISE",
    expose_value=False,
    callback=_use,
    help="Set aside what the rules of this TOML file name, as known noise is.",
)
