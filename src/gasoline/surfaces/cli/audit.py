"""`gasoline audit`: what the captured traffic gives away, for people, programs and code hosts."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click
import msgspec

from gasoline.analysis.security.finding import CATEGORIES, SEVERITIES, Audit, Category, Severity
from gasoline.analysis.security.traffic import Traffic
from gasoline.generation.security.json_report import write_json
from gasoline.generation.security.sarif import write_sarif
from gasoline.generation.security.text import write_text
from gasoline.records import Record
from gasoline.records.evidence import Evidence
from gasoline.surfaces.cli.client import NoServerError
from gasoline.surfaces.cli.evidence import read_session_from_files, read_session_from_server
from gasoline.surfaces.cli.port import port_option
from gasoline.surfaces.cli.record_files import record_files_option
from gasoline.surfaces.cli.report import write_output

R = TypeVar("R", bound=Record)

FORMATS: dict[str, Callable[[Audit], str]] = {
    "text": write_text,
    "json": write_json,
    "sarif": write_sarif,
}
FAILED = 1
# A file has no context window to fit into.
PER_CATEGORY = 1000


@click.command("audit")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="SARIF is what code hosts read.",
)
@click.option("--output", default="-", show_default=True, help="File to write; - for stdout.")
@click.option(
    "--fail-on",
    type=click.Choice(SEVERITIES),
    help="Exit with 1 when anything is at least this severe.",
)
@click.option(
    "--severity-min",
    type=click.Choice(SEVERITIES),
    default="warning",
    show_default=True,
    help="Leave out what is less severe.",
)
@click.option(
    "--check",
    "checks",
    type=click.Choice(CATEGORIES),
    multiple=True,
    help="Only this check; may be repeated.",
)
@click.option("--url", "url_filter", default="", help="Only URLs that contain this.")
@record_files_option
@port_option
def security_audit(
    *,
    output_format: str,
    output: str,
    fail_on: Severity | None,
    severity_min: Severity,
    checks: tuple[Category, ...],
    url_filter: str,
    record_files: tuple[Path, ...],
    port: int,
) -> int:
    """Find leaked secrets and personal data, and endpoints left open."""
    # Imported here: compiling the rules is not free, and the other commands do without.
    from gasoline.analysis.security.audit import audit  # noqa: PLC0415

    found = audit(
        _read_traffic(record_files, port),
        checks=checks or CATEGORIES,
        url_filter=url_filter,
        # What decides about failure is also shown.
        severity_min=min(severity_min, fail_on or severity_min, key=SEVERITIES.index),
        per_category=PER_CATEGORY,
    )
    write_output(FORMATS[output_format](found), output)
    return FAILED if fail_on and _reaches(found, fail_on) else 0


def _read_traffic(record_files: tuple[Path, ...], port: int) -> Traffic:
    if record_files:
        evidence, notes = read_session_from_files(record_files)
        for note in notes:
            print(note, file=sys.stderr)
        return _traffic_of(evidence)
    try:
        return _traffic_of(read_session_from_server(port))
    except NoServerError as error:
        raise click.ClickException(
            f"failed to fetch snapshot: {error}. Is the server running on port {port}? "
            "A finished run can be read with --from RECORD."
        ) from error


def _traffic_of(evidence: Evidence) -> Traffic:
    return Traffic(
        exchanges=_numbered(evidence.exchanges),
        logs=_numbered(evidence.logs),
        websocket_events=_numbered(evidence.websocket_events),
    )


def _numbered(records: tuple[R, ...]) -> tuple[R, ...]:
    """Snapshots leave sequence numbers out; their order is still that of capture."""
    return tuple(
        record if record.seq else msgspec.structs.replace(record, seq=number)
        for number, record in enumerate(records, start=1)
    )


def _reaches(found: Audit, severity: Severity) -> bool:
    least = SEVERITIES.index(severity)
    return any(SEVERITIES.index(finding.severity) >= least for finding in found.findings)
