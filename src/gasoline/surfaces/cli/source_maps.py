"""The one option of every command that can explain errors."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from gasoline.records.evidence import Evidence

source_maps_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--source-maps",
    metavar="DIR",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Look for source maps in this build folder too. May be given several times.",
)


def as_flags(folders: Sequence[Path]) -> list[str]:
    """The same option for a server that is started elsewhere."""
    return [word for folder in folders for word in ("--source-maps", str(folder.resolve()))]


def explain_from(folders: Sequence[Path], evidence: "list[Evidence]") -> "list[Evidence]":
    """The evidence, its errors explained as far as these folders allow."""
    if not folders:
        return evidence
    # Imported here: a report without folders needs none of it.
    from gasoline.sources.offline import explain_evidence  # noqa: PLC0415

    return explain_evidence(evidence, folders)
