"""What `gasoline run` says of its command, while it runs and when it has ended."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from gasoline.analysis.diagnosis import diagnose_all
from gasoline.analysis.status_words import FAILED
from gasoline.generation.report.summary import Summary, headline, short_id, summarise
from gasoline.generation.report.text import write_text
from gasoline.records import TestRun
from gasoline.records.evidence import Evidence
from gasoline.records.time import format_time
from gasoline.surfaces.cli.client import NoServerError, read_health
from gasoline.surfaces.cli.evidence import (
    WHOLE_SESSION,
    list_runs,
    read_from_files,
    read_from_server,
)
from gasoline.surfaces.cli.report import FORMATS
from gasoline.surfaces.cli.source_maps import explain_from

__all__ = ["headline", "write_text"]

# How a replayed record calls a test that was running where it ends.
INTERRUPTED = "interrupted"


def describe_progress(port: int) -> str:
    try:
        tests = list_runs(port)
        health = read_health(port)
    except NoServerError:
        return "gasoline: the server does not answer; the tests go on without it"
    seen = len({test.test_id for test in tests})
    failed = len({test.test_id for test in tests if (test.status or "").lower() in FAILED})
    events = health["entries"] + sum(health["buffers"].values())
    return f"gasoline: {seen} tests, {failed} failed, {events} events"


def gather(port: int, record: Path) -> tuple[list[Evidence], list[str]]:
    try:
        return read_from_server(port), []
    except NoServerError:
        if not record.exists():
            return [], ["the server died during the run, before it had recorded anything"]
        evidence, notes = read_from_files([record])
        return evidence, [_obituary(evidence), *notes]


def _obituary(evidence: list[Evidence]) -> str:
    """What is known of a server's last moment, and so what is missing."""
    said = "the server died during the run; this is what it had recorded"
    last_ms = max((one.run.ended_ms or 0.0 for one in evidence), default=0.0)
    if last_ms:
        said += f" until {format_time(last_ms)}, whatever came later is missing"
    cut_short = [short_id(one.run.test_id) for one in evidence if one.run.status == INTERRUPTED]
    return said + (f"; cut short: {', '.join(cut_short)}" if cut_short else "")


def judge(evidence: list[Evidence], command: tuple[str, ...], code: int) -> list[Evidence]:
    """A command that marks no tests is one test itself, judged by its exit code."""
    if any(one.run.test_id != WHOLE_SESSION for one in evidence):
        return evidence
    run = TestRun(
        test_id=shlex.join(command),
        attempt=1,
        started_ms=0.0,
        status="passed" if code == 0 else "failed",
        message=None if code == 0 else f"exit code {code}",
    )
    (whole,) = evidence or [Evidence(run=run)]
    return [msgspec.structs.replace(whole, run=run)]


def summarise_run(
    evidence: list[Evidence], notes: Sequence[str], source_maps: Sequence[Path]
) -> Summary:
    """The run as all formats tell it, its errors explained as far as these folders allow."""
    return summarise(diagnose_all(explain_from(source_maps, evidence)), notes)


def write_files(summary: Summary, folder: Path, formats: Mapping[str, str]) -> None:
    """Write a file of each name in its format."""
    for name, report_format in formats.items():
        (folder / name).write_text(FORMATS[report_format](summary), encoding="utf-8")
