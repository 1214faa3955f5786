"""`gasoline run -- <command>`: any browser test suite, unchanged, with full evidence."""

import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

import click
import msgspec

from gasoline.analysis.diagnosis import FAILED, diagnose_all
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
from gasoline.surfaces.cli.noise import noise_option
from gasoline.surfaces.cli.report import FORMATS
from gasoline.surfaces.cli.source_maps import as_flags, explain_from, source_maps_option
from gasoline.surfaces.daemon.launch import CannotStartError
from gasoline.surfaces.daemon.place import address_of, find_place, find_token
from gasoline.surfaces.daemon.private import private_server

HIGHEST_PORT = 65535
NOT_FOUND, NOT_EXECUTABLE = 127, 126
# How a replayed record calls a test that was running where it ends.
INTERRUPTED = "interrupted"
ASSETS = Path(__file__).parent.parent.parent / "assets"
PYTHON_HOOK = Path(__file__).parent.parent.parent / "drivers" / "startup"
REPORT_FILES = {
    "report.txt": "text",
    "report.json": "json",
    "ai-context.md": "ai-context",
    "junit.xml": "junit",
}


class CannotRunError(Exception):
    """The command could not even be started, so there is nothing to report."""

    def __init__(self, why: str, code: int) -> None:
        super().__init__(why)
        self.code = code


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "--port",
    type=click.IntRange(1, HIGHEST_PORT),
    metavar="PORT",
    help="Use the server on this port instead of starting one.",
)
@click.option(
    "--report-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help=f"Write {', '.join(REPORT_FILES)} and record.jsonl into this folder.",
)
@source_maps_option
@noise_option
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def run(
    *,
    port: int | None,
    report_dir: Path | None,
    source_maps: tuple[Path, ...],
    command: tuple[str, ...],
) -> int:
    """Run browser tests unchanged; report what the browser saw.

    gasoline run -- npx playwright test

    gasoline run --report-dir out -- pytest tests/e2e
    """
    with _report_folder(report_dir) as folder:
        record = folder / "record.jsonl"
        record.unlink(missing_ok=True)
        try:
            flags = ["--record", str(record), *as_flags(source_maps)]
            server = nullcontext(port) if port else private_server(*flags)
            with server as used_port:
                _say(f"watching browsers on port {used_port}")
                code = _run_command(command, environment_for(used_port, os.environ), used_port)
                evidence, notes = _gather(used_port, record)
        except CannotStartError as error:
            raise click.ClickException(str(error)) from error
        except CannotRunError as error:
            click.echo(f"gasoline: {command[0]}: {error}", err=True)
            return error.code
        judged = _judged(explain_from(source_maps, evidence), command, code)
        summary = summarise(diagnose_all(judged), notes)
        if report_dir:
            _write_reports(summary, folder)
    if code != 0 or summary.failures:
        click.echo("\n" + write_text(summary), nl=False)
    _say(headline(summary) + (f"; report in {report_dir}" if report_dir else ""))
    return code


def environment_for(port: int, environment: Mapping[str, str]) -> dict[str, str]:
    """What makes Node and Python processes of the command put capture into their browsers."""
    place = find_place(port, environment)
    token = find_token(place, environment)
    hook = f"--require {shlex.quote(str(ASSETS / 'hook.cjs'))}"
    python_path = [str(PYTHON_HOOK), *filter(None, [environment.get("PYTHONPATH")])]
    return {
        **environment,
        "GASOLINE_RUN": "1",
        "GASOLINE_HOST": address_of(place, environment),
        "GASOLINE_PORT": str(port),
        "GASOLINE_CAPTURE_MODE": "all",
        **({"GASOLINE_TOKEN": token} if token else {}),
        "NODE_OPTIONS": " ".join(filter(None, [environment.get("NODE_OPTIONS"), hook])),
        "PYTHONPATH": os.pathsep.join(python_path),
    }


def _run_command(command: tuple[str, ...], environment: dict[str, str], port: int) -> int:
    with _progress(port) as (out, err):
        try:
            process = subprocess.Popen(command, env=environment, stdout=out, stderr=err)
        except FileNotFoundError as error:
            raise CannotRunError("command not found", NOT_FOUND) from error
        except OSError as error:
            raise CannotRunError(str(error.strerror), NOT_EXECUTABLE) from error
        with _passing_on_signals(process):
            code = process.wait()
    # As a shell reports a command that a signal ended.
    return 128 - code if code < 0 else code


def _progress(port: int) -> AbstractContextManager[tuple[int | None, int | None]]:
    if sys.platform == "win32" or not sys.stderr.isatty():
        return nullcontext((None, None))
    # Imported here: Windows has no pseudo-terminals.
    from gasoline.surfaces.cli.progress import progress_line  # noqa: PLC0415

    return progress_line(lambda: _describe_progress(port))


@contextmanager
def _passing_on_signals(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Ctrl+C reaches the command through the terminal; we stay to report what it saw."""
    before_int = signal.signal(signal.SIGINT, signal.SIG_IGN)
    before_term = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before_int)
        signal.signal(signal.SIGTERM, before_term)


def _describe_progress(port: int) -> str:
    try:
        tests = list_runs(port)
        health = read_health(port)
    except NoServerError:
        return "gasoline: the server does not answer; the tests go on without it"
    seen = len({test.test_id for test in tests})
    failed = len({test.test_id for test in tests if (test.status or "").lower() in FAILED})
    events = health["entries"] + sum(health["buffers"].values())
    return f"gasoline: {seen} tests, {failed} failed, {events} events"


def _gather(port: int, record: Path) -> tuple[list[Evidence], list[str]]:
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


def _judged(evidence: list[Evidence], command: tuple[str, ...], code: int) -> list[Evidence]:
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


def _write_reports(summary: Summary, folder: Path) -> None:
    for name, report_format in REPORT_FILES.items():
        (folder / name).write_text(FORMATS[report_format](summary), encoding="utf-8")


@contextmanager
def _report_folder(report_dir: Path | None) -> Iterator[Path]:
    if report_dir is None:
        with tempfile.TemporaryDirectory(prefix="gasoline-run-") as folder:
            yield Path(folder)
        return
    try:
        report_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"Cannot make {report_dir}: {error.strerror}.") from error
    yield report_dir


def _say(text: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"gasoline: {text}", err=True)
