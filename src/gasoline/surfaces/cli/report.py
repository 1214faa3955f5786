"""`gasoline report`: what failed and why, for people, dashboards and AI agents."""

import sys
from collections.abc import Callable
from pathlib import Path

import click

from gasoline.analysis.diagnosis import diagnose_all
from gasoline.generation.report.ai_context import write_ai_context
from gasoline.generation.report.json_report import write_json
from gasoline.generation.report.junit import write_junit
from gasoline.generation.report.markdown_table import write_table
from gasoline.generation.report.summary import Summary, summarise
from gasoline.generation.report.text import write_text
from gasoline.records.time import parse_time_ms
from gasoline.surfaces.cli.client import NoServerError
from gasoline.surfaces.cli.evidence import read_from_files, read_from_server
from gasoline.surfaces.cli.noise import noise_option
from gasoline.surfaces.cli.port import port_option
from gasoline.surfaces.cli.record_files import record_files_option
from gasoline.surfaces.cli.source_maps import explain_from, source_maps_option

FORMATS: dict[str, Callable[[Summary], str]] = {
    "text": write_text,
    "json": write_json,
    "ai-context": write_ai_context,
    "junit": write_junit,
    "summary": write_table,
}


def _known_format(_context: click.Context, _option: click.Parameter, value: str) -> str:
    if value not in FORMATS:
        raise click.BadParameter(f"unknown format: {value} (known: {', '.join(FORMATS)})")
    return value


def _known_time(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and parse_time_ms(value) is None:
        raise click.BadParameter("not a time; write it as 2026-03-01T12:00:00Z")
    return value


@click.command()
@click.option(
    "--format",
    "report_format",
    default="text",
    show_default=True,
    callback=_known_format,
    help=f"One of {', '.join(FORMATS)}.",
)
@click.option("--output", default="-", show_default=True, help="File to write; - for stdout.")
@click.option("--test-id", help="Only this test.")
@click.option(
    "--since", callback=_known_time, help="Only what happened after this time (ISO 8601)."
)
@click.option(
    "--severity",
    type=click.Choice(["error", "warn", "info"]),
    default="warn",
    show_default=True,
    help="Leave out what is less severe.",
)
@record_files_option
@click.argument(
    "more_files",
    metavar="[FILE]...",
    nargs=-1,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@source_maps_option
@noise_option
@port_option
def report(
    *,
    report_format: str,
    output: str,
    test_id: str | None,
    since: str | None,
    severity: str,
    record_files: tuple[Path, ...],
    more_files: tuple[Path, ...],
    source_maps: tuple[Path, ...],
    port: int,
) -> None:
    """Say which tests failed, and what the browser saw when they did."""
    if more_files and not record_files:
        raise click.UsageError(f"Read {more_files[0]} as a record? Write --from before it.")
    notes: list[str] = []
    try:
        if record_files:
            shards = [*record_files, *more_files]
            evidence, notes = read_from_files(shards, test_id=test_id, since=since)
        else:
            evidence = read_from_server(port, test_id=test_id, since=since)
    except NoServerError as error:
        raise click.ClickException(
            f"failed to fetch snapshot: {error}. Is the server running on port {port}? "
            "A finished run can be read with --from RECORD."
        ) from error
    evidence = explain_from(source_maps, evidence)
    summary = summarise(diagnose_all(evidence, min_severity=severity), notes)
    write_output(FORMATS[report_format](summary), output)


def write_output(text: str, output: str) -> None:
    """Write to a file, or to stdout for `-`."""
    if output == "-":
        # Bytes: a terminal that knows no arrows must not break the report.
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
        return
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"Cannot write {output}: {error.strerror}.") from error


def main() -> None:
    """`gasoline-report`: the same command under its other name."""
    report(prog_name="gasoline-report")
