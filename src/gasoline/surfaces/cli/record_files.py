"""The option of every command that reads record files where there is no server to ask."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

record_files_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--from",
    "record_files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Read this record file instead of a server; several are merged.",
)
